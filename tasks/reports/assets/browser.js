// The sentence browser: choose, order, search and open sentences; drawn only as far as is looked at.

const STEP = 25;
const at = (id) => document.getElementById(id);

function option(value, text) {
  const element = make("option", "", text);
  element.value = value;
  return element;
}

// Keeps what was unpacked, since lists are drawn again with each letter that is typed.
function catalogue(report) {
  report.sets.forEach((set) => {
    set.unpacked = new Array(set.rows.length);
    set.texts = new Array(set.rows.length);
  });
  const sentence = (set, index) =>
    (set.unpacked[index] ??= sentenceOf(set.rows[index], report.words));
  const text = (set, index) => (set.texts[index] ??= searchText(sentence(set, index)));
  return { sentence, text };
}

// The id in an address that ends in #sentence=..., or null.
function linkedId() {
  const match = /^#sentence=(.+)$/.exec(location.hash);
  try {
    return match ? decodeURIComponent(match[1]) : null;
  } catch {
    return null;
  }
}

const CHOICES = {
  all: () => true,
  with: (row) => row[SLOTS].length > 0,
  without: (row) => row[SLOTS].length === 0,
};

// These look at sentences as they are packed, so that nothing is unpacked that is not shown.
function hasKind(row, kind) {
  return CHOICES[kind] ? CHOICES[kind](row) : row[SLOTS].some((slot) => slot[CATEGORY] === kind);
}

// Whether a phrase of the chosen category came out so, in the output of the chosen system.
function hasFate(row, system, fate, kind) {
  if (fate === "any") return true;
  const output = row[OUTPUTS][system];
  return row[SLOTS].some((slot, index) => (CHOICES[kind] || slot[CATEGORY] === kind)
    && (fateOf(USES[output[USE][index]]) === fate || OUTCOMES[output[OUTCOME][index]] === fate));
}

function bleuOf(row, system) { return row[OUTPUTS][system]?.[BLEU] ?? null; }

function change(row, system, baseline) {
  const own = bleuOf(row, system), before = bleuOf(row, baseline);
  return own === null || before === null ? null : own - before;
}

const ORDERS = {
  given: () => 0,
  worst: (a, b) => a.bleu - b.bleu,
  best: (a, b) => b.bleu - a.bleu,
  changed: (a, b) => Math.abs(b.change) - Math.abs(a.change),
};

function browser(report) {
  const { sentence, text } = catalogue(report);
  const state = { found: [], shown: STEP };
  const chosen = (name) => document.querySelector(`input[name="${name}"]:checked`).value;
  const currentSet = () => report.sets[Number(at("set").value)];
  const system = () => Number(at("system").value);

  function fillIn() {
    at("set").append(...report.sets.map((set, index) => option(index, set.name)));
    at("system").append(...report.systems.map((name, index) => option(index, name)));
    at("system").value = report.main;
    at("set").parentElement.hidden = report.sets.length < 2;
    at("system").parentElement.hidden = report.systems.length < 2;
    at("order-changed").parentElement.hidden = report.baseline < 0 || report.systems.length < 2;
    const known = report.sets.some((set) => set.rows.some((row) => bleuOf(row, 0) !== null));
    at("order-given").closest("fieldset").hidden = !known;
    fillCategories();
  }

  function fillCategories() {
    const all = currentSet().rows.flatMap((row) => row[SLOTS].map((slot) => slot[CATEGORY]));
    const names = [...new Set(all)].sort();
    const before = at("kind").value;
    at("kind").replaceChildren(option("all", "all sentences"),
      option("with", "with any phrase"), option("without", "without phrases"),
      ...names.map((name) => option(name, `with ${name}`)));
    at("kind").value = [...at("kind").options].some((each) => each.value === before) ? before : "all";
  }

  function search() {
    const set = currentSet();
    const words = at("query").value.toLowerCase().split(/\s+/).filter(Boolean);
    const kind = at("kind").value, fate = at("fate").value, order = chosen("order");
    state.found = set.rows.map((_, index) => index).filter((index) => {
      const row = set.rows[index];
      return hasKind(row, kind) && hasFate(row, system(), fate, kind)
        && words.every((word) => text(set, index).includes(word));
    });
    if (order !== "given") arrange(set, order);
    state.shown = STEP;
    drawList();
  }

  // Sentences whose measure nobody knows come last, then all else in its order.
  function arrange(set, order) {
    const keyed = state.found.map((index) => {
      const row = set.rows[index];
      return { index, bleu: bleuOf(row, system()),
        change: change(row, system(), report.baseline) };
    });
    const known = (item) => (order === "changed" ? item.change : item.bleu) !== null;
    keyed.sort((a, b) => known(b) - known(a) || (known(a) ? ORDERS[order](a, b) : 0)
      || a.index - b.index);
    state.found = keyed.map((item) => item.index);
  }

  function drawList() {
    const set = currentSet();
    at("list").replaceChildren(...state.found.slice(0, state.shown).map((i) => entry(set, i)));
    at("more").hidden = state.found.length <= state.shown;
    const whole = set.total > set.rows.length ? ` (of ${set.total.toLocaleString("en")})` : "";
    const number = (value) => value.toLocaleString("en");
    at("count").textContent = `${number(state.found.length)} of ${number(set.rows.length)} `
      + `sentences${whole}`;
  }

  function more() {
    const set = currentSet(), first = state.shown;
    state.shown += STEP;
    const added = state.found.slice(first, state.shown).map((index) => entry(set, index));
    at("list").append(...added);
    at("more").hidden = state.found.length <= state.shown;
    added[0].firstChild.focus();
  }

  function entry(set, index) {
    const each = sentence(set, index);
    const box = make("details", "sentence");
    box.dataset.id = each.id;
    box.append(summaryOf(each, set.rows[index]));
    box.addEventListener("toggle", () => {
      if (box.open && box.childElementCount === 1) box.append(detail(each, set, index));
    });
    return box;
  }

  function summaryOf(each, row) {
    const output = each.outputs[system()];
    const line = make("summary", "", make("span", "number", String(each.number)));
    const box = make("span", "peek", sourceLine(each, output));
    for (const index of new Set([Math.max(report.baseline, 0), system()])) {
      const made = each.outputs[index];
      const who = make("span", "label", make("span", "who", report.systems[index]));
      if (made.bleu !== null) who.append(make("span", "bleu", figureOf(made.bleu)));
      box.append(make("span", "line", who, outputLine(made)));
    }
    line.append(box);
    const step = system() === report.baseline ? null : change(row, system(), report.baseline);
    if (step !== null) {
      const side = step > 0.05 ? "up" : step < -0.05 ? "down" : "same";
      line.append(make("span", `delta ${side}`, signed(step)));
    }
    return line;
  }

  function detail(each, set, index) {
    const looks = looksAt(report, each, report.sets.indexOf(set), index);
    const box = make("div", "detail", textsOf(each, report), phrasesOf(each, report),
      attentionOf(looks));
    const link = make("a", "", each.id);
    link.href = `#sentence=${encodeURIComponent(each.id)}`;
    box.append(make("p", "note", "Link to this sentence: ", link));
    return box;
  }

  // Shows the sentence that the address names, alone and opened, whatever was chosen before.
  function follow() {
    const id = linkedId();
    const number = report.sets.findIndex((set) => set.rows.some((row) => row[ID] === id));
    if (id === null || number < 0) return;
    at("set").value = number;
    fillCategories();
    state.found = [currentSet().rows.findIndex((row) => row[ID] === id)];
    drawList();
    at("count").textContent = "The sentence of this link; search or choose anything to see others.";
    at("list").firstChild.open = true;
    at("controls").scrollIntoView();
  }

  fillIn();
  at("controls").addEventListener("input", (event) => {
    if (event.target === at("set")) fillCategories();
    search();
  });
  at("controls").addEventListener("submit", (event) => event.preventDefault());
  at("more").addEventListener("click", more);
  window.addEventListener("hashchange", follow);
  search();
  follow();
}

async function begin() {
  try {
    browser(await unpacked("sentence-data"));
    at("browser").hidden = false;
    performance.mark("ready");
  } catch (error) {
    at("trouble").textContent = "The sentences could not be shown: this browser is too old, or the "
      + `file is damaged (${error.message}). Chrome 80, Firefox 113 and Safari 16.4 can show them.`;
    at("trouble").hidden = false;
  }
}
begin();
