// The sentences of the stage: what merges now and why, with the arithmetic. Pure: a sentence is
// a list of parts, and a part is plain text, {token: id}, {word: label}, or {together: parts}
// for what stays on one line; the view draws them.

import { mergeBefore } from "./trace_model.js";
import { formatNumber, nameOf, speakable } from "./tokens.js";
import { shorten } from "./stage_dom.js";

/** Return the heading of a position: "Merge 3 of 744". */
export function headingAt(model, step) {
  return `Merge ${formatNumber(step)} of ${formatNumber(model.nSteps)}`;
}

/** Return the sentences that explain the merge before `step`, the first one being its sum. */
export function explanationAt(model, step) {
  const merge = mergeBefore(model, step);
  if (!merge) return [startSentence(model)];
  const sentences = [sumSentence(merge)];
  if (merge.tied > 1) sentences.push(tieSentence(merge, model.trace.tie_rule));
  if (merge.replaced < merge.count) sentences.push(overlapSentence(merge));
  return sentences;
}

/** Return the one sentence that a small stage shows for the merge before `step`. */
export function shortSentenceAt(model, step) {
  const merge = mergeBefore(model, step);
  if (!merge) return [startSentence(model)];
  const times = merge.count === 1 ? "once" : `${formatNumber(merge.count)} times`;
  const lead = [...pairParts(merge.pair), ` stands together ${times}, `];
  const reason =
    merge.tied > 1
      ? `as often as ${plural(merge.tied - 1, "other pair")}; the rule picks it, and it becomes `
      : "more than any other pair, so it becomes ";
  return [[...lead, reason, { token: merge.token }, "."]];
}

/** Spell the parts of a sentence for readers of the screen. */
export function spokenText(model, parts) {
  return parts.map((part) => spokenPart(model, part)).join("");
}

/** Return "1 word", "2 words", "1,204 words". */
export function plural(count, noun) {
  return `${formatNumber(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** Say of how many words the stage shows only a part, or "" when it shows all. */
export function shownWordsNote(model) {
  const { words, n_words: total } = model.trace;
  if (words.length >= total) return plural(total, "word");
  return `the ${formatNumber(words.length)} most frequent of ${plural(total, "word")}`;
}

/** Say how many words that hold the pair of the merge before `step` are not drawn at all. */
export function hiddenWordsNote(model, step) {
  const merge = mergeBefore(model, step);
  if (!merge) return "";
  const hidden = merge.n_words - merge.at.length - merge.also.length;
  if (hidden <= 0) return "";
  return `and ${plural(hidden, "more word")} ${hidden === 1 ? "holds" : "hold"} this pair`;
}

/** Return the lines of the algorithm; the player lights them by their names. */
export function algorithmLines(model) {
  const target = formatNumber(model.trace.base_size + model.nSteps);
  return [
    ["count", "Count every pair of neighbours, each word as often as it occurs."],
    ["take", `Take the pair with the highest count. On a tie: ${model.trace.tie_rule}.`],
    ["replace", "Replace it by one new token everywhere, from left to right."],
    ["write", "Write the rule down. The vocabulary has one token more."],
    ["repeat", `Repeat, here until the vocabulary holds ${target}.`],
  ];
}

function startSentence(model) {
  const { base_size: size, n_words: words } = model.trace;
  const start = `The vocabulary holds ${plural(size, "token")}, and no merge is made yet: `;
  return [`${start}${words === 1 ? "the word is a row" : "each word is a row"} of single symbols.`];
}

function pairParts([left, right]) {
  return [{ together: [{ token: left }, " + ", { token: right }] }];
}

function termParts([label, occurrences, count]) {
  const weight = formatNumber(count);
  const number = occurrences > 1 ? ` ${occurrences} × ${weight}` : ` ${weight}`;
  return [{ together: [{ word: shorten(label) }, number] }];
}

function sumSentence(merge) {
  const parts = [...pairParts(merge.pair), ": "];
  merge.why.forEach((term, index) => parts.push(...(index ? [" + "] : []), ...termParts(term)));
  const told = merge.why.reduce((sum, [, occurrences, count]) => sum + occurrences * count, 0);
  const untold = merge.n_words - merge.why.length;
  if (untold > 0) {
    parts.push(` + ${formatNumber(merge.count - told)} in ${plural(untold, "more word")}`);
  }
  const alone = merge.n_words === 1 && merge.why[0]?.[1] === 1;
  parts.push(alone ? ", the highest" : ` = ${formatNumber(merge.count)}, the highest`);
  return parts;
}

function tieSentence(merge, rule) {
  const listed = [merge.pair, ...merge.ties];
  const parts = [`${plural(merge.tied, "pair")} tie at ${formatNumber(merge.count)}: `];
  listed.forEach((pair, index) => parts.push(...(index ? [", "] : []), ...pairParts(pair)));
  if (merge.tied > listed.length) parts.push(` and ${formatNumber(merge.tied - listed.length)} more`);
  parts.push(`. The rule decides (${rule}): `, ...pairParts(merge.pair));
  return parts;
}

function overlapSentence(merge) {
  const numbers = `counted ${formatNumber(merge.count)}, replaced ${formatNumber(merge.replaced)}`;
  const [token] = merge.pair;
  return [
    `${numbers}: where `, { token }, " repeats, neighbouring pairs share a token (",
    { token }, " ", { token }, " ", { token },
    " counts twice), and a token can be joined only once",
  ];
}

function spokenPart(model, part) {
  if (typeof part === "string") return part;
  if (part.together) return spokenText(model, part.together);
  if (part.word !== undefined) return speakable(part.word);
  const face = model.faces.get(part.token);
  return face ? shorten(nameOf(face), 60) : `token ${part.token}`;
}
