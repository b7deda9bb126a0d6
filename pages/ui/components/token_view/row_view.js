// One row of tokens on the screen, in blocks that are drawn when they come near the window.
import { drawPiece } from "./piece_drawing.js";
import { estimateLines, pieceOf, planChunks, textOf } from "./row_data.js";

const EAGER_TOKENS = 3000; // a page of text: below this everything is drawn at once
const NEAR = "1200px";
const LINE_EM = 2.1;

/** Draws a row into a container, and finds the element of each of its tokens. */
export class RowView {
  constructor(row, index) {
    this.row = row;
    this.view = null;
    this.element = document.createElement("div");
    this.element.className = "row-tokens";
    this.element.dataset.row = String(index);
    this.element.rowView = this;
    this.chunks = planChunks(row.pieces).map(([start, end]) => ({ start, end, drawn: false }));
    this.observer = new IntersectionObserver((seen) => this.drawSeen(seen), { rootMargin: NEAR });
  }

  /** Draws the row anew in a view: "text", "pieces", "ids" or "bytes". */
  show(view) {
    this.view = view;
    this.observer.disconnect();
    const lazy = this.row.nTokens > EAGER_TOKENS;
    this.element.replaceChildren(...this.chunks.map((chunk) => this.makeChunk(chunk, lazy)));
    for (const chunk of this.chunks) {
      if (lazy) this.observer.observe(chunk.element);
      else this.drawChunk(chunk);
    }
  }

  // Until it is drawn, a block holds its plain text: it can be found, selected and read.
  makeChunk(chunk, lazy) {
    const text = textOf(this.row.pieces, chunk.start, chunk.end);
    chunk.drawn = false;
    chunk.element = document.createElement("div");
    chunk.element.className = lazy ? "chunk lazy" : "chunk";
    chunk.element.chunk = chunk;
    if (lazy) {
      chunk.element.textContent = text;
      const height = Math.round(estimateLines(text, 80) * LINE_EM);
      chunk.element.style.containIntrinsicSize = `auto ${height}em`;
    }
    return chunk.element;
  }

  drawSeen(seen) {
    for (const { isIntersecting, target } of seen) {
      if (isIntersecting) this.drawChunk(target.chunk);
    }
  }

  drawChunk(chunk) {
    if (chunk.drawn) return;
    chunk.drawn = true;
    this.observer.unobserve(chunk.element);
    const nodes = [];
    for (let index = chunk.start; index < chunk.end; index += 1) {
      nodes.push(...drawPiece(this.row, this.row.pieces[index], this.view));
    }
    const fragment = document.createDocumentFragment();
    for (const node of nodes) fragment.append(node);
    chunk.element.replaceChildren(fragment);
    chunk.tokens = [...chunk.element.querySelectorAll(".token")];
  }

  /** Finds the element of a token by its place in the row, drawing its block if need be. */
  elementAt(tokenIndex) {
    const piece = pieceOf(this.row.pieces, tokenIndex);
    const chunk = this.chunks.find(({ end }) => piece < end);
    this.drawChunk(chunk);
    return chunk.tokens[tokenIndex - chunk.tokens[0].tokenIndex];
  }

  /** Stops watching the window. */
  close() {
    this.observer.disconnect();
  }
}
