// Attention as a picture: output words down, source words across, the context gate beside it.

const SVG = "http://www.w3.org/2000/svg";
const CELL = 15, LETTER = 7.2, CJK = 13, LONGEST = 118, GATE = 64, LEVELS = 9;

function draw(tag, attributes, text) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

function visible(word) { return word.replace(new RegExp(HIDDEN.source, "gu"), "\ufffd"); }

function widthOf(word) {
  let width = 0;
  for (const sign of word) width += sign.codePointAt(0) > 0x2e7f ? CJK : LETTER;
  return width;
}

function shortened(word) {
  let text = "";
  for (const sign of visible(word)) {
    if (widthOf(text + sign) > LONGEST - CJK) return `${text}…`;
    text += sign;
  }
  return text;
}

function labelWidth(words) {
  return Math.min(LONGEST, Math.max(...words.map((word) => widthOf(shortened(word))))) + 8;
}

function share(level) { return `about ${Math.round((100 * level) / LEVELS)} %`; }

function columnLabels(svg, columns, left, top) {
  columns.forEach((word, column) => {
    const x = left + column * CELL + CELL / 2 + 4;
    svg.append(draw("text", {
      x, y: top - 6, transform: `rotate(-60 ${x} ${top - 6})`, class: "axis", lang: "zh",
    }, shortened(word)));
  });
}

function gateBar(svg, value, x, y) {
  svg.append(draw("rect", { x, y: y + 3, width: GATE - 24, height: CELL - 6, class: "gate-back" }));
  if (value === null) return;
  const width = ((GATE - 24) * value) / 100;
  const bar = draw("rect", { x, y: y + 3, width, height: CELL - 6, class: "gate" });
  bar.append(draw("title", {}, `gate ${value} %`));
  svg.append(bar, draw("text", { x: x + GATE - 20, y: y + 11.5, class: "axis" }, String(value)));
}

function lineOf(svg, looks, row, left, top) {
  const y = top + row * CELL;
  const word = looks.lines[row];
  svg.append(draw("text", { x: left - 6, y: y + 11.5, "text-anchor": "end", class: "axis" },
    shortened(word)));
  looks.rows[row].forEach((level, column) => {
    if (!level) return;
    const rect = draw("rect", {
      x: left + column * CELL + 0.5, y: y + 0.5, width: CELL - 1, height: CELL - 1, class: "heat",
      "fill-opacity": (0.12 + (0.88 * level) / LEVELS).toFixed(2),
    });
    const text = `${visible(word)} ← ${visible(looks.columns[column])}, ${share(level)}`;
    rect.append(draw("title", {}, text));
    svg.append(rect);
  });
  if (looks.gates.length) {
    gateBar(svg, looks.gates[row], left + looks.columns.length * CELL + 12, y);
  }
}

function heatMap(looks, system) {
  const left = labelWidth(looks.lines);
  const top = labelWidth(looks.columns) * 0.9 + 10;
  const across = looks.columns.length * CELL, down = looks.lines.length * CELL;
  // The slanted labels of the last columns lean over the right edge.
  const width = left + across + Math.max(looks.gates.length ? GATE + 20 : 0, top * 0.6);
  const svg = draw("svg", {
    width, height: top + down + 2, viewBox: `0 0 ${width} ${top + down + 2}`, role: "img",
    "aria-label": `Attention of ${system}; the same as a list below`,
  });
  svg.append(draw("rect", { x: left, y: top, width: across, height: down, class: "field" }));
  columnLabels(svg, looks.columns, left, top);
  looks.lines.forEach((_, row) => lineOf(svg, looks, row, left, top));
  if (looks.gates.length) {
    svg.append(draw("text", { x: left + across + 12, y: top - 6, class: "axis" }, "gate %"));
  }
  return svg;
}

function asList(looks) {
  const list = make("ol", "looks-list");
  looks.lines.forEach((word, row) => {
    const seen = looks.rows[row].map((level, column) => ({ level, column }))
      .filter(({ level }) => level).sort((a, b) => b.level - a.level);
    const names = seen.map(({ level, column }) => `${visible(looks.columns[column])} ${share(level)}`);
    const gate = looks.gates.length && looks.gates[row] !== null ? `; gate ${looks.gates[row]} %` : "";
    list.append(make("li", "", `${visible(word)} ← ${names.join(", ") || "spread thinly"}${gate}`));
  });
  return list;
}

function looksFigure(looks, system) {
  const figure = make("figure", "map", make("figcaption", "", system), heatMap(looks, system));
  const list = make("details", "", make("summary", "", "as a list"));
  list.addEventListener("toggle", () => {
    if (list.open && list.childElementCount === 1) list.append(asList(looks));
  });
  figure.append(list);
  return figure;
}

const LOOKS_NOTE = "Down: the words that were written. Across: the words that were read. The darker "
  + "a square, the more the system attended to that word; ⏎ is the end of the sentence. ";
const GATE_NOTE = "The gate says how much a word follows the source (100) rather than what was "
  + "written before it (0).";

// A section that fills itself once the attention is unpacked; empty where there is none.
function attentionOf(waiting) {
  const box = make("section", "attention");
  waiting.then((found) => {
    if (!found.length) return;
    const gated = found.some(([looks]) => looks.gates.length);
    const maps = make("div", "maps", ...found.map(([looks, system]) => looksFigure(looks, system)));
    box.append(make("h3", "", "Attention, side by side"),
      make("p", "note", LOOKS_NOTE + (gated ? GATE_NOTE : "")),
      scrolling(maps, "Attention of each system"));
  }).catch((error) => {
    box.append(make("p", "note", `The attention could not be unpacked: ${error.message}.`));
  });
  return box;
}
