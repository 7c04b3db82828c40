"""`phrasenet compare`: is one output better than another, or is it chance? Needs no workspace."""

import argparse
from typing import Any

from flows.commands.options import (
    add_command,
    add_json_option,
    add_scoring_options,
    count_up_to,
    emit,
    emit_json,
    zero_or_more,
)
from flows.commands.scored_texts import FORMS_HELP, read_texts

_MOST_TRIALS = 1_000_000


def add(commands: Any) -> None:
    """Add the command."""
    parser = add_command(
        commands,
        "compare",
        "test whether systems translate better than a baseline, or whether it is chance",
        "phrasenet compare baseline.en system.en --ref test.en",
    )
    parser.add_argument("baseline", metavar="BASELINE", help=f"the baseline's output: {FORMS_HELP}")
    parser.add_argument(
        "systems", metavar="SYSTEM", nargs="+", help="other outputs of the same sentences"
    )
    add_scoring_options(parser)
    parser.add_argument(
        "--bleu",
        choices=("v13a", "v11b"),
        default="v13a",
        help="v13a is sacreBLEU's (the default); v11b is the papers', by the shortest reference",
    )
    parser.add_argument(
        "--trials",
        type=count_up_to(_MOST_TRIALS),
        default=1000,
        help="bootstrap samples and exchanges (1000)",
    )
    parser.add_argument(
        "--seed", type=zero_or_more, default=1, help="of the random numbers; 0 or more (1)"
    )
    add_json_option(parser)
    parser.set_defaults(execute=_execute)


def _execute(options: argparse.Namespace) -> int:
    from tasks.metrics.mteval import bleu_of_sums, count_corpus
    from tasks.metrics.significance import compare

    files = [options.baseline, *options.systems]
    texts = read_texts(files, options.references)
    corpus = count_corpus(
        texts.outputs,
        texts.references,
        flavour=options.bleu,
        lowercase=not options.cased,
        in_words=options.words,
    )
    baseline, comparisons = compare(
        corpus.counts,
        lambda sums: bleu_of_sums(sums, options.bleu),
        trials=options.trials,
        seed=options.seed,
    )
    answer = _answer(files, baseline, comparisons) | {
        "metric": f"BLEU-{options.bleu}",
        "signature": f"{corpus.signature}|trials:{options.trials}|seed:{options.seed}",
        "sentences": corpus.counts.shape[1],
    }
    if options.json:
        emit_json(answer)
    else:
        _print(answer)
    return 0


def _answer(files: list[str], baseline: Any, comparisons: list[Any]) -> dict[str, Any]:
    """Give what was found as JSON; p-values are adjusted for the number of systems."""
    from tasks.metrics.significance import holm

    tests = ("sign", "bootstrap", "randomisation")
    adjusted = {name: holm([getattr(c, name).p_value for c in comparisons]) for name in tests}
    return {
        "baseline": {"name": files[0], "score": baseline.value, "interval": _ends(baseline)},
        "systems": [
            {
                "name": name,
                "score": found.score.value,
                "interval": _ends(found.score),
                "difference": found.difference.value,
                "difference_interval": _ends(found.difference),
                "wins": found.wins,
                "sign_test": {
                    "better": found.sign.better,
                    "worse": found.sign.worse,
                    "p": found.sign.p_value,
                    "p_adjusted": adjusted["sign"][index],
                },
                "paired_bootstrap": {
                    "p": found.bootstrap.p_value,
                    "p_adjusted": adjusted["bootstrap"][index],
                },
                "approximate_randomisation": {
                    "p": found.randomisation.p_value,
                    "p_adjusted": adjusted["randomisation"][index],
                },
            }
            for index, (name, found) in enumerate(zip(files[1:], comparisons, strict=True))
        ],
    }


def _ends(interval: Any) -> list[float]:
    return [interval.low, interval.high]


def _print(answer: dict[str, Any]) -> None:
    """Print a block for each system."""
    emit(f"{answer['metric']} ({answer['signature']}), {answer['sentences']:,} sentences")
    baseline = answer["baseline"]
    emit(f"{baseline['name']}: {baseline['score']:.2f} {_between(baseline['interval'])}, baseline")
    several = len(answer["systems"]) > 1
    for system in answer["systems"]:
        emit(
            f"{system['name']}: {system['score']:.2f} {_between(system['interval'])}, "
            f"{system['difference']:+z.2f} {_between(system['difference_interval'], '+z.2f')}"
        )
        sign = system["sign_test"]
        detail = f"{sign['better']:,} sentences better, {sign['worse']:,} worse"
        emit(f"  sign test                  {_p(sign, several)}  {detail}")
        bootstrap = system["paired_bootstrap"]
        won = f"higher in {system['wins']:.1%} of the samples"
        emit(f"  paired bootstrap           {_p(bootstrap, several)}  {won}")
        emit(f"  approximate randomisation  {_p(system['approximate_randomisation'], several)}")
    if several:
        emit("p in brackets: adjusted for the number of systems (Holm).")


def _between(ends: list[float], form: str = "z.2f") -> str:
    return f"[{ends[0]:{form}}, {ends[1]:{form}}]"


def _p(test: dict[str, float], several: bool) -> str:
    adjusted = f" ({_rounded(test['p_adjusted']).removeprefix('= ')})" if several else ""
    return f"p {_rounded(test['p'])}{adjusted}"


def _rounded(p_value: float) -> str:
    return "< 0.0001" if p_value < 0.0001 else f"= {p_value:.4f}"
