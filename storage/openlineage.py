"""The ledger as OpenLineage events, made with the official client's classes.

Each run of a step is a job run with a START and a COMPLETE event that both name inputs and
outputs; a reused result is a run of its own, since nothing was computed but the outputs are current
again. Flows are the parents of their steps; they end with COMPLETE, FAIL or ABORT. A dataset is
named after the call that writes it, so that its versions (content digests) line up over time.
"""

import re
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from openlineage.client import event_v2, facet_v2

from storage.column_origins import COLUMN_ORIGINS
from storage.datasets import ArtifactRef, artifact_folder
from storage.ledger import LedgerRecord
from storage.lineage import Lineage, artifact_id, lineage_of, run_id
from storage.lineage_facets import CodeFacet, LicenceFacet, PhrasesFacet, ReuseFacet
from storage.schemas import SCHEMAS
from storage.workspace import Workspace

PRODUCER = "urn:phrasenet"
_NAMESPACE_OF_IDS = uuid.UUID("6f0a7f5e-53f1-5c36-9a08-0c1d3ff4f0a7")
_SHARD = re.compile(r" \d+/\d+$")

PHRASES_BY_KIND = """
SELECT category, origin, state, COUNT(*) AS phrases FROM phrases GROUP BY ALL ORDER BY ALL
"""

Event = event_v2.RunEvent


@dataclass(slots=True)
class _Writer:
    """What is needed to describe the runs of one workspace."""

    workspace: Workspace
    namespace: str
    owner: str
    graph: Lineage
    flows: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    """Body of the `flow` record of each flow run."""
    runs: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    """Body of the `run` record of each key."""
    schemas: dict[str, Any] = field(default_factory=dict)
    phrases: dict[str, PhrasesFacet] = field(default_factory=dict)


def events(
    workspace: Workspace, *, namespace: str, owner: str = "", since: int = 0
) -> Iterator[Event]:
    """Yield the events of a workspace, in the order of the ledger.

    Args:
        workspace: the workspace.
        namespace: of jobs and datasets.
        owner: who is responsible; left out if empty.
        since: the first record whose events are wanted; earlier ones are read for what they say.
    """
    facet_v2.set_producer(PRODUCER)
    event_v2.set_producer(PRODUCER)
    writer = _Writer(workspace, namespace, owner, lineage_of(workspace))
    open_flows: dict[str, LedgerRecord] = {}
    for record in workspace.ledger.readable_records():
        made = list(_events_of(writer, record, open_flows))
        if record.sequence >= since:
            yield from made


def _events_of(
    writer: _Writer, record: LedgerRecord, open_flows: dict[str, LedgerRecord]
) -> Iterator[Event]:
    body = record.body
    if record.kind == "flow":
        for lost in open_flows.values():  # only one flow writes at a time: that one was killed
            yield _flow_event(writer, lost.body, record.time, "ABORT")
        open_flows.clear()
        open_flows[body["flow_run"]] = record
        writer.flows[body["flow_run"]] = body
        yield _flow_event(writer, body, record.time, "START")
    elif record.kind == "end" and open_flows.pop(body["flow_run"], None) is not None:
        states = {"completed": "COMPLETE", "failed": "FAIL", "stopped": "ABORT"}
        flow = writer.flows[body["flow_run"]]
        state = states[body["outcome"]]
        yield _flow_event(writer, flow, record.time, state, error=body["error"])
    elif record.kind == "run":
        writer.runs[body["key"]] = body
        yield from _step_events(writer, record, body, reused=False)
    elif record.kind == "decision" and body["decision"] == "accept-unchanged":
        known_runs = {call["key"]: writer.runs.get(call["of"]) for call in body["calls"]}
        writer.runs.update({key: run for key, run in known_runs.items() if run is not None})
    elif record.kind == "reuse" and body["key"] in writer.runs:
        known = {**writer.runs[body["key"]], "flow_run": body["flow_run"], "label": body["label"]}
        yield from _step_events(writer, record, known, reused=True)


def _flow_event(
    writer: _Writer, flow: Mapping[str, Any], time: str, state: str, *, error: str = ""
) -> Event:
    facets: dict[str, Any] = {
        "processing_engine": facet_v2.processing_engine_run.ProcessingEngineRunFacet(
            version=flow["versions"]["prefect"], name="Prefect"
        )
    }
    if error:
        facets["errorMessage"] = facet_v2.error_message_run.ErrorMessageRunFacet(
            message=error, programmingLanguage="Python"
        )
    return Event(
        eventTime=time,
        eventType=event_v2.RunState[state],
        run=event_v2.Run(_uuid(flow["flow_run"]), facets),
        job=_job(writer, flow["flow"], "FLOW"),
        inputs=[],
        outputs=[],
    )


def _step_events(
    writer: _Writer, record: LedgerRecord, body: Mapping[str, Any], *, reused: bool
) -> Iterator[Event]:
    identity = _uuid(f"{record.digest()} {body['key']}")
    inputs = [_input(writer, value) for value in writer.graph.above.get(run_id(body["key"]), [])]
    outputs = [
        _output(writer, ArtifactRef.from_json(value), body["label"]) for value in body["outputs"]
    ]
    run_facets = _run_facets(writer, body, reused=reused)
    started = record.time if reused else body["started"]
    for time, state in ((started, "START"), (record.time, "COMPLETE")):
        yield Event(
            eventTime=time,
            eventType=event_v2.RunState[state],
            run=event_v2.Run(identity, run_facets),
            job=_job(writer, body["label"], "TASK", code=body["code"]),
            inputs=inputs,
            outputs=outputs,
        )


def _uuid(text: str) -> str:
    """Return an id of the form that runs have: that of Prefect as it is, others made from text."""
    try:
        return str(uuid.UUID(text))
    except ValueError:
        return str(uuid.uuid5(_NAMESPACE_OF_IDS, text))


def _job(writer: _Writer, name: str, kind: str, *, code: str = "") -> event_v2.Job:
    facets: dict[str, Any] = {
        "jobType": facet_v2.job_type_job.JobTypeJobFacet(
            processingType="BATCH", integration="PHRASENET", jobType=kind
        )
    }
    if code:
        facets["phrasenet_code"] = CodeFacet(code, dict(writer.workspace.ledger.code(code)))
        facets["sourceCodeLocation"] = facet_v2.source_code_location_job.SourceCodeLocationJobFacet(
            type="digest", url=f"urn:phrasenet:code:{code}", version=code
        )
    if writer.owner:
        facets["ownership"] = facet_v2.ownership_job.OwnershipJobFacet(
            owners=[facet_v2.ownership_job.Owner(writer.owner, "MAINTAINER")]
        )
    return event_v2.Job(writer.namespace, _SHARD.sub("", name), facets)


def _run_facets(writer: _Writer, body: Mapping[str, Any], *, reused: bool) -> dict[str, Any]:
    flow = writer.flows.get(body["flow_run"])
    parameters = facet_v2.execution_parameters_run
    facets: dict[str, Any] = {
        "executionParameters": parameters.ExecutionParametersRunFacet(
            [
                parameters.ExecutionParameter(key=name, value=repr(value))
                for name, value in sorted(body["settings"].items())
            ]
        ),
        "phrasenet_reuse": ReuseFacet(reused, body["key"]),
    }
    if flow is not None:
        parent = facet_v2.parent_run
        facets["parent"] = parent.ParentRunFacet(
            run=parent.Run(_uuid(flow["flow_run"])),
            job=parent.Job(writer.namespace, flow["flow"]),
        )
    return facets


def _input(writer: _Writer, node_id: str) -> event_v2.InputDataset:
    node = writer.graph.nodes[node_id]
    if node.ref is None:
        version = node_id.partition("/")[2]
        facets: dict[str, Any] = {"version": _version(version)}
        name = node.title.removeprefix("file read by ")
        return event_v2.InputDataset("file", name, facets=facets)
    statistics = facet_v2.input_statistics_input_dataset.InputStatisticsInputDatasetFacet(
        rowCount=node.ref.rows, size=_size(writer.workspace, node.ref)
    )
    return event_v2.InputDataset(
        writer.namespace,
        _name_of(writer, node.ref),
        facets=_dataset_facets(writer, node.ref),
        inputFacets={
            "inputStatistics": statistics,
            "dataQualityMetrics": _quality(node.ref, statistics.size),
        },
    )


def _quality(ref: ArtifactRef, size: int | None) -> Any:
    module = facet_v2.data_quality_metrics_input_dataset
    return module.DataQualityMetricsInputDatasetFacet({}, rowCount=ref.rows, bytes=size)


def _output(writer: _Writer, ref: ArtifactRef, label: str) -> event_v2.OutputDataset:
    statistics = facet_v2.output_statistics_output_dataset.OutputStatisticsOutputDatasetFacet(
        rowCount=ref.rows, size=_size(writer.workspace, ref)
    )
    facets = _dataset_facets(writer, ref)
    change = facet_v2.lifecycle_state_change_dataset
    facets["lifecycleStateChange"] = change.LifecycleStateChangeDatasetFacet(
        change.LifecycleStateChange.CREATE
    )
    lineage = _column_lineage(writer, ref, label)
    if lineage is not None:
        facets["columnLineage"] = lineage
    return event_v2.OutputDataset(
        writer.namespace,
        _dataset_name(ref, label),
        facets=facets,
        outputFacets={"outputStatistics": statistics},
    )


def _dataset_name(ref: ArtifactRef, label: str) -> str:
    return f"{label}/{ref.kind}"


def _name_of(writer: _Writer, ref: ArtifactRef) -> str:
    """Return the name of a dataset: that of the call that wrote it first."""
    writers = writer.graph.above.get(artifact_id(ref), [])
    return _dataset_name(ref, writer.graph.nodes[writers[0]].title if writers else "unknown")


def _version(digest: str) -> facet_v2.dataset_version_dataset.DatasetVersionDatasetFacet:
    return facet_v2.dataset_version_dataset.DatasetVersionDatasetFacet(digest)


def _dataset_facets(writer: _Writer, ref: ArtifactRef) -> dict[str, Any]:
    facets: dict[str, Any] = {"version": _version(ref.digest)}
    if ref.kind in SCHEMAS:
        facets["schema"] = _schema(writer, ref.kind)
    if ref.kind == "phrases" and writer.workspace.holds(ref):
        facets["phrasenet_phrases"] = _phrases(writer, ref)
    if ref.kind == "model":
        facets["phrasenet_licence"] = _licences(writer, ref)
    return facets


def _schema(writer: _Writer, kind: str) -> Any:
    module = facet_v2.schema_dataset
    if kind not in writer.schemas:
        writer.schemas[kind] = module.SchemaDatasetFacet(
            [
                module.SchemaDatasetFacetFields(name=column.name, type=str(column.type))
                for column in SCHEMAS[kind].columns
            ]
        )
    return writer.schemas[kind]


def _phrases(writer: _Writer, ref: ArtifactRef) -> PhrasesFacet:
    if ref.digest not in writer.phrases:
        counts = writer.workspace.query(PHRASES_BY_KIND, {"phrases": ref})
        writer.phrases[ref.digest] = PhrasesFacet(counts)
    return writer.phrases[ref.digest]


def _licences(writer: _Writer, ref: ArtifactRef) -> LicenceFacet:
    entries = [e for e in writer.workspace.registry.entries() if e.model_id == ref.digest]
    known = {item for entry in entries for item in entry.licences}
    ordered = sorted(known, key=lambda item: (item.kind, item.source))
    return LicenceFacet(
        [
            {
                "kind": item.kind,
                "source": item.source,
                "licence": item.licence,
                "attribution": item.attribution,
            }
            for item in ordered
        ]
    )


def _column_lineage(writer: _Writer, ref: ArtifactRef, label: str) -> Any:
    """Return from which columns of its inputs a table's columns come; None if nothing is known."""
    origins = COLUMN_ORIGINS.get(ref.kind)
    producers = writer.graph.above.get(artifact_id(ref), [])
    if origins is None or not producers:
        return None
    inputs: dict[str, list[ArtifactRef]] = {}
    for node in writer.graph.neighbours(producers[-1], "up"):
        if node.ref is not None:
            inputs.setdefault(node.ref.kind, []).append(node.ref)
    module = facet_v2.column_lineage_dataset
    fields = {}
    for column, sources in origins.items():
        found = [
            module.InputField(
                namespace=writer.namespace,
                name=_name_of(writer, origin),
                field=source_column,
                transformations=[
                    module.Transformation(type="DIRECT", subtype=how, description="", masking=False)
                ],
            )
            for kind, source_column, how in sources
            for origin in inputs.get(kind, [])
        ]
        if found:
            fields[column] = module.Fields(inputFields=found)
    return module.ColumnLineageDatasetFacet(fields=fields) if fields else None


def _size(workspace: Workspace, ref: ArtifactRef) -> int | None:
    folder = artifact_folder(workspace.root, ref)
    return sum(path.stat().st_size for path in folder.glob("*")) if folder.is_dir() else None
