// Draws one sentence: its source with the offered phrases, the outputs, and what became of phrases.

const FATES = {
  produced: { sign: "✓", says: "produced: emitted whole, in phrase mode" },
  appeared: { sign: "≈", says: "appeared: its words are there, spelled word by word" },
  ignored: { sign: "✗", says: "ignored: its words are not in the output" },
};
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/u;

function make(tag, kind, ...content) {
  const element = document.createElement(tag);
  if (kind) element.className = kind;
  element.append(...content);
  return element;
}

// Text as text; signs that nobody sees, or that turn the line around, are shown by their number.
function textOf(text) {
  if (!HIDDEN.test(text)) return document.createTextNode(text);
  const box = document.createDocumentFragment();
  for (const sign of text) {
    const code = sign.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
    box.append(HIDDEN.test(sign) ? make("span", "hidden-sign", `U+${code}`) : sign);
  }
  return box;
}

function joined(words, separator) {
  const box = document.createDocumentFragment();
  words.forEach((word, index) => box.append(index ? separator : "", textOf(word)));
  return box;
}

// Several phrases may stand on the same words; the mark shows the best of what became of them.
function phraseMark(words, separator, slots, fate) {
  const fates = slots.map(fate);
  const best = Object.keys(FATES).find((name) => fates.includes(name)) || fates[0];
  const signOf = (name) => (FATES[name] ? FATES[name].sign : "");
  const signs = slots.map((slot, at) => `${slot + 1}${signOf(fates[at])}`);
  const mark = make("mark", `phrase ${best}`, joined(words, separator));
  mark.append(make("sup", "", signs.join(" ")));
  mark.title = slots.map((slot, at) => {
    return FATES[fates[at]] ? `Phrase ${slot + 1} ${FATES[fates[at]].says}` : `Phrase ${slot + 1}`;
  }).join("; ");
  return mark;
}

// Words with the spans of phrases marked. Of several that begin at one word the longest is marked,
// with the numbers of all phrases that stand on the same words.
function markedLine(words, spans, separator, fate) {
  const box = document.createDocumentFragment();
  for (let at = 0; at < words.length;) {
    const here = spans.filter((span) => span.start === at);
    const end = Math.max(at + 1, ...here.map((span) => span.end));
    const slots = here.filter((span) => span.end === end).map((span) => span.slot);
    const part = words.slice(at, end);
    if (at) box.append(separator);
    box.append(slots.length ? phraseMark(part, separator, slots, fate) : textOf(part[0]));
    at = end;
  }
  return box;
}

function emptyLine(words, line) {
  return words.length ? line : make("span", "note", "(nothing)");
}

function sourceLine(sentence, output) {
  const fate = (slot) => (output && output.uses.length ? fateOf(output.uses[slot]) : "offered");
  const spans = sentence.slots.map((slot) => ({ ...slot, slot: slot.number }));
  const line = make("bdi", "source", markedLine(sentence.sourceWords, spans, "\u2009", fate));
  line.lang = "zh";
  return emptyLine(sentence.sourceWords, line);
}

function outputLine(output) {
  const fate = (slot) => fateOf(output.uses[slot]);
  const line = make("bdi", "target", markedLine(output.words, output.spans, " ", fate));
  line.lang = "en";
  return emptyLine(output.words, line);
}

function figureOf(value) { return value === null ? "" : value.toFixed(1); }

function signed(value) {
  const shown = Math.abs(value).toFixed(1);
  return (value < 0 && Number(shown) > 0 ? "−" : "+") + shown;
}

function term(name, value, note) {
  const label = make("dt", "", make("span", "who", name));
  if (value) label.append(make("span", "bleu", value));
  if (note) label.append(make("span", "delta", note));
  return label;
}

function troubleText(trouble) {
  if (!trouble) return "";
  const names = ["source # left out", "source # said twice", "output # repeated"];
  const said = (name, count) => `${count} ${name.replace("#", count === 1 ? "word" : "words")}`;
  return names.map((name, index) => (trouble[index] ? said(name, trouble[index]) : ""))
    .filter(Boolean).join(", ");
}

function textsOf(sentence, report) {
  const list = make("dl", "texts");
  sentence.references.forEach((text, index) => {
    const many = sentence.references.length > 1 ? ` ${index + 1}` : "";
    const line = make("bdi", "target", textOf(text));
    line.lang = "en";
    list.append(term(`reference${many}`), make("dd", "", text ? line : emptyLine([], line)));
  });
  const baseline = sentence.outputs[report.baseline];
  sentence.outputs.forEach((output, index) => {
    const known = baseline && index !== report.baseline && output.bleu !== null
      && baseline.bleu !== null;
    const change = known ? signed(output.bleu - baseline.bleu) : "";
    const line = make("dd", "", outputLine(output));
    const trouble = troubleText(output.trouble);
    if (trouble) line.append(make("div", "note", trouble));
    list.append(term(report.systems[index], figureOf(output.bleu), change), line);
  });
  return list;
}

function cell(tag, text, attributes) {
  const element = make(tag, "", textOf(text));
  Object.assign(element, attributes);
  return element;
}

function outcomeText(output, slot) {
  const fate = fateOf(output.uses[slot]);
  const detail = output.outcomes[slot];
  const more = detail && detail !== fate && !(fate === "produced" && detail === "exact")
    ? `, ${detail}` : "";
  return `${FATES[fate].sign} ${fate}${more}`;
}

function phrasesOf(sentence, report) {
  if (!sentence.slots.length) {
    return make("p", "note", "No phrase was offered to this sentence.");
  }
  const head = make("tr", "");
  for (const name of ["", "Chinese", "English", "category", "from", ...report.systems]) {
    head.append(cell("th", name, { scope: "col" }));
  }
  const body = make("tbody", "");
  for (const slot of sentence.slots) {
    const words = sentence.sourceWords.slice(slot.start, slot.end).join("");
    const row = make("tr", "", cell("th", String(slot.number + 1), { scope: "row" }));
    row.append(cell("td", words, { lang: "zh" }), cell("td", slot.target, { lang: "en" }));
    const origin = cell("td", [slot.origin, slot.provider].filter(Boolean).join(": "),
      { title: `phrase ${slot.phraseId}` });
    row.append(cell("td", slot.category), origin);
    for (const output of sentence.outputs) {
      const fate = output.uses.length ? fateOf(output.uses[slot.number]) : "";
      const text = fate ? outcomeText(output, slot.number) : "";
      row.append(cell("td", text, { className: `fate ${fate}` }));
    }
    body.append(row);
  }
  const table = make("table", "", make("caption", "", "Phrases offered, and what became of them"));
  table.append(make("thead", "", head), body);
  const box = document.createDocumentFragment();
  box.append(scrolling(table, "Phrases of this sentence"));
  if (sentence.outputs.some((output) => output.outcomes.includes("misplaced"))) {
    box.append(make("p", "note", "Misplaced: the system attended to other words while it wrote this."));
  }
  return box;
}

// A box that scrolls sideways, also with the keyboard.
function scrolling(content, label) {
  const box = make("div", "scroll", content);
  box.tabIndex = 0;
  box.setAttribute("role", "region");
  box.setAttribute("aria-label", label);
  return box;
}
