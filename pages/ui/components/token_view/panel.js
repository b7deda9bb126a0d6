// The details of the token that was clicked, kept below the tokens in a place reserved for them.
import { drawDetails } from "../tokens/details.js";

const HINT =
  "Point at a token, or go to it with Tab and the arrow keys, for its details. " +
  "Click it, or press Enter, to keep them here.";

function hintElement() {
  const hint = document.createElement("p");
  hint.className = "hint";
  hint.textContent = HINT;
  return hint;
}

/** A panel that holds the details of one token until another is chosen or it is closed. */
export class Panel {
  constructor() {
    this.pinned = null;
    this.element = document.createElement("section");
    this.element.className = "panel";
    this.element.setAttribute("aria-label", "Token details");
    this.element.setAttribute("aria-live", "polite");
    this.element.tabIndex = 0;
    this.clear();
  }

  pin(target, face, faces, span) {
    this.pinned?.classList.remove("pinned");
    this.pinned = target;
    target.classList.add("pinned");
    this.element.classList.add("filled");
    this.element.replaceChildren(drawDetails(face, faces, span), this.closeButton());
  }

  closeButton() {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "close";
    button.textContent = "Close";
    button.setAttribute("aria-label", "Close the token details");
    button.addEventListener("click", () => {
      const target = this.pinned;
      this.clear();
      target.focus();
    });
    return button;
  }

  clear() {
    this.pinned?.classList.remove("pinned");
    this.pinned = null;
    this.element.classList.remove("filled");
    this.element.replaceChildren(hintElement());
  }
}
