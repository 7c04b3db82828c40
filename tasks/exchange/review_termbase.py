"""The termbase in which a terminologist decides: TBX, one concept a source phrase.

Every candidate translation is an admitted term; `tasks/readers/review_termbase.py` reads what a
person made of it.
"""

from collections.abc import Mapping, Sequence
from typing import Any
from xml.sax.saxutils import quoteattr

from tasks.exchange.termbase import document, subject_field, term_section

TITLE = (
    "Phrases that wait for a decision. Make the right English term preferred and wrong ones "
    "deprecated; admitted terms are left undecided. A note is taken as the reason."
)


def termbase_text(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return a TBX document with the candidates of each source in one concept.

    Args:
        rows: candidates with the columns of a review sheet; a source stands where its first row
            does.
    """
    candidates: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        candidates.setdefault(str(row["source"]), []).append(row)
    concepts = (_concept(source, found) for source, found in candidates.items())
    return "".join(f"{line}\n" for line in document(concepts, title=TITLE))


def _concept(source: str, candidates: Sequence[Mapping[str, Any]]) -> str:
    first = candidates[0]
    targets = "".join(
        term_section(str(row["target"]), "admitted", source=_standing(row)) for row in candidates
    )
    return (
        f"<conceptEntry id={quoteattr('c' + str(first['phrase_id']))}>"
        f"{subject_field(first['category'])}"
        f'<langSec xml:lang="zh">{term_section(source, "admitted")}</langSec>'
        f'<langSec xml:lang="en">{targets}</langSec></conceptEntry>'
    )


def _standing(row: Mapping[str, Any]) -> str:
    """Say in a line what speaks for a candidate."""
    weighed = ""
    if row.get("significance", "") != "":
        weighed = (
            f"lexical weights {row['lexical_weight']:.3g} and "
            f"{row['inverse_lexical_weight']:.3g}, significance {row['significance']:.1f}, "
        )
    return (
        f"{row['origin']} {row['provider']}, {row['state']}, reliability {row['reliability']:.3f}, "
        f"{weighed}"
        f"stands {row['occurrences']} times in the training text and in {row['sentences']} "
        "dev and test sentences"
    )
