"""The rules of the gate: each says whether a candidate may follow the model in production.

A test set got worse if the candidate's BLEU is lower and a paired test says that chance alone
seldom makes such a difference. Shares (phrases that appear, values that are kept) are compared
against a limit in percent points, where there is enough to count.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from tasks.lineage.licences import Verdict as LicenceVerdict
from tasks.metrics.significance import Comparison, Interval
from tasks.promotion.config import GateLimits
from tasks.promotion.finding import Finding, Rule, Verdict

METRIC = "BLEU-v13a"
ALL = "all"
Share = tuple[int, int]
"""How many of how many."""


def judge_test_set(
    testset: str, before: Interval, found: Comparison, sentences: int, limits: GateLimits
) -> Finding:
    """Say whether a test set got worse.

    Args:
        testset: its name.
        before: the score of the model in production.
        found: the candidate against it, by paired tests on the same sentences.
        sentences: how many.
        limits: the significance.
    """
    now = found.score.value
    p_value = min(found.bootstrap.p_value, found.randomisation.p_value)
    is_worse = found.difference.value < 0 and p_value < limits.significance
    return Finding(
        rule="test set",
        testset=testset,
        subject=METRIC,
        verdict="failed" if is_worse else "passed",
        production=before.value,
        candidate=now,
        limit=limits.significance,
        p_value=p_value,
        number=sentences,
        detail=f"{METRIC} on {testset} went from {before.value:.2f} to {now:.2f} "
        f"(p = {p_value:.4f}; below {limits.significance:g} a fall counts as worse)",
    )


def judge_phrases(
    testset: str, before: Mapping[str, Share], now: Mapping[str, Share], limits: GateLimits
) -> Iterator[Finding]:
    """Say for each category, and for all, whether fewer of the offered phrases appear.

    Args:
        testset: its name.
        before: of the model in production, by category: phrases that appeared, and offered ones.
        now: the same of the candidate.
        limits: the fall that is allowed, and how many phrases are enough.
    """
    yield from _judge_shares("phrases", testset, (before, now), limits)


def judge_values(
    testset: str, before: Mapping[str, Share], now: Mapping[str, Share], limits: GateLimits
) -> Iterator[Finding]:
    """Say for each kind of values, and for all, whether fewer are kept; see `judge_phrases`."""
    yield from _judge_shares("values", testset, (before, now), limits)


def _judge_shares(
    rule: Rule,
    testset: str,
    counts: tuple[Mapping[str, Share], Mapping[str, Share]],
    limits: GateLimits,
) -> Iterator[Finding]:
    before, now = counts
    limit, enough, verb = {
        "phrases": (limits.max_phrase_fall, limits.min_phrases, "offered phrases appeared"),
        "values": (limits.max_values_fall, limits.min_values, "numbers and dates were kept"),
    }[rule]
    for subject in sorted(before.keys() | now.keys(), key=lambda name: (name != ALL, name)):
        old, new = before.get(subject, (0, 0)), now.get(subject, (0, 0))
        number = min(old[1], new[1])
        shares = _percent(old), _percent(new)
        verdict = _verdict(shares, number, limit, enough)
        detail = (
            _too_few(rule, testset, subject, number, enough)
            if verdict == "not judged"
            else f"{_shown(shares[1])} of the {verb}{_of(subject)} on {testset}, "
            f"{_shown(shares[0])} before (a fall of {limit:g} points is allowed)"
        )
        yield Finding(
            rule=rule,
            testset=testset,
            subject=subject,
            verdict=verdict,
            production=shares[0],
            candidate=shares[1],
            limit=limit,
            number=number,
            detail=detail,
        )


def _of(subject: str) -> str:
    return "" if subject == ALL else f" ({subject})"


def _too_few(rule: Rule, testset: str, subject: str, number: int, enough: int) -> str:
    """Say why nothing is said, and what would change that."""
    things, setting = {
        "phrases": ("offered phrases", "promotion.min_phrases"),
        "values": ("numbers and dates", "promotion.min_values"),
    }[rule]
    return (
        f"{testset} has {number} {things}{_of(subject)} that count for both models, and {setting} "
        f"asks for {enough}; a larger test set, or a smaller {setting}, would tell"
    )


def _percent(share: Share) -> float | None:
    return 100 * share[0] / share[1] if share[1] else None


def _shown(percent: float | None) -> str:
    return "nothing" if percent is None else f"{percent:.1f} %"


def _verdict(
    shares: tuple[float | None, float | None], number: int, limit: float, enough: int
) -> Verdict:
    before, now = shares
    if before is None or now is None or number < enough:
        return "not judged"
    return "failed" if before - now > limit + 1e-9 else "passed"


def judge_licences(
    found: LicenceVerdict, accepted: Sequence[str], refused: Sequence[str]
) -> Iterator[Finding]:
    """Say whether the licences of a model's sources allow that it is used.

    Args:
        found: what its licences ask for together.
        accepted: unknown licences that somebody found fit.
        refused: conditions that no model in production may have.
    """
    problems = [(name, text) for name, text in _licence_problems(found, accepted, refused)]
    for subject, text in problems:
        yield Finding(rule="licences", subject=subject, verdict="failed", detail=text)
    if not problems:
        asked = ", ".join(found.conditions) or "nothing"
        yield Finding(
            rule="licences",
            subject=ALL,
            verdict="passed",
            detail=f"the licences go together and ask for {asked}",
        )


def _licence_problems(
    found: LicenceVerdict, accepted: Sequence[str], refused: Sequence[str]
) -> Iterator[tuple[str, str]]:
    for conflict in found.conflicts:
        yield conflict, conflict
    for name in found.unknown:
        if name not in accepted:
            yield (
                name,
                f"nothing is known of the licence {name!r}; read it, and name it in "
                "promotion.accept_licences if it is fit",
            )
    for condition in found.conditions:
        if condition in refused:
            yield (
                condition,
                f"its sources ask for {condition}, which promotion.refuse_conditions bars",
            )


def judge_held_out(proofs: Mapping[str, str]) -> Iterator[Finding]:
    """Say of each test set whether it is proven that the candidate never learned from it.

    Args:
        proofs: by test set what is missing from the proof; empty where nothing is.
    """
    if not proofs:
        yield Finding(
            rule="held out",
            subject="test sets",
            verdict="failed",
            detail='no test set is named with the role "test", so nothing can be said; add a '
            "[[testset]]",
        )
    for testset, missing in proofs.items():
        proven = "every shard that it learned from was searched for the sentences of"
        yield Finding(
            rule="held out",
            testset=testset,
            subject="training text",
            verdict="failed" if missing else "passed",
            detail=missing or f"{proven} {testset}, and what stood there was left out",
        )


def judge_marks(reasons: Iterable[str], *, is_rejected: bool) -> Iterator[Finding]:
    """Say whether people took the model, or what it was made of, back.

    Args:
        reasons: why text that it was trained on was withdrawn.
        is_rejected: whether it was in production and was rolled back from.
    """
    for number, reason in enumerate(reasons, start=1):
        yield Finding(
            rule="withdrawn text",
            subject=f"withdrawal {number}",
            verdict="failed",
            detail=f"it was trained on text that was withdrawn since ({reason})",
        )
    if is_rejected:
        yield Finding(
            rule="rolled back",
            subject="model",
            verdict="failed",
            detail="it was in production before and was taken back; a person has to promote it "
            "again",
        )
