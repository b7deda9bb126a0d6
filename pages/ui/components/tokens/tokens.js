// How one token looks and what is said of it, the same on every page.
// A face is what is known of a token (pages/ui/view_models.py makes them). Text of users is only
// ever set as text; every stand-in is CSS-generated content, so that textContent stays theirs.

const SPEAKABLE = new Map([
  [" ", "space"], ["\n", "newline"], ["\t", "tab"], ["\r", "carriage return"],
  ["\u00A0", "no-break space"], ["\u200D", "zero width joiner"],
  ["\u200C", "zero width non-joiner"], ["\uFEFF", "byte order mark"], ["\0", "null"],
]);
const STAND_INS = new Map([[" ", ["space", "·"]], ["\n", ["newline", "↵"]], ["\t", ["tab", "→"]]]);

// White space, controls, format characters, unassigned and private code points, fillers.
const INVISIBLE = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u;
const MARK_FIRST = /^\p{M}/u;
const EMOJI = /^(?:\p{Extended_Pictographic}|\p{Regional_Indicator}|[0-9#*]\uFE0F)/u;
const DANGLING = /[\u200D]+$/u;
const GRAPHEMES = new Intl.Segmenter("en", { granularity: "grapheme" });
const NUMBER = new Intl.NumberFormat("en-US");

/** Formats a number with thousands separators: 1234 -> "1,234". */
export function formatNumber(value) {
  return NUMBER.format(value);
}

/** Names a code point: "\u200D" -> "U+200D". */
export function codePointLabel(character) {
  return "U+" + character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
}

/** Says whether the text holds anything that needs a stand-in. */
export function hasInvisible(text) {
  return INVISIBLE.test(text) || MARK_FIRST.test(text);
}

function standIn(kind, label, character) {
  const element = document.createElement("span");
  element.className = `stand-in ${kind}`;
  element.dataset.mark = label;
  element.textContent = character;
  return element;
}

// The character itself stays in the text, unseen and isolated: a control neither draws a box of
// its own nor turns the direction of what follows.
function codeStandIn(character) {
  const element = standIn("code", codePointLabel(character), "");
  const real = document.createElement("span");
  real.className = "unseen";
  real.textContent = character;
  element.append(real);
  return element;
}

function standInFor(character) {
  const known = STAND_INS.get(character);
  return known ? standIn(known[0], known[1], character) : codeStandIn(character);
}

// An emoji sequence holds joiners and selectors that belong to its picture: it is drawn whole,
// except for a joiner left over at its end, which joins nothing.
function emojiLength(grapheme) {
  if (!EMOJI.test(grapheme)) return 0;
  return grapheme.replace(DANGLING, "").length;
}

function appendGrapheme(element, grapheme) {
  const whole = emojiLength(grapheme);
  let plain = grapheme.slice(0, whole);
  for (const character of grapheme.slice(whole)) {
    if (!INVISIBLE.test(character)) {
      plain += character;
      continue;
    }
    if (plain) element.append(plain);
    element.append(standInFor(character));
    plain = "";
  }
  if (plain) element.append(plain);
}

/** Appends a text so that nothing in it is invisible; the element's textContent grows by it. */
export function appendVisible(element, text) {
  if (!hasInvisible(text)) {
    element.append(text);
    return;
  }
  let plain = "";
  for (const { segment, index } of GRAPHEMES.segment(text)) {
    const leadingMark = index === 0 && MARK_FIRST.test(segment);
    if (!leadingMark && !INVISIBLE.test(segment)) {
      plain += segment;
      continue;
    }
    if (plain) element.append(plain);
    plain = "";
    if (leadingMark && !INVISIBLE.test(segment)) element.append(standIn("base", "◌", segment));
    else appendGrapheme(element, segment);
  }
  if (plain) element.append(plain);
  element.normalize();
}

/** Spaces hexadecimal out by bytes: "e282" -> "e2 82". */
export function spacedHex(hex) {
  return hex.replace(/(..)(?=.)/g, "$1 ");
}

function decimalBytes(hex) {
  return (hex.match(/../g) ?? []).map((pair) => String(Number.parseInt(pair, 16))).join(" ");
}

function fillText(token, face, text) {
  if (face.text === null && !text) token.dataset.hex = spacedHex(face.hex);
  else appendVisible(token, text ?? "");
  if (text?.includes("\n")) token.classList.add("breaks");
  if (text?.endsWith("\n")) token.classList.add("ends-line");
  if (face.marker) token.dataset.marker = face.marker;
}

function fillIds(token, face) {
  token.textContent = String(face.id);
}

function fillBytes(token, face) {
  token.textContent = spacedHex(face.hex);
  if (face.marker) token.dataset.marker = face.marker;
}

const FILL = new Map([["text", fillText], ["pieces", fillText], ["ids", fillIds], ["bytes", fillBytes]]);

/**
 * Draws one token as an element; `view` is "text", "pieces", "ids" or "bytes".
 * In the text and pieces views its textContent is exactly `text`, the characters it stands for.
 */
export function drawToken(face, view = "text", text = face.text) {
  const token = document.createElement("span");
  token.className = `token c${face.color}`;
  token.dataset.tokenId = String(face.id);
  token.dataset.kind = face.kind;
  token.dataset.view = view;
  FILL.get(view)(token, face, text);
  return token;
}

/** Spells a text with names for what cannot be seen: " a\n" -> "space a newline". */
export function speakable(text) {
  let spoken = "";
  for (const character of text) {
    const invisible = INVISIBLE.test(character);
    spoken += invisible ? ` ${SPEAKABLE.get(character) ?? codePointLabel(character)} ` : character;
  }
  return spoken.replace(/ {2,}/g, " ").trim();
}

/** Says what a token stands for, for readers of the screen: "space the", "bytes e2 82". */
export function nameOf(face) {
  const name = face.text === null ? `bytes ${spacedHex(face.hex)}` : speakable(face.text);
  const marked = face.marker ? `${name} end-of-word marker ${face.marker}`.trim() : name;
  if (face.kind === "special") return `special token ${marked}`;
  return face.kind === "unknown" ? `unknown token ${marked}` : marked;
}

function parentNames(face, faces) {
  const parents = [faces.get(face.left), faces.get(face.right)];
  return parents.every(Boolean) ? parents.map(nameOf).join(" + ") : null;
}

/** Describes a token in one line: "est, id 11, bytes 65 73 74, merge 2 of es + t, counted 9". */
export function describeToken(face, faces) {
  const parts = [nameOf(face), `id ${face.id}`];
  if (face.hex && face.text !== null) parts.push(`bytes ${spacedHex(face.hex)}`);
  if (face.rank !== null) {
    const parents = parentNames(face, faces);
    parts.push(`merge ${formatNumber(face.rank + 1)}` + (parents ? ` of ${parents}` : ""));
  }
  if (face.count !== null) parts.push(`counted ${formatNumber(face.count)}`);
  return parts.join(", ");
}

const ORIGIN = new Map([
  ["special", "special token, given before training"],
  ["unknown", "unknown token, for characters not seen in training"],
  ["marker", "end-of-word marker, a base symbol"],
]);

function birthRows(face, faces) {
  if (face.rank === null) return [["Origin", ORIGIN.get(face.kind) ?? "base symbol"]];
  const rows = [["Rank", `${formatNumber(face.rank)} (merge ${formatNumber(face.rank + 1)})`]];
  if (face.count !== null) rows.push(["Count", `${formatNumber(face.count)} when merged`]);
  const parents = parentNames(face, faces);
  if (parents) rows.push(["Parents", parents]);
  return rows;
}

function rangeText(start, end, unit) {
  const size = end - start;
  const range = `${formatNumber(start)} to ${formatNumber(end)}`;
  return `${range}, ${formatNumber(size)} ${unit}${size === 1 ? "" : "s"}`;
}

/**
 * Lists what is known of a token as [label, value] rows, for tooltips and panels.
 * `span` is null or [byte start, byte end, character start, character end] in the user's text.
 */
export function detailRows(face, faces, span = null) {
  const rows = [["Id", String(face.id)], ["Content", nameOf(face)]];
  if (face.hex) rows.push(["Bytes", spacedHex(face.hex)], ["Decimal", decimalBytes(face.hex)]);
  if (span) {
    rows.push(["Byte range", rangeText(span[0], span[1], "byte")]);
    rows.push(["Character range", rangeText(span[2], span[3], "character")]);
  }
  return rows.concat(birthRows(face, faces));
}

function luminance(color) {
  const [red, green, blue] = (color.match(/[\d.]+/g) ?? [255, 255, 255]).map(Number);
  return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
}

function themeBackground(root) {
  const declared = getComputedStyle(root).getPropertyValue("--st-background-color").trim();
  if (!declared) return matchMedia("(prefers-color-scheme: dark)").matches ? "rgb(0,0,0)" : "rgb(255,255,255)";
  // The browser turns any notation of a colour into rgb() when it is asked for a used value.
  const probe = document.createElement("span");
  probe.style.color = declared;
  root.append(probe);
  const used = getComputedStyle(probe).color;
  probe.remove();
  return used;
}

/** Sets data-scheme to "light" or "dark" on the root, from the theme's background colour. */
export function setScheme(root) {
  root.dataset.scheme = luminance(themeBackground(root)) < 0.5 ? "dark" : "light";
}
