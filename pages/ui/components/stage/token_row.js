// One word as a row of drawn tokens: the unit that is lit, joined and measured. A row knows the
// list of ids it shows, so it is redrawn only when that list is another one.

import { formatNumber } from "./tokens.js";
import { extentOf, joinAt, tokensWithin } from "./trace_model.js";
import { drawTokenOf, make } from "./stage_dom.js";

// A longer word is drawn only up to here (in tokens of the window's first state).
export const DRAWN_EXTENT = 400;

/**
 * Make an empty row; its tokens stay in order from left to right whatever their script.
 * `hidden` tells how many further tokens the word had at the window's start that the trace omits,
 * `unseen` the texts that its unknown tokens stand for, in order.
 */
export function makeRow(hidden = 0, unseen = []) {
  const element = make("span", "row");
  element.dir = "ltr";
  return { element, hidden, unseen, ids: null, tokens: [], rest: null };
}

/** Draw a list of ids in the row, unless it is the list already drawn. */
export function fillRow(row, model, ids) {
  if (row.ids === ids) return;
  const drawn = tokensWithin(model, ids, DRAWN_EXTENT);
  let nUnknown = 0; // unknown tokens are never merged, so they keep their order
  row.tokens = ids.slice(0, drawn).map((id) => {
    const isUnknown = model.faces.get(id)?.kind === "unknown";
    return drawTokenOf(model, id, isUnknown ? row.unseen[nUnknown++] : undefined);
  });
  row.ids = ids;
  row.element.replaceChildren(...row.tokens);
  row.rest = drawn < ids.length || row.hidden ? restNote(row, model, drawn) : null;
  if (row.rest) row.element.append(row.rest);
}

/** Mark the tokens at `positions`, and the right neighbour of each when `pairs` is set. */
export function markRow(row, positions, className, pairs = false) {
  for (const position of positions) {
    row.tokens[position]?.classList.add(className);
    if (pairs) row.tokens[position + 1]?.classList.add(className);
  }
}

/** Take a mark from every token of the row. */
export function clearMarks(row, className) {
  for (const token of row.tokens) token.classList.remove(className);
}

/**
 * Join the pairs at `positions` in the drawn row; all other elements stay the ones they were.
 * Returns what was joined, as {left, right, made} elements: the left and right are no longer
 * in the row. A word drawn only in part is redrawn, and returns nothing to move.
 */
export function joinRow(row, model, positions, token) {
  const ids = joinAt(row.ids, positions, token);
  if (row.rest) {
    fillRow(row, model, ids);
    return [];
  }
  const gone = new Set();
  const joins = positions.map((position) => {
    const [left, right] = [row.tokens[position], row.tokens[position + 1]];
    const made = drawTokenOf(model, token);
    left.replaceWith(made);
    right.remove();
    row.tokens[position] = made;
    gone.add(right);
    return { left, right, made };
  });
  row.ids = ids;
  row.tokens = row.tokens.filter((element) => !gone.has(element));
  return joins;
}

// How many tokens are left out is known for the moment, or where the trace leaves out a part of
// the word, for the window's start.
function restNote(row, model, drawn) {
  const beyond = row.ids.slice(drawn).reduce((sum, id) => sum + (row.hidden ? extentOf(model, id) : 1), 0);
  const count = beyond + row.hidden;
  const when = row.hidden ? ` (counted at merge ${formatNumber(model.start)})` : "";
  return make("span", "rest", `… ${formatNumber(count)} more token${count === 1 ? "" : "s"}${when}`);
}
