// Puts the parts of the stage together and tells them what to draw in each beat of a merge.

import { setScheme } from "./tokens.js";
import { createModel, mergeBefore, sentenceJoinsAt, tiedMerges } from "./trace_model.js";
import { make } from "./stage_dom.js";
import { createTips } from "./stage_tips.js";
import {
  createWordsView, drawWords, joinWords, lightWords, loadWords, lockSlots, touchedRows, unlight,
} from "./words_view.js";
import { createBarsView, drawBars, lightBar, loadBars } from "./bars_view.js";
import { createMotion, measureRows, moveBars, slideTogether, stopMotion } from "./stage_motion.js";
import { drawTransport, loadTransport } from "./transport.js";
import {
  createAlgorithm, createLedger, createLedgerHelp, createSentence, createStatus, drawLedger, drawSentence,
  drawStatus, lightLines, lightSentence, loadAlgorithm, loadLedger, loadSentence, reserveStatus,
} from "./stage_panels.js";
import { shownPosition } from "./player.js";

const BARS = 10;
const BARS_COMPACT = 6;

/** Make all parts and the root element that holds them; nothing is loaded yet. */
export function createParts(compact) {
  const parts = {
    root: make("section", "stage"),
    compact,
    model: null,
    status: createStatus(),
    ledger: createLedger(),
    help: createLedgerHelp(),
    words: createWordsView(),
    bars: createBarsView(),
    sentence: createSentence(),
    algorithm: createAlgorithm(),
    motion: createMotion(),
    transport: null,
  };
  parts.root.classList.toggle("compact", compact);
  parts.root.tabIndex = 0;
  parts.root.setAttribute("aria-label", "Merges, step by step");
  parts.root.setAttribute("aria-keyshortcuts", "Space ArrowLeft ArrowRight Home End");
  return parts;
}

/** Lay the parts out in the root; the transport is made by now. */
export function layOut(parts) {
  const head = make("div", "head");
  head.append(parts.status.header, parts.ledger.list, parts.status.lines, parts.status.live);
  const body = make("div", "body");
  const left = make("div", "left");
  const right = make("div", "right");
  left.append(parts.words.words.section);
  right.append(parts.bars.pane.section);
  if (!parts.compact) {
    left.append(parts.words.also.section, parts.sentence.pane.section);
  }
  Object.assign(parts, { left, right });
  body.append(left, right);
  parts.root.append(head, parts.transport.bar, body);
  if (!parts.compact) parts.root.append(parts.help);
  parts.tips = createTips(parts.root, () => parts.model.faces);
}

/** Take a new trace: model, slots, bars, marks and lines. */
export function loadParts(parts, trace, sentence) {
  parts.model = createModel(trace, sentence);
  const { model } = parts;
  stopMotion(parts.motion);
  loadWords(parts.words, model);
  if (parts.compact) parts.words.also.section.hidden = true;
  loadBars(parts.bars, model, parts.compact ? BARS_COMPACT : BARS);
  loadTransport(parts.transport, model, tiedMerges(model));
  if (parts.compact) parts.sentence.pane.section.hidden = true;
  else loadSentence(parts.sentence, model);
  loadAlgorithm(parts.algorithm, model);
  loadLedger(parts.ledger, model);
  placeAlgorithm(parts);
  reserveStatus(parts.status, model, parts.compact);
}

// The lines stand in the shorter of two columns, or last where there is one.
function placeAlgorithm(parts) {
  if (parts.compact) return;
  parts.algorithm.pane.section.remove();
  const beside = parts.left.offsetTop === parts.right.offsetTop;
  const shorter = beside && heightOf(parts.left) < heightOf(parts.right) ? parts.left : parts.right;
  shorter.append(parts.algorithm.pane.section);
}

function heightOf(column) {
  const last = [...column.children].filter((child) => !child.hidden).at(-1);
  return last ? last.offsetTop + last.offsetHeight : 0;
}

/** Fit the slots to another width or font. */
export function refit(parts) {
  parts.sentence.strip.style.minHeight = "";
  lockSlots(parts.words);
  placeAlgorithm(parts);
  reserveStatus(parts.status, parts.model, parts.compact);
}

/** Recompute what depends on the theme. */
export function applyTheme(parts) {
  setScheme(parts.root);
}

/** Make the hooks by which a player draws; `player()` gives it, `need(step)` asks for a window. */
export function makeHooks(parts, player, need) {
  return {
    light: (step) => drawFirstBeat(parts, player(), step),
    join: (step, duration) => drawSecondBeat(parts, step, duration),
    settle: (step, duration) => drawThirdBeat(parts, step, duration),
    show: (step) => drawAtOnce(parts, player(), step),
    need,
    changed: () => drawControls(parts, player()),
  };
}

function drawControls(parts, player) {
  drawTransport(parts.transport, { ...player, position: shownPosition(player) });
  parts.status.live.setAttribute("aria-live", player.playing ? "off" : "polite");
  parts.root.dataset.playing = String(player.playing);
}

function drawAtOnce(parts, player, step) {
  const { model } = parts;
  stopMotion(parts.motion);
  parts.tips.hide();
  parts.root.dataset.step = String(step);
  drawStatus(parts.status, model, step, { quiet: player.playing, compact: parts.compact });
  drawWords(parts.words, step);
  drawBars(parts.bars, step);
  lightBar(parts.bars, null);
  drawLedger(parts.ledger, model, step);
  drawSentence(parts.sentence, model, step);
  lightLines(parts.algorithm, restingLines(model, step));
}

function drawFirstBeat(parts, player, step) {
  const { model } = parts;
  stopMotion(parts.motion);
  parts.tips.hide();
  drawStatus(parts.status, model, step, { quiet: player.playing, compact: parts.compact });
  unlight(parts.words);
  lightWords(parts.words, step);
  lightBar(parts.bars, step);
  if (!parts.sentence.pane.section.hidden) lightSentence(parts.sentence, model, step);
  lightLines(parts.algorithm, ["take"]);
}

function drawSecondBeat(parts, step, duration) {
  const { model } = parts;
  const { token } = mergeBefore(model, step);
  const touched = [...touchedRows(parts.words, step), ...touchedInSentence(parts, step)];
  const rows = touched.map(({ row }) => row);
  const before = measureRows(rows);
  const joins = joinWords(parts.words, touched, token);
  slideTogether(parts.motion, rows, joins, before, duration);
  parts.root.dataset.step = String(step);
  drawLedger(parts.ledger, model, step);
  lightLines(parts.algorithm, ["replace", "write"]);
}

function drawThirdBeat(parts, step, duration) {
  unlight(parts.words);
  const change = drawBars(parts.bars, step);
  lightBar(parts.bars, null);
  moveBars(parts.motion, change, duration);
  drawSentence(parts.sentence, parts.model, step);
  lightLines(parts.algorithm, restingLines(parts.model, step));
}

function touchedInSentence(parts, step) {
  if (parts.sentence.pane.section.hidden) return [];
  const touched = [];
  for (const [index, { before }] of sentenceJoinsAt(parts.model, step)) {
    const row = parts.sentence.rows[index];
    if (row) touched.push({ row, positions: before });
  }
  return touched;
}

// At rest the bars are counted for the next round; at the end nothing is repeated any more.
function restingLines(model, step) {
  return step < model.nSteps ? ["count"] : ["repeat"];
}
