"""`phrasenet score`: BLEU, chrF and TER of anybody's output, with signatures."""

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from flows.commands.options import (
    add_command,
    add_json_option,
    add_scoring_options,
    emit,
    emit_json,
)
from flows.commands.scored_texts import FORMS_HELP, ScoredTexts, read_texts

if TYPE_CHECKING:
    from tasks.metrics.terminology import Terminology
    from tasks.metrics.values_kept import KeptCount

REGIONS = ("unknown", "mainland", "hongkong", "taiwan")


def add(commands: Any) -> None:
    """Add the command."""
    parser = add_command(
        commands,
        "score",
        "score translations against references",
        "phrasenet score output.en --ref test.en",
    )
    parser.add_argument(
        "hypotheses",
        metavar="HYPOTHESES",
        help=f"{FORMS_HELP}; FILE#SYSTEM for one of several systems; - for standard input",
    )
    add_scoring_options(parser)
    _add_metrics(parser)
    add_json_option(parser)
    parser.set_defaults(execute=_execute)


def _add_metrics(parser: argparse.ArgumentParser) -> None:
    """Add what says what is measured beside BLEU and chrF."""
    parser.add_argument("--ter", action="store_true", help="add TER, which takes longer")
    parser.add_argument(
        "--source",
        metavar="FILE",
        help="the Chinese of the same sentences: count which of its dates and numbers are kept",
    )
    parser.add_argument(
        "--region",
        choices=REGIONS,
        default="unknown",
        help="where the source comes from; in Taiwan, years may count from 1912 (unknown)",
    )
    parser.add_argument(
        "--terms",
        metavar="FILE",
        help="terms and their translations, two columns or JSON lines: success and consistency as "
        "in WMT's terminology tasks; needs --source",
    )
    parser.add_argument(
        "--term-match",
        choices=("substring", "words"),
        default="substring",
        help="find translations anywhere in the text, as the tasks do, or as whole words",
    )
    parser.add_argument(
        "--comet",
        metavar="CHECKPOINT",
        help="add COMET with this model file (.ckpt); needs --source, and comet-score on PATH",
    )


def _execute(options: argparse.Namespace) -> int:
    from tasks.metrics.terminology import term_scores
    from tasks.metrics.values_kept import values_kept
    from tasks.rules.style import RuleStyle

    _check(options)
    texts = read_texts([options.hypotheses], options.references, options.source)
    metrics = list(_of_whole_texts(options, texts))
    counts: list[KeptCount] = []
    ceiling: list[KeptCount] = []
    if options.source:
        counts, ceiling = _count(options, texts)
        metrics.append(_as_json(values_kept(counts, RuleStyle(region=options.region))))
    found = _terms(options, texts) if options.terms else {}
    for dictionary, scored in found.items():
        metrics += map(_as_json, term_scores(scored, dictionary, options.term_match))
    if options.comet:
        metrics.append(_as_json(_comet(options, texts)))
    if options.json:
        answer: dict[str, Any] = {"metrics": metrics, "sentences": len(texts.outputs[0])}
        answer |= {"values": _values(counts, ceiling)} if counts else {}
        answer |= {"terms": _term_counts(found)} if found else {}
        emit_json(answer)
        return 0
    for metric in metrics:
        _print(metric)
    for row, best in zip(counts, ceiling, strict=True):
        emit(f"  {row.kind or 'all':9}{_share(row):26}  by a reference{_share(best)}")
    return 0


def _of_whole_texts(options: argparse.Namespace, texts: ScoredTexts) -> Iterator[dict[str, Any]]:
    """Yield the metrics that need hypotheses and references only."""
    from tasks.metrics.bleu import corpus_bleu, corpus_chrf, corpus_ter

    hypotheses, references = texts.outputs[0], texts.references
    lowercase = not options.cased
    bleu = corpus_bleu(
        hypotheses,
        references,
        tokenize="none" if options.words else "13a",
        lowercase=lowercase,
    )
    today, _ = _apart("v13a", hypotheses, references, options)
    papers, papers_bleu = _apart("v11b", hypotheses, references, options)
    yield _as_json(bleu) | today
    yield _as_json(papers_bleu) | papers
    yield _as_json(corpus_chrf(hypotheses, references, lowercase=lowercase))
    if options.ter:
        yield _as_json(corpus_ter(hypotheses, references, lowercase=lowercase))


def _count(
    options: argparse.Namespace, texts: ScoredTexts
) -> "tuple[list[KeptCount], list[KeptCount]]":
    """Count the values that the hypotheses keep, and those that any reference keeps."""
    from tasks.metrics.values_kept import count_kept
    from tasks.rules.style import RuleStyle

    style = RuleStyle(region=options.region)
    counts = count_kept(texts.source, texts.outputs[0], style)
    joined = [" ".join(answers) for answers in zip(*texts.references, strict=True)]
    return counts, count_kept(texts.source, joined, style)


def _check(options: argparse.Namespace) -> None:
    """Refuse what needs the source without it."""
    from storage.errors import InputError

    for name in ("terms", "comet"):
        if getattr(options, name) and not options.source:
            raise InputError(f"--{name} needs the source text of the sentences. Add --source FILE.")


def _terms(options: argparse.Namespace, texts: ScoredTexts) -> "dict[str, Terminology]":
    """Score the terms of each dictionary of the file; they are those of the sentences in order."""
    from storage.errors import InputError
    from tasks.metrics.terminology import terminology
    from tasks.readers.term_lists import read_term_sets

    found = {
        dictionary: terminology(
            texts.source, texts.outputs[0], texts.references, terms, options.term_match
        )
        for dictionary, terms in read_term_sets(options.terms, len(texts.source)).items()
    }
    if not any(scored.scored for scored in found.values()):
        raise InputError(
            f"{options.terms}: no sentence has one of these terms in its source and a translation "
            "of it in its reference. Check that terms, source and references belong together."
        )
    return found


def _term_counts(found: "dict[str, Terminology]") -> dict[str, dict[str, Any]]:
    return {
        dictionary: {
            "sentences": scored.segments_with_terms,
            "scored": scored.scored,
            "success": scored.success,
            "repeated": scored.repeated,
            "consistency": dict(scored.consistency),
        }
        for dictionary, scored in found.items()
    }


def _comet(options: argparse.Namespace, texts: ScoredTexts) -> Any:
    from pathlib import Path

    from tasks.comet import comet_score

    checkpoint = Path(options.comet)
    return comet_score(texts.source, texts.outputs[0], texts.references, checkpoint)


def _values(counts: "list[KeptCount]", ceiling: "list[KeptCount]") -> list[dict[str, Any]]:
    return [
        {
            "kind": row.kind or "all",
            "source": row.source,
            "kept": row.kept,
            "kept_by_reference": best.kept,
        }
        for row, best in zip(counts, ceiling, strict=True)
    ]


def _as_json(score: Any) -> dict[str, Any]:
    return {"name": score.name, "value": score.value, "signature": score.signature}


def _apart(
    flavour: Any, hypotheses: list[str], references: list[list[str]], options: argparse.Namespace
) -> tuple[dict[str, Any], Any]:
    """Give what one script's BLEU is made of, and the score."""
    from tasks.metrics.mteval import count_corpus

    corpus = count_corpus(
        [hypotheses],
        references,
        flavour=flavour,
        lowercase=not options.cased,
        in_words=options.words,
    )
    apart = corpus.breakdown(0)
    parts = {
        "individual": list(apart.individual),
        "cumulative": list(apart.cumulative),
        "brevity_penalty": apart.brevity_penalty,
        "hypothesis_words": apart.hypothesis_words,
        "reference_words": apart.reference_words,
    }
    return parts, corpus.scores()[0]


def _print(metric: dict[str, Any]) -> None:
    emit(f"{metric['name']} = {metric['value']:z.2f} ({metric['signature']})")
    if "individual" in metric:
        for name in ("individual", "cumulative"):
            values = " ".join(f"{value:.2f}" for value in metric[name])
            emit(f"  {name} 1- to 4-grams: {values}")
        emit(
            f"  brevity penalty {metric['brevity_penalty']:.4f}, {metric['hypothesis_words']:,} "
            f"words against {metric['reference_words']:,}"
        )


def _share(row: "KeptCount") -> str:
    return f"{row.kept:8,} of {row.source:,} ({row.share:.1%})"
