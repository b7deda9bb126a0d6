// How a piece of text and its tokens are drawn in each of the views.
import { appendVisible, drawToken } from "../tokens/tokens.js";
import { faceAt } from "./row_data.js";

const LONGEST_WHOLE = 30; // characters

// The place of a token in its row, kept on its element: the handlers of events start from there.
function drawAt(row, index, view, text) {
  const face = faceAt(row, index);
  const element = text === undefined ? drawToken(face, view) : drawToken(face, view, text);
  element.tokenIndex = index;
  element.classList.toggle("apart", row.apart.has(index));
  element.tabIndex = -1;
  return element;
}

function drawGap(text) {
  const gap = document.createElement("span");
  gap.className = "gap";
  appendVisible(gap, text);
  return gap;
}

// A token under characters it shares with others shows its own content as generated text: the
// text itself stands above, once.
function drawBeneath(row, index) {
  const element = drawAt(row, index, "text", "");
  const { text } = faceAt(row, index);
  if (text) {
    const probe = drawGap(text);
    for (const mark of probe.querySelectorAll(".stand-in")) mark.textContent = mark.dataset.mark;
    element.dataset.label = probe.textContent;
  }
  return element;
}

function drawShared(row, piece) {
  const shared = document.createElement("span");
  shared.className = "shared";
  const above = document.createElement("span");
  above.className = "shared-text";
  appendVisible(above, piece.text);
  const beneath = document.createElement("span");
  beneath.className = "shared-tokens";
  for (let offset = 0; offset < piece.count; offset += 1) {
    beneath.append(drawBeneath(row, piece.first + offset));
  }
  shared.append(above, beneath);
  return [shared];
}

// A short token stays in one piece: the line ends before it, not after its leading space. After
// the newline at its end the line ends too, behind its box: in it, a sliver of the box would
// begin the next line.
function drawAlone(row, piece) {
  const token = drawAt(row, piece.first, "text", piece.text);
  const isOneLine = !piece.text.slice(0, -1).includes("\n");
  if (isOneLine && piece.text.length <= LONGEST_WHOLE) token.classList.add("whole");
  const drawn = piece.text.startsWith(" ") ? [document.createElement("wbr"), token] : [token];
  return piece.text.endsWith("\n") ? [...drawn, document.createElement("br")] : drawn;
}

function drawAsText(row, piece) {
  if (piece.count === 0) return [drawGap(piece.text)];
  return piece.count > 1 ? drawShared(row, piece) : drawAlone(row, piece);
}

// The other views show one box a token, in lines that begin where the lines of the text do.
function drawAsChips(row, piece, view) {
  const drawn = [];
  for (let offset = 0; offset < piece.count; offset += 1) {
    drawn.push(drawAt(row, piece.first + offset, view));
  }
  if (piece.text.includes("\n")) drawn.push(document.createElement("br"));
  return drawn;
}

/** Draws one piece in a view: a list of nodes, each token with its place as `tokenIndex`. */
export function drawPiece(row, piece, view) {
  return view === "text" ? drawAsText(row, piece) : drawAsChips(row, piece, view);
}
