// Small makers of elements that the views of the stage share. Text is only ever set as text.

import { appendVisible, describeToken, drawToken } from "./tokens.js";

// Letters of a token that are drawn: a word of one token may hold a whole text.
const LONGEST_DRAWN = 300;
const SVG = "http://www.w3.org/2000/svg";

/** Make an element with a class and, if given, a text. */
export function make(tag, className = "", text = null) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== null) element.textContent = text;
  return element;
}

/** Make an icon from the path data of a 24 x 24 drawing. */
export function makeIcon(pathData) {
  const icon = document.createElementNS(SVG, "svg");
  icon.setAttribute("viewBox", "0 0 24 24");
  icon.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", pathData);
  icon.append(path);
  return icon;
}

/** Make a titled part of the stage: its section, its heading line and a note in that line. */
export function makePane(className, title) {
  const section = make("section", `pane ${className}`);
  const heading = make("div", "pane-heading");
  const note = make("span", "pane-note");
  heading.append(make("span", "pane-title", title), note);
  section.append(heading);
  return { section, heading, note };
}

/** Cut a long text to its first letters and an ellipsis; short ones stay whole. */
export function shorten(text, letters = 28) {
  const all = [...text];
  return all.length <= letters ? text : `${all.slice(0, letters - 1).join("")}…`;
}

/** Draw the token of an id; of an enormous one only its beginning. */
export function drawTokenOf(model, id, text) {
  const face = model.faces.get(id) ?? missingFace(id);
  const shown = text ?? face.text;
  return drawToken(face, "pieces", shown === null ? null : shorten(shown, LONGEST_DRAWN));
}

/** Draw the token of an id so that its details can be reached by keyboard and are read out. */
export function drawFocusableToken(model, id) {
  const element = drawTokenOf(model, id);
  element.tabIndex = 0;
  element.setAttribute("role", "img");
  const face = model.faces.get(id);
  if (face) element.setAttribute("aria-label", shorten(describeToken(face, model.faces), LONGEST_DRAWN));
  return element;
}

/** Append the parts of a sentence: plain text, tokens drawn as tokens, words as they are. */
export function appendParts(element, model, parts) {
  for (const part of parts) {
    if (typeof part === "string") {
      element.append(part);
    } else if (part.together) {
      const together = make("span", "together");
      appendParts(together, model, part.together);
      element.append(together);
    } else if (part.word !== undefined) {
      const word = make("span", "word");
      appendVisible(word, part.word);
      element.append(word);
    } else {
      element.append(drawTokenOf(model, part.token));
    }
  }
}

/** Keep an element at least as high as it has ever been, so that what follows never jumps. */
export function ratchetHeight(element) {
  const height = element.offsetHeight;
  if (height > (Number.parseFloat(element.style.minHeight) || 0)) element.style.minHeight = `${height}px`;
}

// A token that the trace names but does not describe is drawn by its id, not dropped.
function missingFace(id) {
  return {
    id, text: `#${id}`, hex: "", color: 0, kind: "special", marker: null,
    rank: null, count: null, left: null, right: null,
  };
}
