// Copying gives the user's own text back, whatever is shown in its place.
import { pieceOf, textOf } from "./row_data.js";

function selectedRange(root) {
  if (root.getSelection) {
    const selection = root.getSelection();
    return selection.rangeCount ? selection.getRangeAt(0) : null;
  }
  const selection = document.getSelection();
  const [found] = selection.getComposedRanges?.({ shadowRoots: [root] }) ?? [];
  if (!found) return null;
  const range = document.createRange();
  range.setStart(found.startContainer, found.startOffset);
  range.setEnd(found.endContainer, found.endOffset);
  return range;
}

function clampTo(range, element) {
  const inner = document.createRange();
  inner.selectNodeContents(element);
  if (range.compareBoundaryPoints(Range.START_TO_START, inner) > 0) {
    inner.setStart(range.startContainer, range.startOffset);
  }
  if (range.compareBoundaryPoints(Range.END_TO_END, inner) < 0) {
    inner.setEnd(range.endContainer, range.endOffset);
  }
  return inner;
}

// In the text view the characters themselves are selected; elsewhere whole tokens are.
function copiedText(range, rowView) {
  if (rowView.view === "text") return clampTo(range, rowView.element).toString();
  const tokens = [...rowView.element.querySelectorAll(".token")];
  const chosen = tokens.filter((token) => range.intersectsNode(token));
  if (chosen.length === 0) return "";
  const { pieces } = rowView.row;
  const first = pieceOf(pieces, chosen[0].tokenIndex);
  const last = pieceOf(pieces, chosen.at(-1).tokenIndex);
  return textOf(pieces, first, last + 1);
}

/** Answers a copy event with the original text of what is selected in the rows. */
export function copyOriginal(event, root, rowViews) {
  const range = selectedRange(root);
  if (!range || range.collapsed) return;
  const selected = rowViews.filter((rowView) => range.intersectsNode(rowView.element));
  const text = selected.map((rowView) => copiedText(range, rowView)).join("\n");
  if (!text) return;
  event.clipboardData.setData("text/plain", text);
  event.preventDefault();
}
