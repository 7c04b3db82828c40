"""Whom to name, and under which terms: all sources that models learned from, in Markdown."""

from collections.abc import Sequence

from storage.registry import SourceLicence
from tasks.reports.markdown import markdown_table, plain


def attribution(licences: Sequence[SourceLicence]) -> str:
    """Return the attribution of all sources as a file to be passed on with models and outputs."""
    return f"# Attribution\n\n{_ABOUT}\n\n{attribution_table(licences)}{_lines(licences)}"


_ABOUT = (
    "The models were trained on these sources, or were offered phrases from them. Pass this file "
    "on with the models. Where a licence asks for a line of attribution, the line is below the "
    "table."
)


def attribution_table(licences: Sequence[SourceLicence]) -> str:
    """Return the table of sources and licences in Markdown."""
    if not licences:
        return "No source is named.\n"
    rows = [[item.source, item.kind, item.licence, item.url] for item in _sorted(licences)]
    return markdown_table(["source", "kind", "licence", "where the licence is"], rows)


def _lines(licences: Sequence[SourceLicence]) -> str:
    lines = [
        f"- {plain(item.source)}: {plain(item.attribution)}\n"
        for item in _sorted(licences)
        if item.attribution
    ]
    return "\n## Lines of attribution\n\n" + "".join(lines) if lines else ""


def _sorted(licences: Sequence[SourceLicence]) -> list[SourceLicence]:
    return sorted(licences, key=lambda item: (item.kind, item.source))
