// How things move: tokens that slide together and become one, bars that fall, pairs that enter.
// Everything is measured first and then played with the Web Animations API on top of a document
// that already shows the result, so stopping a motion at any time leaves the right picture.

// With more joins than this at once the eye cannot follow, and the tokens only fade over.
const MOST_SLIDES = 80;
const SLIDE = "cubic-bezier(0.45, 0, 0.15, 1)";
const SETTLE = "cubic-bezier(0.2, 0.7, 0.2, 1)";

/** Tell whether the reader asked for as little motion as possible. */
export function prefersStill() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Make the keeper of the motions that are playing. */
export function createMotion() {
  return { playing: new Set(), ghosts: new Set() };
}

/** Stop every motion and show its end. */
export function stopMotion(motion) {
  for (const animation of motion.playing) animation.cancel();
  for (const ghost of motion.ghosts) ghost.remove();
  motion.playing.clear();
  motion.ghosts.clear();
}

/** Measure where every token of the rows stands; call before and after a change. */
export function measureRows(rows) {
  const places = new Map();
  for (const row of rows) {
    for (const token of row.tokens) places.set(token, token.getBoundingClientRect());
  }
  return places;
}

/** Play the second beat: each left and right slide together while their joint token appears. */
export function slideTogether(motion, rows, joins, before, duration) {
  const after = measureRows(rows);
  const frames = rows.map((row) => row.element.getBoundingClientRect());
  const isNew = new Set();
  const withGhosts = joins.flat().length <= MOST_SLIDES;
  rows.forEach((row, index) => {
    for (const join of joins[index]) {
      isNew.add(join.made);
      playJoin(motion, { ...join, row, frame: frames[index], withGhosts }, before, after, duration);
    }
  });
  for (const [token, place] of after) {
    if (!isNew.has(token) && before.has(token)) follow(motion, token, before.get(token), place, duration);
  }
}

/** Play the change of the bars: rows that stay glide to their place, new ones enter. */
export function moveBars(motion, { before, after }, duration) {
  const height = after[0]?.element.offsetHeight ?? 0;
  after.forEach((row, index) => {
    const was = before.get(row);
    if (!was) enter(motion, row, duration);
    else if (was.index !== index || was.share !== row.share) {
      const lift = `translateY(${(was.index - index) * height}px)`;
      animate(motion, row.element, [{ transform: lift }, { transform: "none" }], duration, SETTLE);
      const shares = [{ transform: `scaleX(${was.share})` }, { transform: `scaleX(${row.share})` }];
      animate(motion, row.fill, shares, duration, SETTLE);
    }
  });
}

function enter(motion, row, duration) {
  const rise = [{ opacity: 0, transform: "translateX(14px)" }, { opacity: 1, transform: "none" }];
  animate(motion, row.element, rise, duration, SETTLE);
  const grow = [{ transform: "scaleX(0)" }, { transform: `scaleX(${row.share})` }];
  animate(motion, row.fill, grow, duration, SETTLE);
}

// The ghosts of the two old tokens travel to where their letters stand in the new token, which
// appears beneath them: so the letters never jump, only the seam between them closes.
function playJoin(motion, { left, right, made, row, frame, withGhosts }, before, after, duration) {
  const target = after.get(made);
  const [from, to] = [before.get(left), before.get(right)];
  if (!target || !from || !to) return;
  const level = withGhosts && Math.abs(from.top - to.top) < 2 && Math.abs(from.top - target.top) < 2;
  const timing = level ? [0, 0.5, 0.75, 1] : [0, 0.2, 0.6, 1];
  const appear = [0, 0, 1, 1].map((opacity, index) => ({ opacity, offset: timing[index] }));
  animate(motion, made, appear, duration, "linear");
  if (!level) return;
  // Letters travel above both boxes, so that neither box hides the letters of the other.
  for (const part of ["ghost-box", "ghost-text"]) {
    addGhost(motion, [left, part], row, frame, from, target.left - from.left, duration);
    addGhost(motion, [right, part], row, frame, to, target.right - to.right, duration);
  }
}

// Only transform and opacity move, which the browser's compositor plays without painting anew.
function addGhost(motion, [token, part], row, frame, from, shift, duration) {
  const ghost = token.cloneNode(true);
  ghost.removeAttribute("data-token-id");
  ghost.classList.add("ghost", part);
  ghost.setAttribute("aria-hidden", "true");
  ghost.style.left = `${from.left - frame.left}px`;
  ghost.style.top = `${from.top - frame.top}px`;
  ghost.style.width = `${from.width}px`;
  row.element.append(ghost);
  motion.ghosts.add(ghost);
  const across = `translateX(${shift}px)`;
  const frames = [
    { transform: "none", opacity: 1, easing: SLIDE },
    { transform: across, opacity: 1, offset: 0.68 },
    { transform: across, opacity: 0 },
  ];
  animate(motion, ghost, frames, duration, "linear", () => {
    ghost.remove();
    motion.ghosts.delete(ghost);
  });
}

// A token that changes lines would fly across the others; it fades in at its new place instead.
function follow(motion, token, from, to, duration) {
  const [across, down] = [from.left - to.left, from.top - to.top];
  if (Math.abs(across) < 0.5 && Math.abs(down) < 0.5) return;
  const frames =
    Math.abs(down) < 2
      ? [{ transform: `translateX(${across}px)` }, { transform: "none" }]
      : [{ opacity: 0 }, { opacity: 1 }];
  animate(motion, token, frames, duration * 0.68, SLIDE);
}

function animate(motion, element, frames, duration, easing, whenDone = null) {
  const animation = element.animate(frames, { duration, easing });
  motion.playing.add(animation);
  animation.onfinish = () => {
    motion.playing.delete(animation);
    whenDone?.();
  };
}
