"""The card of a model in Markdown: what it is, what it was made from, how well it does, its limits.

Every figure is read from the tables of the evaluation or from the ledger's record of the training;
what was not measured is said to be so.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from storage.moments import shown
from storage.registry import SourceLicence
from tasks.reports.attribution import attribution_table
from tasks.reports.comparison_tables import MAIN_METRIC
from tasks.reports.evaluation_data import EvaluationData, SystemFacts, of
from tasks.reports.markdown import markdown_table, plain
from tasks.reports.rating_section import (
    AGREEMENT_HEADER,
    SHARES_HEADER,
    agreement_cells,
    earlier_ratings,
    ratings_of,
    share_cells,
)
from tasks.reports.score_section import main_intervals
from tasks.reports.training_section import duration

_FIGURES = ("scores", "comparisons", "phrase_use", "ratings", "lengths")
_INTENDED = """\
Draft translation of written Chinese into English in the domain of the sources below, to be read by
a person who can check it; terms, names, numbers and dates that the phrase memory offers are meant
to come out as agreed. It is not meant for text whose errors nobody would notice, nor for domains
other than that of its sources."""


def model_card(facts: SystemFacts, data: EvaluationData, licences: Sequence[SourceLicence]) -> str:
    """Return the card of one system."""
    sections = [
        ("Intended use", _INTENDED),
        ("Made from", attribution_table(licences) + "\n" + _lineage(facts)),
        ("Size and settings", _settings(facts)),
        ("Scores", _scores(facts, data)),
        ("Against the baseline", _comparisons(facts, data)),
        ("Phrases", _uses(facts, data)),
        ("Rated by people", _ratings(facts, data)),
        ("Limits that were measured", _limits(facts, data)),
        ("Where the figures come from", _sources(data)),
    ]
    body = "".join(f"\n## {name}\n\n{text.rstrip()}\n" for name, text in sections if text)
    return f"# Model card: {plain(facts.system)}\n\n{_head(facts, data)}\n{body}"


def _head(facts: SystemFacts, data: EvaluationData) -> str:
    size = f", {facts.parameters:,} parameters" if facts.parameters else ""
    return f"Project {plain(data.title)}, Chinese to English. Model `{facts.model_id}`{size}."


def _lineage(facts: SystemFacts) -> str:
    """Name the call that trained the model, its code and its data by their digests."""
    record = facts.training
    if not record:
        return "The ledger of this workspace has no record of the training.\n"
    rows = [
        ["call", record["label"]],
        ["key of the call", record["key"]],
        ["digest of the code", record["code"]],
        *([f"input: {name}", digest] for name, digest in _inputs(record["inputs"])),
        *([f"version of {name}", version] for name, version in sorted(record["versions"].items())),
        ["begun", shown(record["started"])],
        ["took", duration(record["seconds"])],
    ]
    return markdown_table(["training", ""], rows)


def _inputs(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """Yield the artifacts in the inputs of a record, each with the name of its argument."""
    if isinstance(value, Mapping):
        if set(value) == {"artifact"}:
            yield name, f"{value['artifact']['kind']} {value['artifact']['digest']}"
        else:
            for key, item in value.items():
                yield from _inputs(item, name or key)
    elif isinstance(value, list):
        for item in value:
            yield from _inputs(item, name)


def _settings(facts: SystemFacts) -> str:
    settings = dict(facts.training.get("settings", {}))
    settings |= dict(zip(("model", "training"), settings.pop("configs", ()), strict=False))
    rows = [[name, _value(value)] for name, value in _flat(settings)]
    last = facts.log[-1] if facts.log else None
    seen = (
        f"Trained for {last['step']:,} steps on {last['target_words']:,} target words.\n\n"
        if last
        else ""
    )
    return seen + (markdown_table(["setting", "value"], rows) if rows else "")


def _flat(value: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        for key in sorted(value):
            yield from _flat(value[key], f"{prefix}{key}.")
    else:
        yield prefix.removesuffix("."), value


def _value(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _scores(facts: SystemFacts, data: EvaluationData) -> str:
    """One row a test set and metric, on all sentences, with the interval where it is known."""
    spans = {
        testset: f"{low:.2f} to {high:.2f}"
        for testset in data.testsets
        for system, _, low, high in main_intervals(data, testset)
        if system == facts.system
    }
    rows = [
        [
            row["testset"],
            row["metric"],
            f"{row['value']:z.2f}",
            f"{row['sentences']:,}",
            row["signature"],
        ]
        for row in of(data.scores, system=facts.system, subset="all")
    ]
    text = markdown_table(["test set", "metric", "score", "sentences", "signature"], rows)
    lines = [f"- {MAIN_METRIC} on {plain(name)}: {span}\n" for name, span in spans.items()]
    intervals = "\n95 % intervals over resampled sentences:\n\n" + "".join(lines) if lines else ""
    return text + intervals


def _comparisons(facts: SystemFacts, data: EvaluationData) -> str:
    rows = [
        [
            row["testset"],
            row["subset"],
            f"{row['difference']:+z.2f}",
            f"{row['difference_low']:+z.2f} to {row['difference_high']:+z.2f}",
            f"{row['p_bootstrap_adjusted']:.4f}",
        ]
        for row in of(data.comparisons, system=facts.system, metric=MAIN_METRIC)
    ]
    if not rows:
        return ""
    header = ["test set", "sentences", f"{MAIN_METRIC}, difference", "95 % interval", "p, adjusted"]
    return f"The baseline is {plain(data.baseline)}.\n\n" + markdown_table(header, rows)


def _uses(facts: SystemFacts, data: EvaluationData) -> str:
    rows = [
        [
            row["testset"],
            row["category"] or "all",
            row["origin"] or "all",
            f"{row['offered']:,}",
            f"{row['appeared']:,}",
            f"{row['produced']:,}",
        ]
        for row in of(data.phrase_use, system=facts.system)
        if row["offered"]
    ]
    header = ["test set", "category", "from", "offered", "in the output", "emitted whole"]
    if not rows:
        return "No phrase was offered in these test sets.\n" if data.phrase_use else ""
    return markdown_table(header, rows)


def _ratings(facts: SystemFacts, data: EvaluationData) -> str:
    """Say how each rater judged; nothing where nobody did, which the limits say."""
    text = ""
    for found in ratings_of(facts.system, data.ratings):
        title = f"{found.system} against {found.baseline} on {found.testset}:"
        shares = [[row.question, row.rater, *share_cells(row)] for row in found.shares]
        agreed = [[row.question, *agreement_cells(row)] for row in found.agreements]
        text += f"{plain(title)}\n\n" + markdown_table(
            ["question", "rater", *SHARES_HEADER], shares
        )
        text += "\n" + markdown_table(["question", *AGREEMENT_HEADER], agreed) if agreed else ""
        text += "\n"
    return text


def _limits(facts: SystemFacts, data: EvaluationData) -> str:
    """Say on which kinds of sentences, and at which lengths, it does worst."""
    lines = [*_weak_kinds(facts, data), *_weak_lengths(facts, data), *_weak_phrases(facts, data)]
    lines += [
        plain(earlier_ratings(item))
        for item in data.ratings.earlier
        if facts.system in (item.baseline, item.system)
    ]
    if not ratings_of(facts.system, data.ratings):
        lines.append("Adequacy and fluency: nobody has rated these translations.")
    lines.append("Bias, and text of other domains, were not measured here.")
    return "".join(f"- {line}\n" for line in lines)


def _weak_kinds(facts: SystemFacts, data: EvaluationData) -> Iterator[str]:
    for testset in data.testsets:
        rows = of(data.scores, system=facts.system, testset=testset, metric="BLEU")
        whole = next((row for row in rows if row["subset"] == "all"), None)
        parts = [row for row in rows if row["subset"] != "all"]
        if whole and parts:
            worst = min(parts, key=lambda row: row["value"])
            yield (
                f"{plain(testset)}: BLEU is {whole['value']:.2f} on all sentences and lowest, "
                f"{worst['value']:.2f}, on the {worst['sentences']:,} {plain(worst['subset'])}."
            )


def _weak_lengths(facts: SystemFacts, data: EvaluationData) -> Iterator[str]:
    rows = [row for row in of(data.lengths, system=facts.system) if row["bleu_v13a"] is not None]
    for testset in dict.fromkeys(row["testset"] for row in rows):
        worst = min(of(rows, testset=testset), key=lambda row: row["bleu_v13a"])
        most = f" to {worst['high'] - 1}" if worst["high"] > 0 else " and more"
        yield (
            f"{plain(testset)}: by length, BLEU-v13a is lowest, {worst['bleu_v13a']:.2f}, on the "
            f"{worst['sentences']:,} sentences of {worst['low']}{most} source words."
        )


def _weak_phrases(facts: SystemFacts, data: EvaluationData) -> Iterator[str]:
    for row in of(data.phrase_use, system=facts.system):
        if row["category"] and row["offered"] and row["appeared"] < row["offered"]:
            missing = row["offered"] - row["appeared"]
            yield (
                f"{plain(row['testset'])}: of {row['offered']:,} offered {row['category']} phrases "
                f"({row['origin']}), {missing:,} not in the output."
            )


def _sources(data: EvaluationData) -> str:
    """Name the artifacts behind the figures above, and who made them."""
    found = data.read_from("models", "logs", "memory", *_FIGURES)
    rows = [
        [source.kind, source.digest, source.made_by, source.key] for source in dict.fromkeys(found)
    ]
    return markdown_table(["artifact", "content digest", "made by", "key of the call"], rows)
