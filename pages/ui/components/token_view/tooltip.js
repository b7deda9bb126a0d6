// The details of the token one points at or has focused, beside it and never over it.
import { drawDetails } from "../tokens/details.js";

const GAP = 6;
const EDGE = 8;

function clamp(value, low, high) {
  return Math.max(low, Math.min(value, high));
}

/**
 * Chooses where a box goes beside a token: below it, above it where there is more room, inside
 * the window either way. All in pixels of the window.
 */
export function placeBeside(token, box, windowSize) {
  const below = windowSize.height - token.bottom - GAP - EDGE;
  const above = token.top - GAP - EDGE;
  const goesBelow = box.height <= below || below >= above;
  const top = goesBelow ? token.bottom + GAP : token.top - GAP - box.height;
  const middle = (token.left + token.right) / 2;
  const left = clamp(middle - box.width / 2, EDGE, Math.max(EDGE, windowSize.width - EDGE - box.width));
  return { top, left };
}

/** A box in the browser's top layer, so that it moves no text and nothing cuts it off. */
export class Tooltip {
  constructor() {
    this.target = null;
    this.element = document.createElement("div");
    this.element.className = "tip";
    this.element.setAttribute("role", "tooltip");
    this.element.popover = "manual";
  }

  show(target, face, faces, span) {
    if (this.target === target) return;
    this.target = target;
    this.element.replaceChildren(drawDetails(face, faces, span));
    this.element.showPopover();
    this.place();
  }

  place() {
    if (!this.target) return;
    const size = { width: document.documentElement.clientWidth, height: window.innerHeight };
    const box = this.element.getBoundingClientRect();
    const { top, left } = placeBeside(this.target.getBoundingClientRect(), box, size);
    this.element.style.top = `${top}px`;
    this.element.style.left = `${left}px`;
  }

  hide() {
    if (!this.target) return;
    this.target = null;
    this.element.hidePopover();
  }
}
