"""The lineage of a workspace as one HTML page to click through: no server, no network.

In the middle stands one thing, on the left what it was made of, on the right what was made of it.
"""

import html
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from storage.moments import shown
from tasks.reports.page import embedded_json, page


@dataclass(frozen=True, slots=True)
class ShownNode:
    """One thing of the graph."""

    node_id: str
    kind: str
    title: str
    time: str
    facts: Sequence[tuple[str, str]]
    """Names and values that are shown of it."""
    above: Sequence[str]
    """Ids of what it was made of."""


_CONTROLS = """
<form id="controls" role="search" onsubmit="return false">
<label>Search <input id="query" type="search" autocomplete="off"
  placeholder="laws, train, 3fa9c2"></label>
<label>Kind <select id="kind"><option value="">all</option></select></label>
</form>
<p id="count" class="note" role="status"></p>
<ul id="found"></ul>
<p><button id="more" type="button" hidden>Show more</button></p>
<noscript><p>This page needs JavaScript to walk through the graph that it holds.</p></noscript>
"""
_PLACE = """
<div id="walk"><section aria-labelledby="above-title"><h3 id="above-title">Made of</h3>
<ul id="above"></ul></section>
<section id="here" aria-live="polite"></section>
<section aria-labelledby="below-title"><h3 id="below-title">Used for</h3>
<ul id="below"></ul></section></div>
"""
_STYLE = """
<style>
#controls { display: flex; flex-wrap: wrap; gap: .6rem 1rem; align-items: end; }
#controls label { display: flex; flex-direction: column; font-size: .85rem; color: var(--soft); }
#controls input, #controls select, button { font: inherit; padding: .3rem .5rem; }
#found, #above, #below { list-style: none; padding: 0; margin: .5rem 0; }
#found li, #above li, #below li { margin: .15rem 0; }
#walk { display: grid; grid-template-columns: 1fr 1.3fr 1fr; gap: 1.5rem; align-items: start; }
#walk h3 { margin: 0 0 .5rem; font-size: 1rem; }
#here { border: 1px solid var(--line); border-radius: .4rem; padding: .8rem 1rem; }
#here dl { margin: .6rem 0 0; }
#here dd { overflow-wrap: anywhere; }
.go { font: inherit; text-align: left; background: none; border: 0; padding: .1rem 0;
  color: inherit; text-decoration: underline; cursor: pointer; overflow-wrap: anywhere; }
.kind { color: var(--soft); font-size: .8rem; margin-left: .5rem; }
@media (max-width: 46rem) { #walk { grid-template-columns: 1fr; } }
</style>
"""
_SCRIPT = """
<script>
"use strict";
(function () {
  const nodes = JSON.parse(document.getElementById("lineage-data").textContent);
  const at = (id) => document.getElementById(id);
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const STEP = 20;
  let shown = STEP, found = [];
  for (const node of nodes) {
    node.below = [];
    node.above = node.above.filter((id) => byId.has(id));
  }
  for (const node of nodes) for (const id of node.above) byId.get(id).below.push(node.id);
  for (const kind of [...new Set(nodes.map((node) => node.kind))].sort()) {
    const option = document.createElement("option");
    option.value = option.textContent = kind;
    at("kind").append(option);
  }
  function make(tag, text, kind) {
    const element = document.createElement(tag);
    if (text !== undefined) element.textContent = text;
    if (kind) element.className = kind;
    return element;
  }
  function link(node) {
    const item = make("li"), button = make("button", node.title, "go");
    button.type = "button";
    button.addEventListener("click", () => go(node.id));
    item.append(button, make("span", node.kind, "kind"));
    return item;
  }
  function links(ids) {
    return ids.length ? ids.map((id) => link(byId.get(id))) : [make("li", "nothing", "note")];
  }
  function go(id) {
    const node = byId.get(id), facts = make("dl");
    for (const [name, value] of [["id", node.id], ["recorded", node.time], ...node.facts]) {
      if (value) facts.append(make("dt", name), make("dd", value));
    }
    at("here").replaceChildren(make("h3", node.title), make("span", node.kind, "note"), facts);
    at("above").replaceChildren(...links(node.above));
    at("below").replaceChildren(...links(node.below));
    try { history.replaceState(null, "", "#" + encodeURIComponent(id)); } catch (error) { return; }
  }
  function draw() {
    at("found").replaceChildren(...found.slice(0, shown).map(link));
    at("more").hidden = found.length <= shown;
    at("count").textContent = found.length.toLocaleString("en") + " of " +
      nodes.length.toLocaleString("en") + " things";
  }
  function search() {
    const words = at("query").value.toLowerCase().split(/\\s+/).filter(Boolean);
    const kind = at("kind").value;
    found = nodes.filter((node) => (!kind || node.kind === kind) &&
      words.every((word) => (node.title + " " + node.id).toLowerCase().includes(word)));
    shown = STEP;
    draw();
  }
  at("query").addEventListener("input", search);
  at("kind").addEventListener("input", search);
  at("more").addEventListener("click", () => { shown += STEP; draw(); });
  search();
  const asked = decodeURIComponent(location.hash.slice(1));
  const model = nodes.filter((node) => node.id.startsWith("model/")).pop();
  const first = byId.get(asked) || model || nodes[nodes.length - 1];
  if (first) go(first.id);
})();
</script>
"""


def lineage_page(nodes: Iterable[ShownNode], *, title: str, ledger: str) -> str:
    """Return the page as HTML text.

    Args:
        nodes: the graph, in the order of the records.
        title: what it is about.
        ledger: digest of the ledger that it was drawn from.
    """
    data = [
        {
            "id": node.node_id,
            "kind": node.kind,
            "title": node.title,
            "time": shown(node.time),
            "facts": node.facts,
            "above": node.above,
        }
        for node in nodes
    ]
    note = f'<p class="note">Drawn from the ledger {html.escape(ledger)}.</p>'
    embedded = (
        f'<script id="lineage-data" type="application/json">{embedded_json(data)}</script>{_SCRIPT}'
    )
    return page(title, [("Walk", f"{_STYLE}{note}{_PLACE}"), ("Find", f"{_CONTROLS}{embedded}")])
