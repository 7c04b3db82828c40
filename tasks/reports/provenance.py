"""Which artifact each figure of a page was read from, and which record of the ledger made it."""

import html
from collections.abc import Sequence
from dataclasses import dataclass

SHOWN_DIGITS = 12


@dataclass(frozen=True, slots=True)
class Source:
    """An artifact that a page was made from."""

    kind: str
    digest: str
    record: int | None
    """Number of the first record of the ledger whose output it is; None if there is no record."""
    label: str = ""
    """The call that made it, such as `score news rnnsearch`."""
    key: str = ""
    """Cache key of that call: code, settings, inputs and versions."""

    @property
    def anchor(self) -> str:
        """Return the name of its row in the list of all artifacts."""
        return f"artifact-{self.kind}-{self.digest[:SHOWN_DIGITS]}"

    @property
    def made_by(self) -> str:
        """Say in words which record made it."""
        if self.record is None:
            return "no record in the ledger"
        return f"ledger record {self.record}, {self.label}"


def source_note(sources: Sequence[Source]) -> str:
    """Return the folded list below a table or plot of what it was read from; HTML."""
    if not sources:
        return ""
    items = "".join(
        f'<li><a href="#{html.escape(source.anchor)}"><code>{html.escape(source.kind)} '
        f"{source.digest[:SHOWN_DIGITS]}</code></a>, {html.escape(source.made_by)}</li>"
        for source in sources
    )
    number = f"{len(sources)} artifacts" if len(sources) > 1 else "1 artifact"
    return f'<details class="from"><summary>Read from {number}</summary><ul>{items}</ul></details>'


def source_table(sources: Sequence[Source]) -> str:
    """Return the table of all artifacts, which the notes lead to; HTML."""
    rows = "".join(
        f'<tr id="{html.escape(source.anchor)}"><th scope="row">{html.escape(source.kind)}</th>'
        f"<td><code>{html.escape(source.digest)}</code></td>"
        f'<td class="number">{"" if source.record is None else source.record}</td>'
        f"<td>{html.escape(source.label or 'no record')}</td>"
        f"<td><code>{html.escape(source.key)}</code></td></tr>"
        for source in dict.fromkeys(sources)
    )
    head = "".join(
        f'<th scope="col"{extra}>{name}</th>'
        for name, extra in (
            ("kind", ""),
            ("content digest", ""),
            ("ledger record", ' class="number"'),
            ("made by", ""),
            ("key of the call", ""),
        )
    )
    return (
        '<div class="scroll" tabindex="0" role="region" aria-label="Artifacts"><table><caption>'
        f"Artifacts</caption><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
    )
