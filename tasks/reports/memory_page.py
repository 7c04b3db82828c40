"""The phrase memory as one HTML page to search in: no server, no network, no other file.

The phrases are embedded as JSON and shown by a small script, a hundred at a time; what a text says
is only ever put into the page as text.
"""

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tasks.reports.evidence_text import evidence_text, lexical_text
from tasks.reports.page import embedded_json, page


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence pair that holds both sides of a phrase."""

    pair_id: str
    where: str
    source: tuple[str, str, str]
    """Words before the phrase, of it and after it."""
    target: tuple[str, str, str]
    linked: bool = False
    """Whether the aligner linked the two; else they only stand opposite each other."""


@dataclass(frozen=True, slots=True)
class ShownPhrase:
    """One row of the table of phrases, with its evidence and examples."""

    row: Mapping[str, Any]
    evidence: Sequence[Mapping[str, Any]]
    examples: Sequence[Example]
    lexical: Mapping[str, Any] | None = None
    """`tasks.lexical_scores.LexicalScores` of a mined phrase."""


@dataclass(frozen=True, slots=True)
class MemoryData:
    """All that the page shows."""

    title: str
    snapshot_id: str
    total: int
    """Phrases of the snapshot, shown or not."""
    phrases: Sequence[ShownPhrase]


_CONTROLS = """
<form id="controls" role="search" onsubmit="return false">
<label>Search
<input id="query" type="search" autocomplete="off" placeholder="中文 or English"></label>
<label>Category <select id="category"><option value="">all</option></select></label>
<label>Origin <select id="origin"><option value="">all</option></select></label>
<label>State <select id="state"><option value="">all</option></select></label>
</form>
<p id="count" class="note" role="status"></p>
<div id="list"></div>
<p><button id="more" type="button" hidden>Show more</button></p>
<noscript><p>This page needs JavaScript to search in the phrases that it holds.</p></noscript>
"""
_STYLE = """
<style>
#controls { display: flex; flex-wrap: wrap; gap: .6rem 1rem; align-items: end; }
#controls label { display: flex; flex-direction: column; font-size: .85rem; color: var(--soft); }
#controls input, #controls select, button { font: inherit; padding: .3rem .5rem; }
#list details { border-bottom: 1px solid var(--line); padding: .45rem 0; }
#list summary { cursor: pointer; }
#list .source { font-size: 1.1em; margin-right: .8rem; }
#list .kind { color: var(--soft); font-size: .85rem; margin-left: .8rem; }
#list .conflict { font-weight: bold; }
#list ul { margin: .4rem 0; } #list .pair { margin: .5rem 0 .5rem 1.2rem; }
</style>
"""
_SCRIPT = """
<script>
"use strict";
(function () {
  const phrases = JSON.parse(document.getElementById("phrase-data").textContent);
  const at = (id) => document.getElementById(id);
  const STEP = 100;
  let shown = STEP, found = [];
  for (const name of ["category", "origin", "state"]) {
    for (const value of [...new Set(phrases.map((p) => p[name]))].sort()) {
      const option = document.createElement("option");
      option.value = option.textContent = value;
      at(name).append(option);
    }
  }
  function make(tag, text, kind) {
    const element = document.createElement(tag);
    if (text !== undefined) element.textContent = text;
    if (kind) element.className = kind;
    return element;
  }
  function sentence(parts, language) {
    const line = make("div");
    line.lang = language;
    line.append(parts[0] + " ", make("mark", parts[1]), " " + parts[2]);
    return line;
  }
  function detail(phrase) {
    const box = document.createDocumentFragment();
    box.append(make("div", "id " + phrase.id + (phrase.note ? " · " + phrase.note : ""), "note"));
    const list = make("ul");
    for (const line of phrase.evidence) list.append(make("li", line));
    box.append(list);
    for (const example of phrase.examples) {
      const pair = make("div", undefined, "pair");
      pair.append(sentence(example.source, "zh"), sentence(example.target, "en"),
        make("div", example.where, "note"));
      box.append(pair);
    }
    return box;
  }
  function entry(phrase) {
    const box = make("details"), line = make("summary");
    const source = make("span", phrase.source, "source"), target = make("span", phrase.target);
    source.lang = "zh"; target.lang = "en";
    const kind = [phrase.category, phrase.origin, phrase.state];
    if (phrase.reliability !== null) kind.push(phrase.reliability.toFixed(2));
    line.append(source, target,
      make("span", kind.join(", "), phrase.state === "conflict" ? "kind conflict" : "kind"));
    box.append(line);
    box.addEventListener("toggle", () => {
      if (box.open && box.childElementCount === 1) box.append(detail(phrase));
    });
    return box;
  }
  function draw() {
    at("list").replaceChildren(...found.slice(0, shown).map(entry));
    at("more").hidden = found.length <= shown;
    at("count").textContent = found.length.toLocaleString("en") + " of " +
      phrases.length.toLocaleString("en") + " phrases";
  }
  function search() {
    const words = at("query").value.toLowerCase().split(/\\s+/).filter(Boolean);
    const wanted = ["category", "origin", "state"].map((name) => [name, at(name).value]);
    found = phrases.filter((phrase) =>
      wanted.every(([name, value]) => !value || phrase[name] === value) &&
      words.every((word) => phrase.text.includes(word)));
    shown = STEP;
    draw();
  }
  for (const phrase of phrases) phrase.text = (phrase.source + " " + phrase.target).toLowerCase();
  for (const id of ["query", "category", "origin", "state"]) {
    at(id).addEventListener("input", search);
  }
  at("more").addEventListener("click", () => { shown += STEP; draw(); });
  search();
})();
</script>
"""


def memory_page(data: MemoryData) -> str:
    """Return the page as HTML text."""
    left_out = data.total - len(data.phrases)
    note = f"Snapshot {data.snapshot_id}, {data.total:,} phrases. "
    if left_out:
        note += f"{left_out:,} are not on this page; raise -n to see them. "
    note += "Conflicts come first; then what stands in most sentences."
    rows = [_as_json(phrase) for phrase in data.phrases]
    body = (
        f'<p class="note">{html.escape(note)}</p>{_STYLE}{_CONTROLS}'
        f'<script id="phrase-data" type="application/json">{embedded_json(rows)}</script>{_SCRIPT}'
    )
    return page(data.title, [("Phrases", body)])


def _as_json(phrase: ShownPhrase) -> dict[str, Any]:
    row = phrase.row
    return {
        "id": row["phrase_id"],
        **{name: row[name] for name in ("source", "target", "category", "origin", "state", "note")},
        "reliability": row["reliability"] if row["occurrences"] else None,
        "evidence": [
            *map(evidence_text, phrase.evidence),
            *([lexical_text(phrase.lexical)] if phrase.lexical else []),
        ],
        "examples": [
            {
                "where": example.where if example.linked else f"{example.where} (not linked)",
                "source": example.source,
                "target": example.target,
            }
            for example in phrase.examples
        ],
    }
