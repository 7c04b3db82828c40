"""What a withdrawal takes out, in words: the target, the plan before and the receipt after."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from storage.moments import shown
from tasks.lineage import tombstones
from tasks.lineage.tombstones import Key

Kind = Literal["corpus", "document", "line", "dictionary", "entry", "phrase"]


@dataclass(frozen=True, slots=True)
class Target:
    """What is to be withdrawn."""

    kind: Kind
    name: str
    """What a person calls it; names a line by its file and number, never by its text."""
    provider: str = ""
    """The corpus or dictionary."""
    document: str = ""
    texts: tuple[tuple[str, str], ...] = ()
    """Both sides of a line; of each entry of a dictionary's line."""
    phrase_ids: tuple[str, ...] = ()

    @property
    def keys(self) -> list[Key]:
        """Return what names the target itself in the list of tombstones."""
        match self.kind:
            case "corpus":
                return [tombstones.corpus_key(self.provider)]
            case "document":
                return [tombstones.document_key(self.provider, self.document)]
            case "line":
                place = self.provider, self.document
                return [tombstones.line_key(*place, *texts) for texts in self.texts]
            case "dictionary":
                return [tombstones.dictionary_key(self.provider)]
            case "entry":
                return [tombstones.entry_key(self.provider, *texts) for texts in self.texts]
            case "phrase":
                return [tombstones.phrase_key(identity) for identity in self.phrase_ids]

    @property
    def of_corpus(self) -> bool:
        """Say whether it consists of pairs."""
        return self.kind in ("corpus", "document", "line")

    @property
    def of_dictionary(self) -> bool:
        """Say whether it consists of entries."""
        return self.kind in ("dictionary", "entry")

    def holds_pair(self, row: Mapping[str, Any]) -> bool:
        """Say whether a row of `raw_pairs` belongs to it."""
        return (
            self.of_corpus
            and row["corpus"] == self.provider
            and (self.kind == "corpus" or row["document"] == self.document)
            and (self.kind != "line" or self._same_texts(row))
        )

    def holds_entry(self, row: Mapping[str, Any]) -> bool:
        """Say whether a row of `entries` belongs to it."""
        return (
            self.of_dictionary
            and row["dictionary"] == self.provider
            and (self.kind == "dictionary" or self._same_texts(row))
        )

    def _same_texts(self, row: Mapping[str, Any]) -> bool:
        return _sides(row["source"], row["target"]) in {_sides(*texts) for texts in self.texts}


def _sides(source: str, target: str) -> tuple[str, str]:
    return tombstones.text_key(source), tombstones.text_key(target)


@dataclass(frozen=True, slots=True)
class WithdrawalPlan:
    """What a withdrawal would do; counts of what may turn out unchanged are upper bounds."""

    target: Target
    rows: int
    """Pairs or entries of the sources as they were last read."""
    earlier_rows: int
    """Further ones in tables of earlier runs."""
    sentences: int
    """Sides of six words or more that no remaining source holds: they may not come back."""
    boilerplate: int
    """Sides of six words or more that stay, since a remaining source holds them too."""
    steps: Mapping[str, int] = field(default_factory=dict)
    """Calls of a refresh that rest on it, by step."""
    artifacts: Mapping[str, int] = field(default_factory=dict)
    """What was made of it and would be purged unless it is made again just so, by kind."""
    phrases: int = 0
    """Phrases for which nothing else speaks."""
    decisions: int = 0
    """Reviewers' decisions that speak of such phrases or quote the text."""
    ratings: int = 0
    """Ratings that lose a comment that quotes the text."""
    asked: int = 0
    """Translations that users asked for and that hold the text or were offered such a phrase."""
    models: tuple[Mapping[str, Any], ...] = ()
    translations: int = 0
    reports: int = 0
    exports: tuple[str, ...] = ()
    """Files outside of the workspace that hold some of it."""


def plan_lines(plan: WithdrawalPlan) -> Iterator[str]:
    """Yield a plan as text."""
    target = plan.target
    yield f"Withdraw the {target.kind} {target.name}:"
    if target.kind == "phrase":
        yield f"  phrases withdrawn for ever: {len(target.phrase_ids):,}"
    else:
        unit = "pairs" if target.of_corpus else "entries"
        yield f"  {unit} taken out: {plan.rows:,} now, {plan.earlier_rows:,} of earlier runs"
        yield (
            f"  sentences of {tombstones.MIN_SENTENCE_WORDS} words or more that may not come back: "
            f"{plan.sentences:,}; shared with other sources and staying: {plan.boilerplate:,}"
        )
        yield f"  phrases that rest on it alone: {plan.phrases:,}"
        yield (
            f"  reviewers' decisions taken out: {plan.decisions:,}; ratings that lose a comment: "
            f"{plan.ratings:,}; recorded translations taken out: {plan.asked:,}"
        )
    yield f"  rebuilt at most: {_counted(plan.steps)}"
    if target.kind != "phrase":
        yield f"  purged unless made again just so: {_counted(plan.artifacts)}"
    yield f"  translations that rest on it: {plan.translations:,}; reports: {plan.reports:,}"
    for model in plan.models:
        yield f"  model {model['model'][:12]} {model['system']} was trained on it and is marked"
    yield "  Weights cannot be cleaned. Backups and copies of the workspace are not reached."
    if plan.exports:
        yield "  These files were exported and hold some of it. They are not ours to delete:"
        yield from (f"    {path}" for path in plan.exports)


def _counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in sorted(counts.items())) or "nothing"


@dataclass(frozen=True, slots=True)
class Receipt:
    """What was removed, and what a search for it found afterwards."""

    withdrawn: str
    kind: Kind
    reason: str
    author: str
    time: str
    record: int
    """Of the ledger: the decision."""
    rows: int
    phrases: tuple[str, ...]
    """Ids of the phrases that the memory no longer knows."""
    removed: tuple[Mapping[str, Any], ...]
    """References of artifacts; digests, no text."""
    files: tuple[str, ...]
    """Other files, relative to the workspace."""
    models_marked: tuple[str, ...]
    models_removed: tuple[str, ...]
    models_demoted: tuple[str, ...]
    """Models that were in production and are not any more."""
    exports: tuple[str, ...]
    """Files outside of the workspace that hold some of it; they were left as they are."""
    rebuilt: Mapping[str, int]
    """Calls of steps computed and reused."""
    ids_searched: int
    texts_searched: int
    files_searched: int
    found: tuple[str, ...]
    """Files that still hold it: none, if all went well."""
    objects_searched: int = 0
    """Objects in the workspace's bucket that its index does not name."""
    objects_removed: int = 0
    """Those of them that held some of it; they are gone."""

    @property
    def is_clean(self) -> bool:
        """Say whether the search found nothing."""
        return not self.found


def receipt_text(receipt: Receipt) -> str:
    """Return a receipt as Markdown."""
    parts = (_what_was_done(receipt), _what_was_searched(receipt), _what_was_removed(receipt))
    return "\n".join(line for part in parts for line in part) + "\n"


def _what_was_done(receipt: Receipt) -> Iterator[str]:
    computed, reused = receipt.rebuilt["computed"], receipt.rebuilt["reused"]
    yield f"# Receipt: {receipt.kind} {receipt.withdrawn} was withdrawn"
    yield ""
    yield f"- When, by whom, why: {shown(receipt.time)}, {receipt.author}: {receipt.reason}"
    yield f"- Record of the ledger: {receipt.record}"
    yield f"- Rows taken out: {receipt.rows:,}"
    yield f"- Phrases that the memory no longer knows: {len(receipt.phrases):,}"
    yield f"- Rebuilt: {computed:,} steps computed, {reused:,} reused"
    yield f"- Removed: {len(receipt.removed):,} artifacts, {len(receipt.files):,} other files"
    yield f"- Models marked: {_listed(receipt.models_marked)}"
    yield f"- Models removed: {_listed(receipt.models_removed)}"
    yield f"- Models that lost production: {_listed(receipt.models_demoted)}"
    yield ""


def _what_was_searched(receipt: Receipt) -> Iterator[str]:
    yield "## Search"
    yield ""
    yield (
        f"{receipt.files_searched:,} files were searched (Parquet decoded) for "
        f"{receipt.ids_searched:,} ids and {receipt.texts_searched:,} texts, without regard to "
        "width, case, blanks and punctuation."
    )
    if receipt.objects_searched:
        yield (
            f"So were {receipt.objects_searched:,} objects in the bucket that the workspace's "
            f"index does not name; {receipt.objects_removed:,} held some of it and are gone."
        )
    if receipt.is_clean:
        yield "**None of them holds any of these.**"
    else:
        yield f"**Still found in {len(receipt.found):,} files:**"
        yield from (f"- `{path}`" for path in receipt.found)
    yield ""
    yield "## Not promised"
    yield ""
    yield "- The weights and the word lists of models that were kept cannot be cleaned."
    yield "- Backups, exports and anything else that left the workspace are not reached."
    if receipt.objects_searched:
        yield "- Neither are earlier versions of objects, where a bucket keeps them."
    yield from (
        f"- This file was exported and holds some of it: `{path}`" for path in receipt.exports
    )
    yield "- Sentences of fewer than six words, and those that a remaining source holds, may stay."
    yield ""


def _what_was_removed(receipt: Receipt) -> Iterator[str]:
    yield "## Removed artifacts"
    yield ""
    for item in receipt.removed:
        yield f"- {item['kind']} `{item['digest']}`, {item['rows']:,} rows or files"
    yield from (f"- file `{path}`" for path in receipt.files)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name[:12]}`" for name in names) or "none"
