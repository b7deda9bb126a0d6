// The words of the corpus in fixed slots, and the lane of further words beneath them. A slot's
// place and size are set by the window's first state, where every word has the most tokens; so
// nothing moves under the reader but the tokens that merge.

import { formatNumber } from "./tokens.js";
import { afterJoin, freshAt, joinAt, mergeBefore, wordsAt } from "./trace_model.js";
import { make, makePane } from "./stage_dom.js";
import { clearMarks, fillRow, joinRow, makeRow, markRow } from "./token_row.js";
import { hiddenWordsNote, shownWordsNote } from "./stage_words.js";

const ONE_COLUMN_UP_TO = 8;
const SLOT_GAP = 12;

/** Make the view of the shown words and of the further words that hold the pair. */
export function createWordsView() {
  const words = makePane("words", "Words");
  const slots = make("ol", "slots");
  slots.dataset.lane = "words";
  slots.tabIndex = 0;
  slots.setAttribute("aria-label", "Words of the corpus with their counts");
  const frame = make("div", "frame");
  frame.append(slots);
  words.section.append(frame);
  const also = makePane("also", "Also in these words");
  const lane = make("ol", "lane");
  lane.dataset.lane = "also";
  lane.tabIndex = 0;
  lane.setAttribute("aria-label", "Further words that hold the pair");
  const laneFrame = make("div", "frame fading");
  laneFrame.append(lane);
  also.section.append(laneFrame);
  return { words, slots, frame, also, lane, rows: [], alsoRows: [], model: null };
}

/** Build the slots of a new window and lock their sizes. */
export function loadWords(view, model) {
  view.model = model;
  const first = wordsAt(model, model.start);
  const digits = Math.max(...model.trace.words.map(([, count]) => formatNumber(count).length), 1);
  view.slots.style.setProperty("--count-width", `${digits}ch`);
  view.slots.dataset.size = sizeFor(first.length);
  view.rows = model.trace.words.map(([, count, , hidden], index) => {
    const row = makeSlot(count, hidden);
    row.slot.dataset.wordIndex = String(index);
    fillRow(row, model, first[index]);
    return row;
  });
  view.slots.replaceChildren(...view.rows.map(({ slot }) => slot));
  view.words.note.textContent = shownWordsNote(model);
  view.also.section.hidden = model.trace.n_words <= model.trace.words.length;
  lockSlots(view);
}

/** Set columns and heights from the window's first state; again whenever the width changes. */
export function lockSlots(view) {
  const current = view.rows.map((row) => row.ids);
  const first = wordsAt(view.model, view.model.start);
  view.frame.classList.remove("fading");
  for (const { slot } of view.rows) slot.removeAttribute("style");
  view.rows.forEach((row, index) => fillRow(row, view.model, first[index]));
  setColumns(view);
  const heights = view.rows.map(({ slot }) => slot.offsetHeight);
  view.rows.forEach(({ slot }, index) => (slot.style.minHeight = `${heights[index]}px`));
  view.frame.classList.toggle("fading", view.slots.scrollHeight > view.slots.clientHeight + 1);
  view.rows.forEach((row, index) => fillRow(row, view.model, current[index]));
}

/** Draw the state after `step` merges at once, the tokens just made outlined. */
export function drawWords(view, step) {
  unlight(view);
  const words = wordsAt(view.model, step);
  const fresh = freshAt(view.model, step);
  view.rows.forEach((row, index) => {
    fillRow(row, view.model, words[index]);
    clearMarks(row, "fresh");
    markRow(row, fresh.get(index) ?? [], "fresh");
  });
  drawAlso(view, step, true);
}

/** First beat: light the pair of the coming merge `step` in every word it stands in. */
export function lightWords(view, step) {
  const merge = mergeBefore(view.model, step);
  for (const row of view.rows) clearMarks(row, "fresh");
  view.slots.classList.add("has-lit");
  for (const [word, ...positions] of merge.at) {
    view.rows[word].slot.classList.add("holds-pair");
    markRow(view.rows[word], positions, "lit", true);
  }
  drawAlso(view, step, false);
}

/** Return the rows that the merge `step` changes, each with its positions. */
export function touchedRows(view, step) {
  const merge = mergeBefore(view.model, step);
  const shown = merge.at.map(([word, ...positions]) => ({ row: view.rows[word], positions }));
  const further = view.alsoRows.map((row, index) => ({ row, positions: merge.also[index][3] }));
  return [...shown, ...further];
}

/** Second beat: join the pair in the touched rows; returns the joins for the motion. */
export function joinWords(view, touched, token) {
  const joins = touched.map(({ row, positions }) => joinRow(row, view.model, positions, token));
  touched.forEach(({ row, positions }) => markRow(row, afterJoin(positions), "fresh"));
  return joins;
}

/** Take the light of the first beat away. */
export function unlight(view) {
  view.slots.classList.remove("has-lit");
  for (const row of view.rows) {
    row.slot.classList.remove("holds-pair");
    clearMarks(row, "lit");
  }
}

function drawAlso(view, step, joined) {
  if (view.also.section.hidden) return;
  const merge = mergeBefore(view.model, step);
  view.alsoRows = (merge?.also ?? []).map((word) => alsoRow(view.model, merge, word, joined));
  view.lane.replaceChildren(...view.alsoRows.map(({ slot }) => slot));
  if (view.alsoRows.length === 0) view.lane.append(make("li", "lane-empty", emptyLaneText(merge)));
  view.also.note.textContent = hiddenWordsNote(view.model, step);
}

function alsoRow(model, merge, [, count, ids, positions, hidden], joined) {
  const row = makeSlot(count, hidden);
  fillRow(row, model, joined ? joinAt(ids, positions, merge.token) : ids);
  if (joined) markRow(row, afterJoin(positions), "fresh");
  else markRow(row, positions, "lit", true);
  return row;
}

function emptyLaneText(merge) {
  return merge ? "No other word holds this pair." : "Words beyond those above appear here when their pair merges.";
}

function makeSlot(count, hidden) {
  const row = makeRow(hidden);
  row.slot = make("li", "slot");
  row.slot.append(make("span", "slot-count", formatNumber(count)), row.element);
  return row;
}

function sizeFor(count) {
  if (count <= ONE_COLUMN_UP_TO) return "large";
  return count <= 24 ? "medium" : "small";
}

// Columns fit four words in five; a longer word spans several columns.
function setColumns(view) {
  view.slots.classList.add("measuring");
  const widths = view.rows.map(({ slot }) => Math.ceil(slot.getBoundingClientRect().width));
  view.slots.classList.remove("measuring");
  const space = view.slots.clientWidth;
  const sorted = widths.slice().sort((one, other) => one - other);
  const unit = sorted[Math.floor((sorted.length - 1) * 0.8)] ?? space;
  const fitting = Math.max(1, Math.floor((space + SLOT_GAP) / (unit + SLOT_GAP)));
  const columns = widths.length <= ONE_COLUMN_UP_TO ? 1 : Math.min(fitting, widths.length);
  const width = (space - SLOT_GAP * (columns - 1)) / columns;
  view.slots.style.gridTemplateColumns = `repeat(${columns}, minmax(0, 1fr))`;
  view.rows.forEach(({ slot }, index) => {
    const span = Math.min(columns, Math.ceil((widths[index] + SLOT_GAP) / (width + SLOT_GAP)));
    if (span > 1) slot.style.gridColumn = `span ${span}`;
  });
}
