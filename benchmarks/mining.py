"""What it costs to count phrase pairs, to select the likely ones, and to count what their lexical
weights and their significance rest on, with links that are there.

The pairs and links are those of an aligned workspace, named by the environment variable
`PHRASENET_BENCH_WORKSPACE`; without it, those of the built-in sample with its true links. Each form
runs in a process of its own, loading and reading included; the loops were compiled before.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.measuring import figure, say

NUM_PAIRS = 100_000
FORMS = {
    "as mined by default": ("tight-without-articles", False),
    "with Moses' edges": ("moses", False),
    "all that Moses counts, up to 7 words": ("moses", True),
}
_MEASURE = """
import json, re, sys, time
from pathlib import Path
from storage.datasets import ArtifactRef
from storage.engine import EngineConfig
from storage.workspace import existing_workspace
from tasks.lexical import count_lexical
from tasks.mine import count_shard
from tasks.mining.candidates import PhraseCounter
from tasks.mining.config import ExtractionConfig, MemoryConfig
from tasks.mining.selection import SELECT_PHRASES, candidate_parameters
root, pairs, links, edges, everything = json.loads(sys.argv[1])
workspace = existing_workspace(Path(root), EngineConfig(query_memory="500MB"))
pairs, links = ArtifactRef.from_json(pairs), ArtifactRef.from_json(links)
memory = MemoryConfig()
counter = PhraseCounter(
    ExtractionConfig(edges=edges), max_words=7 if everything else memory.max_words,
    everything=everything,
)
tables = count_shard(workspace, pairs, links, counter)
names = ("pair_counts", "source_phrases", "target_phrases")
selected = workspace.write_query(
    "candidates", SELECT_PHRASES, dict(zip(names, tables)), candidate_parameters(memory)
)
counted = time.process_time()
config = ExtractionConfig(edges=edges)
lexical = count_lexical.function(
    workspace, shard=(pairs, links), phrases=(selected, selected), config=config,
    max_words=memory.max_words,
)
folders = [workspace.folder_of(ref) for ref in (*tables, selected, *lexical)]
print(json.dumps({
    "pairs": tables[0].rows,
    "selected": selected.rows,
    "counted": counted,
    "seconds": time.process_time(),
    "memory": int(re.search(r"VmHWM:\\s+([0-9]+)", open("/proc/self/status").read())[1]) / 1024,
    "disk": sum(file.stat().st_size for folder in folders for file in folder.iterdir()) / 1e6,
}))
"""


def run() -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "workspace"
        number, tables = _aligned(root)
        _measured([str(root), *tables, "moses", False])  # compiles
        for form, (edges, everything) in FORMS.items():
            found = _measured([str(root), *tables, edges, everything])
            say(f"  {form}: {found['pairs']:,} phrase pairs, {found['selected']:,} likely ones")
            figure("counted and selected (target 5,000)", number / found["counted"], "/CPU s")
            figure("with links and sentences", number / found["seconds"], "/CPU s")
            figure("most memory (target 1,000)", found["memory"], "MB")
            figure("files (a fifth of Moses' 5,900: 1,180)", found["disk"], "MB")


def _measured(arguments: list[object]) -> dict[str, float]:
    command = [sys.executable, "-c", _MEASURE, json.dumps(arguments)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def _aligned(root: Path) -> tuple[int, list[object]]:
    """Write pairs and links into a new workspace; returns how many, and the tables."""
    from storage.workspace import open_workspace

    workspace = open_workspace(root)
    named = os.environ.get("PHRASENET_BENCH_WORKSPACE")
    if named is None:
        say("  PHRASENET_BENCH_WORKSPACE is not set: measured on the built-in sample")
    pairs, links = _from_workspace(Path(named)) if named else _from_sample()
    written = [workspace.write_rows("pairs", pairs), workspace.write_rows("links", links)]
    return len(pairs), [table.to_json() for table in written]


def _from_workspace(root: Path) -> tuple[list[dict[str, object]], list[dict[str, object]]]:
    """Read the first pairs of the last shard that was aligned, with their links."""
    from itertools import islice

    from storage.datasets import ArtifactRef
    from storage.workspace import existing_workspace

    workspace = existing_workspace(root)
    runs = (record.body for record in workspace.ledger.newest_first())
    last = next(body for body in runs if body.get("step") == "linked" and "outputs" in body)
    refs = {item["kind"]: ArtifactRef.from_json(item) for item in last["outputs"]}
    pairs, links = (
        list(islice(workspace.read_rows(refs[kind]), NUM_PAIRS)) for kind in ("pairs", "links")
    )
    return pairs, links


def _from_sample() -> tuple[list[dict[str, object]], list[dict[str, object]]]:
    from tasks.sample.newswire import generate

    pairs: list[dict[str, object]] = []
    links: list[dict[str, object]] = []
    for number, pair in enumerate(generate(1).train):
        identity = f"{number:08}"
        pairs.append(
            {
                "pair_id": identity,
                "source_words": list(pair.source_words),
                "target_words": list(pair.target_words),
            }
        )
        links.append(
            {
                "pair_id": identity,
                "source_index": [source for source, _ in pair.links],
                "target_index": [target for _, target in pair.links],
            }
        )
    return pairs, links
