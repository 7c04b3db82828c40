"""Tables beside those of the papers: claims, significance, kinds of sentences, and what it took."""

from collections.abc import Iterator, Sequence

from tasks.experiments.papers import CLAIMS, Claim
from tasks.experiments.results import ALL, POOL, Results, are_certain
from tasks.experiments.rows import listed, mean_of, missing_row, speed, speed_of
from tasks.experiments.statistics import LONG, SHORT
from tasks.experiments.table import NOT_RUN, NOTHING, Entry, Table, figure
from tasks.metrics.significance import Comparison
from tasks.metrics.values_kept import VALUES_KEPT

KINDS = (
    "with rule spans", "without rule spans", "with phrases", "without phrases", SHORT, LONG,
)  # fmt: skip
_CLAIM = ("claim", "systems", "paper", "here", "with each seed", "p bootstrap", "holds")


def own_tables(results: Results) -> list[Table]:
    """Return the tables that are in neither paper."""
    return [claims(results), significance(results), kinds(results), cost(results)]


def claims(results: Results) -> Table:
    """Return what the papers claim beside what was found."""
    rows = [_claim_row(results, claim) for claim in CLAIMS]
    rows += list(_halved_decoder(results))
    note = (
        f"Differences of {results.metric} on the sentences of all tests of the domain together; "
        "the papers' are between averages over their own tests. It holds where every seed's "
        "difference has the sign of the paper's and p of its paired bootstrap is below 0.05."
        " Speed: words of output a second of processor time."
    ) + _other_memories(results)
    return Table("claims", "What the papers claim, and what was found", _CLAIM, tuple(rows), note)


def _other_memories(results: Results) -> str:
    """Say which cells were made with another phrase memory than most, which only other code does.

    A cell keeps its result when the code changes; then cells may differ by more than their systems.
    """
    groups: dict[str, list[str]] = {}
    for item in results.planned:
        if item.cell in results.found:
            memory = results.found[item.cell]["memory_snapshot"]
            groups.setdefault(memory, []).append(f"{item.cell.name}, {item.cell.seed}")
    most = max(groups.values(), key=len, default=[])
    others = [name for names in groups.values() if names is not most for name in names]
    if not others:
        return ""
    return (
        " Made with other code and another phrase memory than the rest, so that differences from "
        f"the rest are not of the systems alone: {'; '.join(others)}."
    )


def _claim_row(results: Results, claim: Claim) -> tuple[Entry, ...]:
    better = _named(results, claim.better, is_variant=claim.better_is_variant)
    worse = _named(results, claim.worse, is_variant=claim.worse_is_variant)
    head = (
        Entry(f"{claim.paper}: {claim.text}"),
        Entry(f"{better} − {worse}"),
        figure(claim.difference, "+z.2f"),
    )
    found = [comparison for _, comparison in results.comparisons(better, worse, POOL)]
    if not found:
        return (*head, *(Entry(NOT_RUN) for _ in _CLAIM[3:]))
    certain = are_certain(found)
    return (
        *head,
        figure(_mean_difference(found), "+z.2f", is_certain=certain),
        Entry(listed([f"{each.difference.value:+z.2f}" for each in found])),
        Entry(listed([_p(each.bootstrap.p_value) for each in found])),
        Entry(_verdict(claim, _mean_difference(found), certain=certain)),
    )


def _named(results: Results, system: str, *, is_variant: bool) -> str:
    """Return a system, or its first variant where a claim is about other sizes."""
    if not is_variant:
        return system
    variants = [name for name in results.of_system(system) if name != system]
    return variants[0] if variants else f"{system} with other sizes"


def _verdict(claim: Claim, difference: float, *, certain: bool) -> str:
    if claim.is_near:
        return "no" if certain else "no difference found"
    if not certain:
        return "undecided"
    return "yes" if difference > 0 else "no, the opposite"


def _mean_difference(found: Sequence[Comparison]) -> float:
    return sum(each.difference.value for each in found) / len(found)


def _halved_decoder(results: Results) -> Iterator[tuple[Entry, ...]]:
    """Compare the decoders of tanh with a gate and of GRU in size and speed."""
    names = ("groundhog-vanilla+gate", "groundhog-gru")
    cells = [results.cells(name) for name in names]
    systems = Entry(f"{names[0]} : {names[1]}")
    texts = ("decoder of tanh with gate, parameters", "decoding speed of tanh with gate")
    if not all(cells):
        for text in texts:
            head = (Entry(f"Context Gates: {text}"), systems, Entry(NOTHING))
            yield (*head, *(Entry(NOT_RUN) for _ in _CLAIM[3:]))
        return
    sizes = [results.found[each[0]]["parameters"]["decoder"] for each in cells]
    speeds = [speed(results, name) or 0.0 for name in names]
    for text, (first, second), unit in zip(texts, (sizes, speeds), ("", " words/s"), strict=True):
        ratio = first / second if second else None
        yield (
            Entry(f"Context Gates: {text}"),
            systems,
            Entry(NOTHING),
            figure(ratio, ".2f"),
            Entry(f"{first:,.0f} : {second:,.0f}{unit}"),
            Entry(NOTHING),
            Entry(NOTHING),
        )


def significance(results: Results) -> Table:
    """Return every cell against its baseline of the same seed, on every test set."""
    header = (
        "system, seed", "test set", "baseline", "difference", "interval", "up", "down",
        "p sign test", "p bootstrap", "p randomisation",
    )  # fmt: skip
    rows = []
    for name in results.names():
        baseline = results.plan(name).baseline
        for testset in [*results.testsets(), *([POOL] if len(results.in_domain()) > 1 else [])]:
            rows += [
                _significance_row(f"{name}, {seed}", testset, baseline, found)
                for seed, found in results.comparisons(name, baseline, testset)
            ]
    note = (
        f"{results.metric}; 95 % intervals over resampled sentences; up and down: sentences whose "
        "output alone makes the corpus score rise or fall. 1,000 trials, seed 1; p-values are not "
        "adjusted for the number of comparisons."
    )
    return Table("significance", "Each cell against its baseline", header, tuple(rows), note)


def _significance_row(
    name: str, testset: str, baseline: str, found: Comparison
) -> tuple[Entry, ...]:
    difference = found.difference
    return (
        Entry(name),
        Entry(testset),
        Entry(baseline),
        figure(difference.value, "+z.2f", is_certain=are_certain([found])),
        Entry(f"{difference.low:+z.2f} to {difference.high:+z.2f}"),
        figure(found.sign.better, ",.0f"),
        figure(found.sign.worse, ",.0f"),
        *(
            Entry(_p(p_value), p_value)
            for p_value in (
                found.sign.p_value, found.bootstrap.p_value, found.randomisation.p_value
            )
        ),
    )  # fmt: skip


def _p(value: float) -> str:
    return "< 0.0001" if value < 0.0001 else f"{value:.4f}"


def kinds(results: Results) -> Table:
    """Return the gain over the baseline apart for kinds of sentences, on the domain's tests."""
    header = ("system", "baseline", ALL, *KINDS)
    rows = []
    for name in results.names():
        baseline = results.plan(name).baseline
        if not baseline:
            continue
        gains = [
            [found for _, found in results.comparisons(name, baseline, POOL, kind)]
            for kind in (ALL, *KINDS)
        ]
        if not gains[0]:
            rows.append(missing_row(results, name, len(header)))
            continue
        rows.append((Entry(name), Entry(baseline), *(_gain(found) for found in gains)))
    note = (
        f"Gain of {results.metric} over the baseline, mean over the seeds, on the sentences of all "
        "tests of the domain of each kind. Long sentences have more than 30 source words."
    )
    title = "Gains on kinds of sentences"
    return Table("kinds", title, header, tuple(rows), note)


def _gain(found: Sequence[Comparison]) -> Entry:
    if not found:
        return Entry(NOTHING)
    return figure(_mean_difference(found), "+z.2f", is_certain=are_certain(found))


def cost(results: Results) -> Table:
    """Return what every cell took, and how far its loss still fell."""
    header = (
        "cell", "target words", "passes", "hours", "processor hours", "peak MB", "parameters",
        "decoder", "decoding words/s", "last dev losses", "values kept %", "ledger",
    )  # fmt: skip
    rows = []
    for item in results.planned:
        result = results.found.get(item.cell)
        name = f"{item.cell.name}, {item.cell.seed}"
        if result is None:
            text = results.failed.get(str(item.cell))
            rows.append((Entry(name), *(Entry(f"failed: {text}" if text else NOT_RUN)
                                        for _ in header[1:])))  # fmt: skip
            continue
        training, parameters = result["training"], result["parameters"]
        losses = [f"{loss:.3f}" for _, loss in training["dev_losses"][-3:]]
        rows.append(
            (
                Entry(name),
                figure(training["target_words"], ",.0f"),
                figure(training["passes"], ",.0f"),
                figure(training["hours"]),
                figure(training["processor_hours"]),
                figure(training["peak_memory_bytes"] / 1e6, ",.0f"),
                figure(parameters["all"] or None, ",.0f"),
                figure(parameters["decoder"] or None, ",.0f"),
                figure(speed_of([result]), ",.0f"),
                Entry(listed(losses)),
                mean_of([_values_kept(results, test) for test in result["tests"].items()], ".1f"),
                Entry(result["ledger"]["digest"][:12]),
            )
        )
    note = (
        "Hours of the training alone, by the clock and of all processors; decoding by the time of "
        "processors. The losses on dev, per "
        "word, after the last passes say whether the curve had flattened. Values kept: percent of "
        "the source's numbers, dates and times that stand in the output, mean over the domain's "
        "tests. Ledger: digest of its newest record when the cell was done."
    )
    return Table("cost", "What each cell took", header, tuple(rows), note)


def _values_kept(results: Results, test: tuple[str, dict[str, object]]) -> float | None:
    name, found = test
    if name not in results.in_domain():
        return None
    rows = found["scores"]
    assert isinstance(rows, list), "scores are rows"
    return next(
        (row["value"] for row in rows if (row["metric"], row["subset"]) == (VALUES_KEPT, ALL)), None
    )
