// The life of a stage in the page: mounted once, fed with traces, stopped when it is unmounted.
// Streamlit calls the default export at mount, and again on new data or another theme.

import { holdsStep } from "./trace_model.js";
import { applyTheme, createParts, layOut, loadParts, makeHooks, refit } from "./stage_assembly.js";
import { createTransport, readMergeNumber, showNote } from "./transport.js";
import {
  createPlayer, isMoving, loadWindow, passTime, pause, play, seek, shownPosition, stepBack, stepForward,
} from "./player.js";
import { prefersStill } from "./stage_motion.js";

const NEWLINE = 10;
const GENTLE_SPEED = 0.5;
const LONGEST_FRAME = 250;
const OWN_KEYS = "input[type=number], select, summary";
const stages = new WeakMap();
// Where stages were left, by the signature of their trace: a reader who comes back from another
// page goes on from there. Kept in the window, since this module may be loaded anew by then.
const REMEMBERED = 20;
const leftAt = (globalThis.bpeStagesLeftAt ??= new Map());

/** Mount a stage, or feed the one that is mounted. */
export default function stageComponent({ data, parentElement, setTriggerValue }) {
  const message = readMessage(data);
  let stage = stages.get(parentElement);
  if (!stage) {
    stage = mountStage(parentElement, message.header);
    stages.set(parentElement, stage);
  }
  stage.askWindow = (step) => setTriggerValue("window", step);
  feedStage(stage, message);
  return () => unmountStage(stage, parentElement);
}

// The data is one line of JSON, then the trace: so the trace is only parsed when it is new.
function readMessage(data) {
  const end = data.indexOf(NEWLINE);
  const decoder = new TextDecoder();
  const header = JSON.parse(decoder.decode(data.subarray(0, end)));
  return { header, readTrace: () => JSON.parse(decoder.decode(data.subarray(end + 1))) };
}

function mountStage(parentElement, header) {
  const parts = createParts(header.compact);
  const stage = { parts, player: null, sig: null, nonce: null, frame: 0, width: 0, askWindow: null };
  const hooks = makeHooks(parts, () => stage.player, (step) => stage.askWindow(step));
  const changed = () => {
    hooks.changed();
    keepTime(stage);
  };
  stage.player = createPlayer({ ...hooks, changed }, prefersStill);
  parts.transport = createTransport(makeWants(stage));
  layOut(parts);
  parentElement.append(parts.root);
  parts.root.addEventListener("keydown", (event) => handleKey(stage, event));
  stage.observer = new ResizeObserver(() => refitStage(stage));
  stage.observer.observe(parts.root);
  stage.onFonts = () => refitStage(stage, true);
  document.fonts.addEventListener("loadingdone", stage.onFonts);
  return stage;
}

function feedStage(stage, { header, readTrace }) {
  applyTheme(stage.parts);
  const isNew = stage.sig !== header.sig;
  const first = stage.sig === null;
  if (first) returnToPlace(stage, header);
  if (isNew) loadTrace(stage, header, readTrace());
  if (header.goto && header.goto[1] !== stage.nonce) obeyGoto(stage, header.goto, first);
  if (first && header.autoplay && !prefersStill()) {
    Object.assign(stage.player, { looping: true, speed: GENTLE_SPEED });
    play(stage.player);
  }
}

// A step of null is where the stage stands: it waits for no other window any more.
function obeyGoto(stage, [step, nonce], first) {
  const { player } = stage;
  stage.nonce = nonce;
  if (step === null) {
    pause(player);
    seek(player, player.position);
    return;
  }
  if (!first) bringIntoView(stage.parts.root);
  if (step !== player.position) seek(player, step);
}

// Whoever sends the stage somewhere, say from the merge list below it, wants to see it there.
function bringIntoView(root) {
  const { top, bottom } = root.getBoundingClientRect();
  if (top >= 0 && top < window.innerHeight / 2) return;
  if (bottom <= 0 || top < 0) root.scrollIntoView({ block: "start", behavior: prefersStill() ? "auto" : "smooth" });
}

function returnToPlace(stage, { sig, autoplay }) {
  const place = leftAt.get(sig);
  if (autoplay || !place) return;
  stage.player.position = place.step;
  stage.nonce = place.nonce;
}

function rememberPlace(stage) {
  leftAt.delete(stage.sig);
  leftAt.set(stage.sig, { step: shownPosition(stage.player), nonce: stage.nonce });
  if (leftAt.size > REMEMBERED) leftAt.delete(leftAt.keys().next().value);
}

function loadTrace(stage, header, trace) {
  const { player, parts } = stage;
  const wanted = player.waitingFor ?? shownPosition(player);
  stage.sig = header.sig;
  loadParts(parts, trace, header.sentence);
  stage.width = parts.root.clientWidth;
  loadWindow(player, parts.model, holdsStep(parts.model, wanted) ? wanted : nearest(parts.model, wanted));
  player.hooks.changed();
}

function nearest(model, step) {
  return Math.min(Math.max(step, model.start), model.stop);
}

function makeWants(stage) {
  const halt = () => pause(stage.player);
  const moved = (move) => () => {
    halt();
    showNote(stage.parts.transport, "");
    move();
  };
  const goTo = (step) => moved(() => seek(stage.player, step))();
  return {
    first: () => goTo(0),
    previous: moved(() => stepBack(stage.player)),
    toggle: () => (stage.player.playing ? pause(stage.player) : play(stage.player)),
    next: moved(() => stepForward(stage.player)),
    last: () => goTo(stage.player.nSteps),
    seek: goTo,
    scrub: (step) => scrub(stage, step),
    type: (box) => typeNumber(stage, box),
    speed: (speed) => changeSpeed(stage, speed),
  };
}

// While the thumb is dragged outside the loaded merges nothing is asked for; its release asks.
function scrub(stage, step) {
  pause(stage.player);
  if (holdsStep(stage.parts.model, step)) seek(stage.player, step);
  else stage.parts.transport.slider.value = String(step);
}

function typeNumber(stage, box) {
  const { number, error } = readMergeNumber(box.value, !box.validity.badInput, stage.player.nSteps);
  pause(stage.player);
  if (error) {
    box.value = String(shownPosition(stage.player));
    showNote(stage.parts.transport, error, "error");
    return;
  }
  showNote(stage.parts.transport, "");
  seek(stage.player, number);
}

function changeSpeed(stage, speed) {
  if (stage.player.looping) pause(stage.player);
  stage.player.speed = speed;
}

function handleKey(stage, event) {
  const target = event.composedPath()[0];
  if (event.altKey || event.ctrlKey || event.metaKey || target.matches?.(OWN_KEYS)) return;
  const wants = makeWants(stage);
  const actions = new Map([
    [" ", wants.toggle], ["ArrowRight", wants.next], ["ArrowLeft", wants.previous],
    ["Home", wants.first], ["End", wants.last],
  ]);
  const action = actions.get(event.key);
  // A focused button is pressed by the space bar, as everywhere.
  if (!action || (event.key === " " && target.matches("button"))) return;
  event.preventDefault();
  action();
}

function keepTime(stage) {
  if (stage.frame || !isMoving(stage.player)) return;
  let before = performance.now();
  const tick = (now) => {
    const passed = Math.min(Math.max(now - before, 0), LONGEST_FRAME);
    before = now;
    // stage.frame stays set meanwhile, so that what is called from here starts no second clock.
    passTime(stage.player, passed);
    stage.frame = isMoving(stage.player) ? requestAnimationFrame(tick) : 0;
  };
  stage.frame = requestAnimationFrame(tick);
}

function refitStage(stage, forced = false) {
  const width = stage.parts.root.clientWidth;
  if (!stage.parts.model || width === 0 || (width === stage.width && !forced)) return;
  stage.width = width;
  const position = shownPosition(stage.player);
  stage.player.beat = null;
  refit(stage.parts);
  stage.player.position = position;
  stage.player.hooks.show(position);
}

function unmountStage(stage, parentElement) {
  rememberPlace(stage);
  cancelAnimationFrame(stage.frame);
  Object.assign(stage.player, { playing: false, beat: null });
  stage.observer.disconnect();
  document.fonts.removeEventListener("loadingdone", stage.onFonts);
  stage.parts.root.remove();
  stages.delete(parentElement);
}
