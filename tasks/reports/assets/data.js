// Unpacks the sentences that tasks/reports/sentence_data.py packed, each when it is first shown.

// Places in a packed sentence, in its slots and in its outputs.
const ID = 1, SLOTS = 4, OUTPUTS = 5;
const CATEGORY = 3;
const USE = 2, OUTCOME = 3, BLEU = 4;

function bytesOf(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const letters = atob(text), bytes = new Uint8Array(letters.length);
  for (let at = 0; at < letters.length; at += 1) bytes[at] = letters.charCodeAt(at);
  return bytes;
}

async function unpacked(id) {
  const bytes = bytesOf(document.getElementById(id).textContent);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

// Rows of attention as numbers from 0 to 9; letters count zeros, zeros at the end are left out.
function attentionRows(text, columns) {
  return text.split(",").map((packed) => {
    const row = [];
    for (const sign of packed) {
      if (sign >= "a") row.push(...new Array(sign.charCodeAt(0) - 96).fill(0));
      else row.push(Number(sign));
    }
    while (row.length < columns) row.push(0);
    return row;
  });
}

function gateValues(text) {
  return (text.match(/../g) || []).map((pair) => (pair === "--" ? null : Number(pair)));
}

function slotOf(packed, number) {
  const [start, end, target, category, origin, provider, phraseId] = packed;
  return { number, start, end, target, category, origin, provider, phraseId };
}

const USES = { o: "offered", a: "appeared", p: "produced" };
const OUTCOMES = { e: "exact", m: "misplaced", s: "spelled", i: "ignored" };

// How a phrase came out, for a mark that needs no colour: produced, appeared or ignored.
function fateOf(use) { return use === "offered" ? "ignored" : use; }

function outputOf(packed, words) {
  const [ids, flat, uses, outcomes, bleu, trouble] = packed;
  const spans = [];
  for (let at = 0; at < flat.length; at += 3) {
    spans.push({ start: flat[at], end: flat[at + 1], slot: flat[at + 2] });
  }
  return {
    words: ids.map((id) => words[id]), spans, bleu, trouble,
    uses: [...uses].map((letter) => USES[letter]),
    outcomes: [...outcomes].map((letter) => OUTCOMES[letter]),
  };
}

// What a system attended to: words read across, words written down, both with the end mark.
function looksOf([rows, gates, ownSource, ownWords], words, sourceWords, text) {
  const end = "⏎";
  const columns = [...(ownSource ? ownSource.map((id) => words[id]) : sourceWords), end];
  const lines = [...(ownWords ? ownWords.map((id) => words[id]) : text), end];
  return { columns, lines, rows: attentionRows(rows, columns.length), gates: gateValues(gates) };
}

// The attention of all sentences, unpacked when it is first asked for.
let allLooks = null;

async function looksAt(report, sentence, set, index) {
  allLooks ??= unpacked("attention-data");
  const packed = (await allLooks)[set][index];
  return sentence.outputs.flatMap((output, system) => (packed[system]
    ? [[looksOf(packed[system], report.words, sentence.sourceWords, output.words),
      report.systems[system]]] : []));
}

function sentenceOf(packed, words) {
  const [number, id, source, references, slots, outputs] = packed;
  const sourceWords = source.map((each) => words[each]);
  return {
    number, id, sourceWords, references,
    slots: slots.map(slotOf),
    outputs: outputs.map((each) => outputOf(each, words)),
  };
}

// What a search looks through, in lower case; Chinese is joined, since nobody types its words apart.
function searchText(sentence) {
  const texts = [sentence.sourceWords.join(""), sentence.sourceWords.join(" "), sentence.id,
    ...sentence.references, ...sentence.outputs.map((output) => output.words.join(" "))];
  return texts.join("\n").toLowerCase();
}
