"""The page to rate in: one HTML file, no server, no network. It does not know whose translations it
shows.

Answers are kept in the browser as they are made, where it allows that, and are saved to a file that
`phrasenet ratings import` reads.
"""

import html
from collections.abc import Sequence

from tasks.rating.worksheet import QUESTIONS, Item
from tasks.reports.page import embedded_json, page

_INTRODUCTION = """
<p>Read the source, then both translations. For each of the two questions choose A, B, or equal. The
sides are mixed: A is now one system and now the other. There is no right answer; go by your first
careful reading, and leave open what you cannot judge.</p>
"""
_CONTROLS = """
<form id="controls" onsubmit="return false">
<label>Your name <input id="rater" autocomplete="name" required></label>
<button id="save" type="button">Save ratings to a file</button>
<button id="next" type="button">Next open sentence</button>
<label class="file">Go on with a saved file <input id="load" type="file" accept=".json"></label>
</form>
<p id="progress" role="status"></p>
<div id="list"></div>
<noscript><p>This page needs JavaScript.</p></noscript>
"""
_STYLE = """
<style>
#controls { display: flex; flex-wrap: wrap; gap: .6rem 1rem; align-items: end; position: sticky;
  top: 0; background: var(--back); padding: .6rem 0; border-bottom: 1px solid var(--line); }
#controls label { display: flex; flex-direction: column; font-size: .85rem; color: var(--soft); }
#controls input, #controls button { font: inherit; padding: .3rem .5rem; max-width: 14rem; }
#list article { padding: 1rem 0; scroll-margin-top: 7rem; }
#list article.done h3::after { content: " \\2713"; }
#list h3 { margin: 0 0 .4rem; font-size: 1rem; }
#list .source { font-size: 1.15em; margin: 0 0 .5rem; overflow-wrap: anywhere; }
#list .text { margin: .25rem 0; padding-left: 1.8rem; text-indent: -1.8rem;
  overflow-wrap: anywhere; }
#list .text b { display: inline-block; width: 1.8rem; text-indent: 0; }
#list .reference { color: var(--soft); font-size: .9rem; margin: .25rem 0 0; }
#list fieldset { border: 0; padding: 0; margin: .6rem 0 0; }
#list legend { padding: 0; font-size: .9rem; }
#list fieldset label { display: inline-block; padding: .3rem 1rem .3rem 0; }
#list .comment { width: 100%; max-width: 40rem; box-sizing: border-box; font: inherit;
  padding: .3rem .5rem; margin-top: .5rem; }
@media (max-width: 38rem) { #controls { position: static; }
  #list article { scroll-margin-top: 0; } }
</style>
"""
_SCRIPT = """
<script>
"use strict";
(function () {
  const sheet = JSON.parse(document.getElementById("worksheet").textContent);
  const at = (id) => document.getElementById(id);
  const STORE = "phrasenet-ratings-" + sheet.worksheet;
  const CHOICES = [["A", "A is better"], ["=", "equal"], ["B", "B is better"]];
  const NAMES = Object.keys(sheet.questions);
  let answers = {}, rater = "";
  function make(tag, text, kind) {
    const element = document.createElement(tag);
    if (text !== undefined) element.textContent = text;
    if (kind) element.className = kind;
    return element;
  }
  function of(number) { return answers[number] || (answers[number] = {}); }
  function isDone(number) { return NAMES.every((name) => (answers[number] || {})[name]); }
  function keep() {
    try { localStorage.setItem(STORE, JSON.stringify({ rater, answers })); } catch (error) {
      return;
    }
  }
  function count() {
    const done = sheet.items.filter((item) => isDone(item.number)).length;
    at("progress").textContent = done + " of " + sheet.items.length + " sentences rated";
    for (const item of sheet.items) {
      at("item-" + item.number).classList.toggle("done", isDone(item.number));
    }
  }
  function choices(item, name) {
    const box = make("fieldset");
    box.append(make("legend", sheet.questions[name]));
    for (const [value, text] of CHOICES) {
      const label = make("label"), input = make("input");
      input.type = "radio"; input.name = name + "-" + item.number; input.value = value;
      input.checked = of(item.number)[name] === value;
      input.addEventListener("change", () => { of(item.number)[name] = value; keep(); count(); });
      label.append(input, " " + text);
      box.append(label);
    }
    return box;
  }
  function line(name, text) {
    const box = make("p", undefined, "text");
    box.lang = "en";
    box.append(make("b", name), text || "(nothing)");
    return box;
  }
  function article(item) {
    const box = make("article"), source = make("p", item.source, "source");
    box.id = "item-" + item.number;
    source.lang = "zh";
    box.append(make("h3", "Sentence " + item.number), source, line("A", item.a),
      line("B", item.b));
    if (item.reference) box.append(make("p", "Reference: " + item.reference, "reference"));
    for (const name of NAMES) box.append(choices(item, name));
    const comment = make("input", undefined, "comment");
    comment.placeholder = "Comment, if you like";
    comment.setAttribute("aria-label", "Comment on sentence " + item.number);
    comment.value = of(item.number).comment || "";
    comment.addEventListener("input", () => { of(item.number).comment = comment.value; keep(); });
    box.append(comment);
    return box;
  }
  function draw() {
    at("rater").value = rater;
    at("list").replaceChildren(...sheet.items.map(article));
    count();
  }
  function result() {
    const ratings = sheet.items.map((item) => ({ number: item.number,
      ...Object.fromEntries(NAMES.map((name) => [name, of(item.number)[name] || ""])),
      comment: of(item.number).comment || "" }));
    return { worksheet: sheet.worksheet, rater, ratings };
  }
  function restore(saved) {
    rater = String(saved.rater || "");
    answers = {};
    for (const item of saved.ratings) answers[item.number] = { ...item };
  }
  at("rater").addEventListener("input", () => { rater = at("rater").value.trim(); keep(); });
  at("save").addEventListener("click", () => {
    if (!at("rater").reportValidity()) return;
    const link = make("a");
    const text = JSON.stringify(result(), null, 1);
    link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    const name = rater.replace(/[^\\p{L}\\p{N}]+/gu, "-");
    link.download = "ratings-" + sheet.worksheet.slice(0, 6) + "-" + name + ".json";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });
  at("next").addEventListener("click", () => {
    const open = sheet.items.find((item) => !isDone(item.number));
    if (open) at("item-" + open.number).scrollIntoView();
  });
  at("load").addEventListener("change", async () => {
    const file = at("load").files[0];
    if (!file) return;
    try {
      const saved = JSON.parse(await file.text());
      if (saved.worksheet !== sheet.worksheet) throw new Error("it is of another worksheet");
      restore(saved);
      keep();
      draw();
    } catch (error) {
      at("progress").textContent = file.name + " cannot be used: " + error.message;
    }
  });
  try {
    const kept = JSON.parse(localStorage.getItem(STORE) || "null");
    if (kept) { rater = kept.rater; answers = kept.answers; }
  } catch (error) { answers = {}; }
  draw();
})();
</script>
"""


def rating_page(items: Sequence[Item], worksheet: str) -> str:
    """Return the page as HTML text.

    Args:
        items: what is rated.
        worksheet: its name; tells which key belongs to what is returned.
    """
    data = {
        "worksheet": worksheet,
        "questions": QUESTIONS,
        "items": [
            {
                "number": item.number,
                "source": item.source,
                "a": item.first,
                "b": item.second,
                "reference": item.reference,
            }
            for item in items
        ],
    }
    note = f'<p class="note">Worksheet {html.escape(worksheet)}</p>'
    body = (
        f"{_STYLE}{_INTRODUCTION}{note}{_CONTROLS}"
        f'<script id="worksheet" type="application/json">{embedded_json(data)}</script>{_SCRIPT}'
    )
    return page("Which translation is better?", [("Sentences", body)])
