// What is known of a token as a list with its parents drawn, for tooltips and panels.
import { detailRows, drawToken } from "./tokens.js";

function textElement(tag, className, text) {
  const element = document.createElement(tag);
  element.className = className;
  element.textContent = text;
  return element;
}

function drawParents(face, faces) {
  const drawn = document.createElement("dd");
  const [left, right] = [faces.get(face.left), faces.get(face.right)];
  drawn.append(drawToken(left, "pieces"), textElement("span", "plus", " + "), drawToken(right, "pieces"));
  return drawn;
}

function drawValue(label, value, face, faces) {
  if (label === "Parents") return drawParents(face, faces);
  return textElement("dd", "", value);
}

/**
 * Draws what is known of a token: the token itself, then a list of its facts.
 * `span` is null or [byte start, byte end, character start, character end] in the user's text.
 */
export function drawDetails(face, faces, span = null) {
  const details = document.createElement("div");
  details.className = "details";
  const head = document.createElement("div");
  head.className = "details-token";
  head.append(drawToken(face, "pieces"));
  const list = document.createElement("dl");
  for (const [label, value] of detailRows(face, faces, span)) {
    const fact = document.createElement("div");
    fact.append(textElement("dt", "", label), drawValue(label, value, face, faces));
    list.append(fact);
  }
  details.append(head, list);
  return details;
}
