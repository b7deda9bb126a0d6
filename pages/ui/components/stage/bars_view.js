// The leading pairs as bars, one row a pair. Rows are kept by their pair from step to step, so
// that a falling pair is seen to fall and a new one to enter.

import { formatNumber } from "./tokens.js";
import { mergeBefore } from "./trace_model.js";
import { drawTokenOf, make, makePane } from "./stage_dom.js";

/** Make the view of the leading pairs. */
export function createBarsView() {
  const pane = makePane("bars", "Leading pairs");
  const list = make("ol", "bar-list");
  const empty = make("p", "bars-empty", "No pair is left: every word is one token.");
  pane.section.append(list, empty);
  return { pane, list, empty, rows: new Map(), order: [], model: null };
}

/** Take a new window: forget the rows and reserve room for the longest list in it. */
export function loadBars(view, model, limit) {
  view.model = model;
  view.limit = limit;
  view.rows.clear();
  view.order = [];
  view.list.replaceChildren();
  const longest = Math.max(1, ...model.trace.bars.map((bars) => bars.length));
  view.list.style.setProperty("--rows", String(Math.min(longest, limit)));
  view.list.style.setProperty("--letters", String(longestPair(model)));
  const highest = Math.max(0, ...model.trace.bars.map((bars) => bars[0]?.[2] ?? 0));
  view.list.style.setProperty("--count-width", `${formatNumber(highest).length}ch`);
}

/** Draw the pairs before the next merge; returns how rows moved, for the motion. */
export function drawBars(view, step) {
  const bars = barsAt(view.model, step).slice(0, view.limit);
  const scale = scaleFor(bars[0]?.[2] ?? 1);
  const previous = earlierCounts(view.model, step);
  const made = mergeBefore(view.model, step)?.token;
  const entries = bars.map((bar, index) => ({ bar, index, key: keyOf(bar), share: bar[2] / scale }));
  const before = new Map(view.order.map((row, index) => [row, { index, share: row.share }]));
  const gone = view.order.filter((row) => !entries.some(({ key }) => key === row.key));
  view.order = entries.map((entry) => {
    const row = view.rows.get(entry.key) ?? makeBar(view.model, entry);
    updateBar(row, entry, tagFor(view.model, step, entry, previous, made));
    return row;
  });
  view.rows = new Map(view.order.map((row) => [row.key, row]));
  placeRows(view);
  view.empty.hidden = entries.length > 0;
  view.pane.note.textContent = step < view.model.nSteps ? "before the next merge" : "left at the end";
  return { before, gone, after: view.order };
}

/** Light the bar of the pair that merges now, or none. */
export function lightBar(view, step) {
  const merge = step === null ? null : mergeBefore(view.model, step);
  const lit = merge && view.rows.get(keyOf(merge.pair));
  for (const row of view.order) row.element.classList.toggle("lit", row === lit);
}

/** Return the end of the scale for a highest count: 20 -> 20, 16 -> 20, 21 -> 30, 9,843 -> 10,000. */
export function scaleFor(highest) {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, highest)));
  const step = [1, 1.5, 2, 3, 5, 7.5, 10].find((factor) => factor * power >= highest);
  return step * power;
}

// Letters of the longest pair of the window: its column is no wider than it needs to be.
function longestPair(model) {
  const lengthOf = (id) => (model.faces.get(id)?.text ?? "00 00 00").length;
  let longest = 2;
  for (const [left, right] of model.trace.bars.flat()) longest = Math.max(longest, lengthOf(left) + lengthOf(right));
  return longest;
}

function barsAt(model, step) {
  return model.trace.bars[step - model.start] ?? [];
}

function keyOf([left, right]) {
  return `${left}+${right}`;
}

function earlierCounts(model, step) {
  if (step <= model.start) return new Map();
  return new Map(barsAt(model, step - 1).map((bar) => [keyOf(bar), bar[2]]));
}

// What is said beside a bar: "next", "new" where the token just made takes part, or the change.
function tagFor(model, step, { bar, index, key }, previous, made) {
  const [left, right, count] = bar;
  const tags = [];
  if (index === 0 && step < model.nSteps) tags.push("next");
  if (made !== undefined && (left === made || right === made)) tags.push("new");
  else if (previous.has(key) && previous.get(key) !== count) {
    tags.push(`−${formatNumber(previous.get(key) - count)}`);
  }
  return tags.join(" · ");
}

function makeBar(model, { bar, key }) {
  const [left, right] = bar;
  const element = make("li", "bar");
  const pair = make("span", "bar-pair");
  pair.dir = "ltr";
  pair.append(drawTokenOf(model, left), drawTokenOf(model, right));
  const track = make("span", "bar-track");
  const fill = make("span", "bar-fill");
  track.append(fill);
  const count = make("span", "bar-count");
  const tag = make("span", "bar-tag");
  element.append(pair, track, count, tag);
  return { key, element, fill, count, tag, share: 0 };
}

function updateBar(row, { bar, index, share }, tag) {
  row.share = share;
  row.fill.style.transform = `scaleX(${share})`;
  row.count.textContent = formatNumber(bar[2]);
  row.tag.textContent = tag;
  row.element.classList.toggle("first", tag.startsWith("next"));
  row.element.dataset.index = String(index);
}

// Elements are moved only where the order differs: moving an element stops its transitions.
function placeRows(view) {
  const wanted = view.order.map((row) => row.element);
  for (const element of [...view.list.children]) if (!wanted.includes(element)) element.remove();
  wanted.forEach((element, index) => {
    if (view.list.children[index] !== element) view.list.insertBefore(element, view.list.children[index] ?? null);
  });
}
