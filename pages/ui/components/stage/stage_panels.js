// The quiet parts around the words: heading and explanation, ledger, the user's own sentence,
// and the lines of the algorithm.

import { appendVisible, formatNumber } from "./tokens.js";
import { ledgerAt, mergeBefore, sentenceAt, sentenceJoinsAt } from "./trace_model.js";
import { appendParts, drawFocusableToken, make, makePane, ratchetHeight } from "./stage_dom.js";
import { DRAWN_EXTENT, fillRow, makeRow, clearMarks, markRow } from "./token_row.js";
import { algorithmLines, explanationAt, headingAt, plural, shortSentenceAt, spokenText } from "./stage_words.js";

const LEDGER = [
  ["vocabulary", "Vocabulary size", "tokens", "Base symbols and special tokens, and one more with every merge."],
  ["tokens", "Tokens in the corpus", "tokens", "All words cut into tokens, each word as often as it occurs."],
  ["density", "Bytes per token", "bytes", "Bytes of all words divided by their tokens (what the pattern drops is not counted): the higher, the fewer tokens."],
  ["saved", "Saved by this merge", "tokens", "How many tokens fewer the corpus has than before this merge."],
];

const RATIO = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** Make the heading with its rule, the explanation, and the line read to screen readers. */
export function createStatus() {
  const header = make("div", "status");
  const heading = make("p", "heading");
  const rule = make("p", "rule");
  rule.dir = "ltr";
  const lines = make("div", "explanation");
  const live = make("p", "spoken");
  live.setAttribute("role", "status");
  header.append(heading, rule);
  return { header, heading, rule, lines, live };
}

/** Reserve the room of the longest explanation of this window, so that nothing beneath jumps. */
export function reserveStatus(view, model, compact) {
  const explain = compact ? shortSentenceAt : explanationAt;
  if (view.measured !== model) view.longest = longestSteps(model, explain);
  view.measured = model;
  view.lines.style.minHeight = "";
  for (const step of view.longest) {
    view.lines.replaceChildren(...explain(model, step).map((parts) => sentenceLine(model, parts)));
    ratchetHeight(view.lines);
  }
}

// The three steps with the longest explanations, by letters and, for line breaks, by sentences.
function longestSteps(model, explain) {
  const lengths = [];
  for (let step = model.start; step <= model.stop; step += 1) {
    const sentences = explain(model, step);
    const letters = sentences.reduce((sum, parts) => sum + spokenText(model, parts).length + 60, 0);
    lengths.push([letters, step]);
  }
  lengths.sort(([one], [other]) => other - one);
  return lengths.slice(0, 3).map(([, step]) => step);
}

/** Tell the merge before `step`; `quiet` keeps screen readers from being flooded. */
export function drawStatus(view, model, step, { quiet, compact }) {
  const sentences = compact ? shortSentenceAt(model, step) : explanationAt(model, step);
  view.heading.textContent = headingAt(model, step);
  view.live.setAttribute("aria-live", quiet ? "off" : "polite");
  view.live.textContent = [headingAt(model, step), ...sentences.map((parts) => spokenText(model, parts))].join(". ");
  drawRule(view.rule, model, step);
  view.lines.replaceChildren(...sentences.map((parts) => sentenceLine(model, parts)));
  ratchetHeight(view.lines);
}

/** Make the ledger: four numbers that keep their places. */
export function createLedger() {
  const list = make("dl", "ledger");
  const values = new Map();
  for (const [name, label, unit, meaning] of LEDGER) {
    const tile = make("div", "tile");
    const value = make("span", "tile-value");
    const about = make("span", "tile-unit", unit);
    const room = make("span", "tile-room");
    const number = make("dd", "tile-number");
    number.append(value, " ", about, room);
    const term = make("dt", "tile-label", label);
    tile.title = meaning;
    tile.append(term, number);
    list.append(tile);
    values.set(name, { value, about, room });
  }
  return { list, values };
}

/** Make the explanation of the ledger that opens on demand. */
export function createLedgerHelp() {
  const details = make("details", "ledger-help");
  details.append(make("summary", "", "What these numbers mean"));
  for (const [, label, unit, meaning] of LEDGER) {
    const line = make("p");
    line.append(make("strong", "", `${label} (${unit}): `), meaning);
    details.append(line);
  }
  return details;
}

/**
 * Give every number with its unit the room of its longest value in a run, so that the tiles never
 * shift: the longest stands beneath, unseen and without height. The unit follows the number.
 */
export function loadLedger(view, model) {
  const { trace } = model;
  const mostSaved = trace.steps.reduce((most, merge) => Math.max(most, merge.replaced), 0);
  const widest = new Map([
    ["vocabulary", formatNumber(trace.base_size + trace.n_steps)],
    ["tokens", formatNumber(trace.tokens_at_start)],
    ["density", RATIO.format(ledgerAt(model, model.stop).bytesPerToken)],
    ["saved", formatNumber(mostSaved)],
  ]);
  const shares = { saved: ", 99.9 %" };
  for (const [name, , unit] of LEDGER) {
    const unitOfMost = make("span", "unit-room", `${unit}${shares[name] ?? ""}`);
    view.values.get(name).room.replaceChildren(make("span", "value-room", widest.get(name)), " ", unitOfMost);
  }
}

/** Show the numbers after `step` merges. */
export function drawLedger(view, model, step) {
  const ledger = ledgerAt(model, step);
  drawTokens(view.values.get("vocabulary"), ledger.vocabularySize);
  drawTokens(view.values.get("tokens"), ledger.tokens);
  drawTokens(view.values.get("saved"), ledger.saved, `, ${percent(ledger.savedShare)} %`);
  view.values.get("density").value.textContent = RATIO.format(ledger.bytesPerToken);
}

// A merge late in a long run saves little; that little must not read as nothing.
function percent(share) {
  const tiny = share > 0 && share < 0.001;
  return tiny ? "< 0.1" : (share * 100).toFixed(1);
}

function drawTokens({ value, about }, count, share = "") {
  value.textContent = formatNumber(count);
  about.textContent = `${count === 1 ? "token" : "tokens"}${share}`;
}

/** Make the strip of the user's own sentence. */
export function createSentence() {
  const pane = makePane("sentence", "Your sentence");
  const strip = make("p", "strip");
  strip.dataset.lane = "sentence";
  strip.dir = "ltr";
  pane.section.append(strip);
  return { pane, strip, rows: [] };
}

/** Lay out the sentence of a new window, as far as it is drawn. */
export function loadSentence(view, model) {
  const { sentence } = model;
  view.pane.section.hidden = !sentence || sentence.pre_tokens.length === 0;
  view.rows = [];
  view.strip.replaceChildren();
  view.strip.style.minHeight = "";
  if (view.pane.section.hidden) return;
  let drawn = 0;
  sentence.pre_tokens.forEach((ids, index) => {
    if (drawn > DRAWN_EXTENT) return;
    drawn += ids.length;
    appendVisible(view.strip, sentence.gaps[index]);
    view.rows.push(makeRow(0, sentence.unseen?.[index]));
    view.strip.append(view.rows[index].element);
  });
  const omitted = sentence.pre_tokens.length - view.rows.length;
  if (omitted === 0) appendVisible(view.strip, sentence.gaps.at(-1));
  else view.strip.append(make("span", "rest", `… ${plural(omitted, "more word")}`));
  view.rows.forEach((row, index) => fillRow(row, model, sentence.pre_tokens[index]));
  ratchetHeight(view.strip);
}

/** Show the sentence after `step` merges, the tokens just made outlined. */
export function drawSentence(view, model, step) {
  if (view.pane.section.hidden) return;
  const lists = sentenceAt(model, step);
  const joins = sentenceJoinsAt(model, step);
  view.rows.forEach((row, index) => {
    fillRow(row, model, lists[index]);
    for (const mark of ["fresh", "lit"]) clearMarks(row, mark);
    markRow(row, joins.get(index)?.after ?? [], "fresh");
  });
  const total = lists.reduce((sum, ids) => sum + ids.length, 0);
  view.pane.note.textContent = `${plural(total, "token")} after merge ${formatNumber(step)}`;
}

/** Light the coming merge's pair in the sentence. */
export function lightSentence(view, model, step) {
  const joins = sentenceJoinsAt(model, step);
  view.rows.forEach((row, index) => {
    clearMarks(row, "fresh");
    markRow(row, joins.get(index)?.before ?? [], "lit", true);
  });
}

/** Make the list of the algorithm's lines. */
export function createAlgorithm() {
  const pane = makePane("algorithm", "The algorithm");
  const list = make("ol", "lines");
  pane.section.append(list);
  return { pane, list, lines: new Map() };
}

/** Write the lines for a run. */
export function loadAlgorithm(view, model) {
  view.lines = new Map(algorithmLines(model).map(([name, text]) => [name, make("li", "line", text)]));
  view.list.replaceChildren(...view.lines.values());
}

/** Light the lines that just ran. */
export function lightLines(view, names) {
  for (const [name, line] of view.lines) {
    if (names.includes(name)) line.setAttribute("aria-current", "step");
    else line.removeAttribute("aria-current");
  }
}

function drawRule(rule, model, step) {
  const merge = mergeBefore(model, step);
  rule.replaceChildren();
  if (!merge) {
    rule.append(make("span", "rule-start", "Start"));
    return;
  }
  const [left, right, made] = [...merge.pair, merge.token].map((id) => drawFocusableToken(model, id));
  rule.append(left, make("span", "sign", " + "), right, make("span", "sign", " → "), made);
}

function sentenceLine(model, parts) {
  const line = make("p");
  appendParts(line, model, parts);
  return line;
}
