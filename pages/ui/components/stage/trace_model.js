// What the words, the sentence and the numbers are at any step of a trace. Pure: no document.
//
// A trace carries where each merge happens (positions from the engine), so this module only
// applies positions; it never looks for pairs. Token lists are never changed in place: a merge
// makes new lists for the words it touches, and all other words keep theirs. So two states can
// be compared, and kept, by reference.

const CHECKPOINT_EVERY = 64;

/** Prepare a trace (and the user's own sentence, or null) for reading at any step. */
export function createModel(trace, sentence = null) {
  const shown = sentence ?? trace.sentence ?? null;
  const faces = new Map(trace.faces.map((face) => [face.id, face]));
  for (const face of shown?.faces ?? []) if (!faces.has(face.id)) faces.set(face.id, face);
  const checkpoints = makeCheckpoints(trace);
  return {
    trace,
    faces,
    start: trace.start,
    stop: trace.stop,
    nSteps: trace.n_steps,
    sentence: shown,
    tokensAt: countTokens(trace),
    checkpoints,
    last: { offset: 0, words: checkpoints[0] },
    extents: measureExtents(trace),
    sentenceCache: null,
  };
}

/** Tell whether the state after `step` merges can be drawn from this window of the trace. */
export function holdsStep(model, step) {
  return step >= model.start && step <= model.stop;
}

/** Return the merge that led to position `step` (merge number `step`, from 1), or null. */
export function mergeBefore(model, step) {
  return model.trace.steps[step - model.start - 1] ?? null;
}

/** Join the tokens at `positions` with their right neighbours: [1,2,1,2] at [0,2] -> [9,9]. */
export function joinAt(ids, positions, token) {
  const joined = [];
  let next = 0;
  for (let index = 0; index < ids.length; index += 1) {
    if (index === positions[next]) {
      joined.push(token);
      next += 1;
      index += 1;
    } else {
      joined.push(ids[index]);
    }
  }
  return joined;
}

/** Apply one merge to the words' token lists; untouched words keep the very same list. */
export function applyMerge(words, merge) {
  const after = words.slice();
  for (const [word, ...positions] of merge.at) {
    after[word] = joinAt(words[word], positions, merge.token);
  }
  return after;
}

/** Return the token lists of the shown words after `step` merges. */
export function wordsAt(model, step) {
  const offset = step - model.start;
  const checkpoint = Math.floor(offset / CHECKPOINT_EVERY);
  let index = checkpoint * CHECKPOINT_EVERY;
  let words = model.checkpoints[checkpoint];
  // Going on from the state last asked for keeps the lists of all words untouched since.
  if (model.last.offset >= index && model.last.offset <= offset) ({ offset: index, words } = model.last);
  for (; index < offset; index += 1) words = applyMerge(words, model.trace.steps[index]);
  model.last = { offset, words };
  return words;
}

/** Return, for each word the merge before `step` touched, where its new tokens stand now. */
export function freshAt(model, step) {
  const merge = mergeBefore(model, step);
  const fresh = new Map();
  for (const [word, ...positions] of merge?.at ?? []) fresh.set(word, afterJoin(positions));
  return fresh;
}

/** Turn positions before a merge into those of the new tokens after it: [0, 2, 5] -> [0, 1, 3]. */
export function afterJoin(positions) {
  return positions.map((position, joinedBefore) => position - joinedBefore);
}

/** Return the numbers of the ledger after `step` merges. */
export function ledgerAt(model, step) {
  const { trace } = model;
  const tokens = model.tokensAt[step - model.start];
  const saved = mergeBefore(model, step)?.replaced ?? 0;
  return {
    vocabularySize: trace.base_size + step,
    tokens,
    bytesPerToken: tokens > 0 ? trace.n_bytes / tokens : 0,
    saved,
    savedShare: tokens + saved > 0 ? saved / (tokens + saved) : 0,
  };
}

/** Return the user's sentence after `step` merges: a list of token lists, one a pre-token. */
export function sentenceAt(model, step) {
  const { sentence } = model;
  if (!sentence) return [];
  const cache = model.sentenceCache;
  const behind = cache && cache.step <= step;
  let lists = behind ? cache.lists : sentence.pre_tokens;
  let next = behind ? cache.next : 0;
  while (next < sentence.events.length && sentence.events[next][0] < step) {
    const [rank, preToken, position] = sentence.events[next];
    lists = lists.slice();
    // Ids are given in training order, so a merge's token follows from its rank alone, also
    // for merges outside this window.
    lists[preToken] = joinAt(lists[preToken], [position], model.trace.base_size + rank);
    next += 1;
  }
  model.sentenceCache = { step, lists, next };
  return lists;
}

/**
 * Return what the merge before `step` joins in the sentence: for each pre-token it touches, the
 * places of the pairs before it and of the new tokens after it.
 */
export function sentenceJoinsAt(model, step) {
  const joins = new Map();
  for (const [rank, preToken, position] of model.sentence?.events ?? []) {
    if (rank !== step - 1) continue;
    if (!joins.has(preToken)) joins.set(preToken, { before: [], after: [] });
    const { before, after } = joins.get(preToken);
    // Events tell places at their moment, when the joins to their left have been made.
    before.push(position + after.length);
    after.push(position);
  }
  return joins;
}

/** Return how many tokens of the window's first state a token covers. */
export function extentOf(model, id) {
  return model.extents.get(id) ?? 1;
}

/**
 * Return how many leading tokens of `ids` cover at most `extent` tokens of the window's start;
 * the first is always counted, however much it covers.
 */
export function tokensWithin(model, ids, extent) {
  let covered = 0;
  for (let index = 0; index < ids.length; index += 1) {
    covered += extentOf(model, ids[index]);
    if (covered > extent) return Math.max(1, index);
  }
  return ids.length;
}

/** Return the steps (merge numbers, from 1) at which a tie was decided, of the whole run if known. */
export function tiedMerges(model) {
  if (model.trace.tied_merges) return model.trace.tied_merges;
  const tied = [];
  model.trace.steps.forEach((merge, index) => {
    if (merge.tied > 1) tied.push(model.start + index + 1);
  });
  return tied;
}

function countTokens(trace) {
  const counts = [trace.tokens_at_start];
  for (const merge of trace.steps) counts.push(counts[counts.length - 1] - merge.replaced);
  return counts;
}

function makeCheckpoints(trace) {
  let words = trace.words.map(([, , ids]) => ids);
  const checkpoints = [words];
  trace.steps.forEach((merge, index) => {
    words = applyMerge(words, merge);
    if ((index + 1) % CHECKPOINT_EVERY === 0) checkpoints.push(words);
  });
  return checkpoints;
}

// How many tokens of the window's first state each token made in this window covers. Drawing
// a long word only up to a fixed extent then never grows as its tokens become longer.
function measureExtents(trace) {
  const extents = new Map();
  for (const merge of trace.steps) {
    const [left, right] = merge.pair;
    extents.set(merge.token, (extents.get(left) ?? 1) + (extents.get(right) ?? 1));
  }
  return extents;
}
