// Where the reader is in the run and how the next merge comes about. Pure of the document: it
// is told the time that passed and calls hooks, which draw. A merge has three beats: its pair
// lights up, the two tokens join (here the position changes), the counts settle.

// Merges a second from which steps follow one another without beats.
const NO_BEATS_FROM = 7;
const MOST_STEPS_A_FRAME = 8;
const BEATS_BY_HAND = 1300;
const LONGEST_BEATS = 1700;
const SHARES = { light: 0.44, join: 0.34, settle: 0.22 };
const HOLD_AT_END = 3200;
const HOLD_AT_START = 1200;

/**
 * Make a player. Hooks: light(step, ms), join(step, ms), settle(step, ms), show(step) draw;
 * need(step) asks for another window; changed() tells that controls must be redrawn.
 */
export function createPlayer(hooks, isStill) {
  return {
    hooks, isStill, start: 0, stop: 0, nSteps: 0, position: 0,
    playing: false, looping: false, speed: 1, budget: 0, beat: null, waitingFor: null, hold: 0,
  };
}

/** Take a window of merges [start, stop] of a run of nSteps and stand at `position`. */
export function loadWindow(player, { start, stop, nSteps }, position) {
  Object.assign(player, { start, stop, nSteps, beat: null, waitingFor: null });
  showAt(player, Math.min(Math.max(position, start), stop));
}

/** Return the position the controls show: the merge under way counts as reached. */
export function shownPosition(player) {
  return player.beat ? player.beat.step : player.position;
}

/** Go to a position at once; outside the window, ask for it. */
export function seek(player, step) {
  finishBeats(player);
  const wanted = Math.min(Math.max(step, 0), player.nSteps);
  if (wanted < player.start || wanted > player.stop) {
    player.waitingFor = wanted;
    player.hooks.need(wanted);
    player.hooks.changed();
    return;
  }
  player.waitingFor = null;
  if (wanted !== player.position) showAt(player, wanted);
  player.hooks.changed();
}

/** Play the next merge in its beats, or at once for readers who want no motion. */
export function stepForward(player) {
  finishBeats(player);
  const next = player.position + 1;
  if (next > player.nSteps) return;
  if (next > player.stop || player.isStill()) seek(player, next);
  else startBeats(player, next, BEATS_BY_HAND);
}

/** Take the last merge back at once. */
export function stepBack(player) {
  finishBeats(player);
  seek(player, player.position - 1);
}

/** Start playing; from the start again when the end is reached. */
export function play(player) {
  if (player.nSteps === 0) return;
  if (player.position === player.nSteps) seek(player, 0);
  Object.assign(player, { playing: true, budget: 1, hold: 0 });
  player.hooks.changed();
}

/** Stop playing; a merge under way is played to its end. */
export function pause(player) {
  Object.assign(player, { playing: false, looping: false });
  player.hooks.changed();
}

/** Tell whether time must go on for this player. */
export function isMoving(player) {
  return player.playing || player.beat !== null;
}

/** Let `passed` milliseconds go by. */
export function passTime(player, passed) {
  if (player.beat) passBeats(player, passed);
  if (!player.playing || player.waitingFor !== null) return;
  if (player.hold > 0) {
    player.hold -= passed;
    if (player.hold <= 0 && player.position === player.nSteps) restartLoop(player);
    return;
  }
  player.budget = Math.min(player.budget + (passed * player.speed) / 1000, MOST_STEPS_A_FRAME);
  if (!player.beat && player.budget >= 1) playOn(player);
}

function playOn(player) {
  if (player.position >= player.nSteps) {
    if (player.looping) player.hold = HOLD_AT_END;
    else pause(player);
    return;
  }
  const withBeats = player.speed < NO_BEATS_FROM && !player.isStill() && player.position < player.stop;
  const steps = withBeats ? 1 : Math.floor(player.budget);
  player.budget -= steps;
  if (withBeats) {
    startBeats(player, player.position + 1, Math.min(950 / player.speed, LONGEST_BEATS));
    return;
  }
  const reachable = player.position < player.stop ? player.stop : player.nSteps;
  seek(player, Math.min(player.position + steps, reachable));
}

function restartLoop(player) {
  seek(player, 0);
  Object.assign(player, { hold: HOLD_AT_START, budget: 1 });
}

function startBeats(player, step, length) {
  player.beat = { step, length, elapsed: 0, name: "light" };
  player.hooks.light(step, length * SHARES.light);
  player.hooks.changed();
}

function passBeats(player, passed) {
  const { beat } = player;
  beat.elapsed += passed;
  if (beat.name === "light" && beat.elapsed >= beat.length * SHARES.light) {
    beat.name = "join";
    player.position = beat.step;
    player.hooks.join(beat.step, beat.length * SHARES.join);
  } else if (beat.name === "join" && beat.elapsed >= beat.length * (SHARES.light + SHARES.join)) {
    beat.name = "settle";
    player.hooks.settle(beat.step, beat.length * SHARES.settle);
  } else if (beat.name === "settle" && beat.elapsed >= beat.length) {
    player.beat = null;
    player.hooks.changed();
  }
}

function finishBeats(player) {
  if (!player.beat) return;
  const { step } = player.beat;
  player.beat = null;
  showAt(player, step);
}

function showAt(player, step) {
  player.position = step;
  player.hooks.show(step);
}
