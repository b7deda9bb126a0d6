// One stop of the Tab key for all tokens; the arrow keys go from token to token.
import { describeToken } from "../tokens/tokens.js";
import { faceAt } from "./row_data.js";

const FARTHEST = 2000; // tokens looked at in search of the next line

/** Finds the token an element belongs to: {rowView, index, element}, or null. */
export function placeOf(target) {
  const element = target.closest?.(".row-tokens .token");
  if (!element) return null;
  return { rowView: element.closest(".row-tokens").rowView, index: element.tokenIndex, element };
}

function centre(element) {
  const box = element.getClientRects()[0] ?? element.getBoundingClientRect();
  return { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2, height: box.height };
}

function onSameLine(one, other) {
  return Math.abs(one.y - other.y) < Math.max(one.height, other.height) / 2;
}

// Walks in one direction to the next line of the same row and takes its token nearest in x.
function tokenInNextLine({ rowView, index, element }, step) {
  const from = centre(element);
  let line = null;
  let best = null;
  for (let at = index + step; at >= 0 && at < rowView.row.nTokens; at += step) {
    const here = centre(rowView.elementAt(at));
    if (line ? !onSameLine(here, line) : Math.abs(at - index) > FARTHEST) break;
    if (!line && onSameLine(here, from)) continue;
    line ??= here;
    const distance = Math.abs(here.x - from.x);
    if (!best || distance < best.distance) best = { rowView, index: at, distance };
  }
  return best;
}

/** Keeps the current token: the only one in the tab order, and the one described to readers. */
export class Rover {
  constructor() {
    this.rowViews = [];
    this.current = null;
  }

  /** Takes over other rows; the first token becomes the tab stop. */
  reset(rowViews) {
    this.rowViews = rowViews.filter(({ row }) => row.nTokens > 0);
    this.current = null;
    if (this.rowViews.length) this.makeCurrent(this.rowViews[0], 0);
  }

  makeCurrent(rowView, index) {
    this.release();
    const element = rowView.elementAt(index);
    this.current = { rowView, index, element };
    element.tabIndex = 0;
    element.setAttribute("role", "button");
    element.setAttribute("aria-label", describeToken(faceAt(rowView.row, index), rowView.row.faces));
  }

  release() {
    if (!this.current) return;
    this.current.element.tabIndex = -1;
    this.current.element.removeAttribute("role");
    this.current.element.removeAttribute("aria-label");
  }

  // Past the end of a row comes the neighbouring row, entered at its near end.
  besideRow(step) {
    const at = this.rowViews.indexOf(this.current.rowView) + step;
    const rowView = this.rowViews[at];
    return rowView ? { rowView, index: step > 0 ? 0 : rowView.row.nTokens - 1 } : null;
  }

  sideways(step) {
    const { rowView, index } = this.current;
    const next = index + step;
    return next >= 0 && next < rowView.row.nTokens ? { rowView, index: next } : this.besideRow(step);
  }

  goal(key) {
    const { rowView } = this.current;
    switch (key) {
      case "ArrowRight": return this.sideways(1);
      case "ArrowLeft": return this.sideways(-1);
      case "ArrowDown": return tokenInNextLine(this.current, 1) ?? this.besideRow(1);
      case "ArrowUp": return tokenInNextLine(this.current, -1) ?? this.besideRow(-1);
      case "Home": return { rowView, index: 0 };
      case "End": return { rowView, index: rowView.row.nTokens - 1 };
      default: return null;
    }
  }

  /** Moves the focus for a key; says whether the key was one of ours. */
  move(key) {
    if (!this.current || !/^(Arrow(Left|Right|Up|Down)|Home|End)$/.test(key)) return false;
    const goal = this.goal(key);
    if (goal) {
      this.makeCurrent(goal.rowView, goal.index);
      this.current.element.focus();
    }
    return true;
  }
}
