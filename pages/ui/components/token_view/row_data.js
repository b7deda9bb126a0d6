// One row of tokens as data: what each token is, which text it stands for, where the text may be
// cut into blocks. No drawing here.

const NUMBERS_PER_TOKEN = 5; // id, byte start, byte end, character start, character end
const CHUNK_TOKENS = 500;
const MOST_TOKENS = 3000;

/**
 * Reads a row of the component's data.
 * A piece is a stretch of text with the tokens that stand for it: {text, first, count}; a segment
 * that is a plain string has one token.
 */
export function readRow(row, faces) {
  const pieces = [];
  let first = 0;
  for (const segment of row.segments) {
    const [text, count] = typeof segment === "string" ? [segment, 1] : segment;
    pieces.push({ text, first, count });
    first += count;
  }
  const apart = new Set(row.apart);
  return { name: row.name, note: row.note, flat: row.tokens, faces, pieces, nTokens: first, apart };
}

/** Gives the face of a row's token by its place in the row. */
export function faceAt(row, index) {
  return row.faces.get(row.flat[index * NUMBERS_PER_TOKEN]);
}

/** Gives [byte start, byte end, character start, character end] of a row's token. */
export function spanAt(row, index) {
  const at = index * NUMBERS_PER_TOKEN;
  return row.flat.slice(at + 1, at + NUMBERS_PER_TOKEN);
}

/**
 * Cuts a row into blocks of about 500 tokens: [[first piece, end piece], ...].
 * A block begins on a line of its own, so a cut is made after a newline; only in a text that has
 * none for 3,000 tokens a line ends early there (without the sign of a newline), because a single
 * block of that many is slow to scroll.
 */
export function planChunks(pieces, enough = CHUNK_TOKENS, most = MOST_TOKENS) {
  const chunks = [];
  let start = 0;
  let nTokens = 0;
  pieces.forEach((piece, index) => {
    nTokens += piece.count;
    if (nTokens >= most || (nTokens >= enough && piece.text.endsWith("\n"))) {
      chunks.push([start, index + 1]);
      [start, nTokens] = [index + 1, 0];
    }
  });
  if (start < pieces.length) chunks.push([start, pieces.length]);
  return chunks;
}

/** Joins the text of some pieces. */
export function textOf(pieces, start = 0, end = pieces.length) {
  let text = "";
  for (let index = start; index < end; index += 1) text += pieces[index].text;
  return text;
}

/** Finds the piece that a token belongs to, by halving. */
export function pieceOf(pieces, tokenIndex) {
  let [low, high] = [0, pieces.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (pieces[middle].first <= tokenIndex) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Estimates how many lines a text takes when it wraps at about `columns` characters. */
export function estimateLines(text, columns) {
  let lines = 0;
  for (const line of text.split("\n")) lines += Math.max(1, Math.ceil(line.length / columns));
  return lines;
}
