// The controls of the stage: buttons, slider with marks, number box and speed. They only say
// what the reader wants; the player decides what happens, and `drawTransport` shows it.

import { formatNumber } from "./tokens.js";
import { make, makeIcon } from "./stage_dom.js";

const SPEEDS = [0.5, 1, 2, 4, 8, 15, 30, 60];
const ICONS = {
  first: "M6 5h2.4v14H6zM19 5v14L9.5 12z",
  previous: "M16.5 5v14L7 12z",
  play: "M7.5 4.5v15L20 12z",
  pause: "M7 5h3.6v14H7zM13.4 5H17v14h-3.6z",
  next: "M7.5 5v14L17 12z",
  last: "M15.6 5H18v14h-2.4zM5 5v14l9.5-7z",
};
const MARKS_HEIGHT = 8;
// More marks than this would run into one bar; then shades say where ties are how common.
const MOST_MARKS = 120;
const N_SHADES = 60;

/** Make the controls; `wants` holds first, previous, toggle, next, last, seek(n), speed(n). */
export function createTransport(wants) {
  const bar = make("div", "transport");
  const buttons = makeButtons(wants);
  const slider = makeSlider(wants);
  const box = makeNumberBox(wants);
  const speed = makeSpeed(wants);
  const note = make("p", "transport-note");
  note.setAttribute("role", "status");
  const fields = make("div", "fields");
  fields.append(box.field, speed.field);
  bar.append(buttons.group, slider.track, fields, note);
  return { bar, ...buttons, ...slider, ...box, ...speed, note, nSteps: 0 };
}

/** Take a new window: the range of the slider and its marks. */
export function loadTransport(view, model, tied) {
  view.nSteps = model.nSteps;
  view.slider.max = String(model.nSteps);
  view.box.max = String(model.nSteps);
  view.total.textContent = `of ${formatNumber(model.nSteps)}`;
  view.box.style.setProperty("--digits", String(Math.max(2, String(model.nSteps).length)));
  view.marks.replaceChildren(...makeMarks(model, tied));
  view.marks.setAttribute("viewBox", `0 0 ${Math.max(1, model.nSteps)} ${MARKS_HEIGHT}`);
  view.legend.hidden = tied.length === 0;
  view.legend.textContent =
    tied.length > MOST_MARKS
      ? `Darker: more ties decided, ${formatNumber(tied.length)} in all`
      : "Marks: a tie was decided";
}

/** Show the state of the player in the controls. */
export function drawTransport(view, { position, playing, speed, waitingFor }) {
  const filled = view.nSteps ? position / view.nSteps : 0;
  view.slider.value = String(position);
  view.slider.style.setProperty("--filled", String(filled));
  view.slider.setAttribute("aria-valuetext", `Merge ${formatNumber(position)} of ${formatNumber(view.nSteps)}`);
  if (view.box !== view.box.getRootNode().activeElement || playing) view.box.value = String(position);
  view.speed.value = String(speed);
  setDisabled([view.first, view.previous], position === 0 && waitingFor === null);
  setDisabled([view.next, view.last], position === view.nSteps && waitingFor === null);
  setDisabled([view.toggle], view.nSteps === 0);
  if (view.toggle.dataset.shows !== (playing ? "pause" : "play")) showToggle(view.toggle, playing);
  if (waitingFor !== null) showNote(view, `Loading merges around ${formatNumber(waitingFor)} …`);
  else if (view.note.dataset.kind === "loading") showNote(view, "");
}

function makeButtons(wants) {
  const group = make("div", "buttons");
  const first = makeButton("First", ICONS.first, wants.first);
  const previous = makeButton("Previous merge", ICONS.previous, wants.previous);
  const toggle = make("button", "button toggle");
  toggle.type = "button";
  onPress(toggle, wants.toggle);
  const next = makeButton("Next merge", ICONS.next, wants.next);
  const last = makeButton("Last", ICONS.last, wants.last);
  group.append(first, previous, toggle, next, last);
  return { group, first, previous, toggle, next, last };
}

function makeButton(name, icon, wanted) {
  const button = make("button", "button");
  button.type = "button";
  button.setAttribute("aria-label", name);
  button.title = name;
  button.append(makeIcon(icon));
  onPress(button, wanted);
  return button;
}

// A button at its end stays focusable, so that keyboard readers do not lose their place.
function onPress(button, wanted) {
  button.addEventListener("click", () => {
    if (button.getAttribute("aria-disabled") !== "true") wanted();
  });
}

function showToggle(toggle, playing) {
  toggle.dataset.shows = playing ? "pause" : "play";
  const label = playing ? "Pause" : "Play";
  toggle.replaceChildren(makeIcon(playing ? ICONS.pause : ICONS.play), make("span", "toggle-label", label));
}

function setDisabled(buttons, disabled) {
  for (const button of buttons) button.setAttribute("aria-disabled", String(disabled));
}

function makeSlider(wants) {
  const track = make("div", "track");
  const marks = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  marks.setAttribute("class", "marks");
  marks.setAttribute("preserveAspectRatio", "none");
  marks.setAttribute("aria-hidden", "true");
  const slider = make("input", "slider");
  Object.assign(slider, { type: "range", min: "0", max: "0", step: "1" });
  slider.setAttribute("aria-label", "Merge");
  slider.addEventListener("input", () => wants.scrub(Number(slider.value)));
  slider.addEventListener("change", () => wants.seek(Number(slider.value)));
  const legend = make("span", "legend");
  track.append(marks, slider, legend);
  return { track, slider, marks, legend };
}

// All marks are one path; a band shows which merges are loaded.
function makeMarks(model, tied) {
  const marks =
    tied.length > MOST_MARKS
      ? makeShades(model.nSteps, tied)
      : [makeShape("path", "ties", { d: tied.map((step) => `M${step} 0v${MARKS_HEIGHT}`).join("") })];
  if (model.start === 0 && model.stop === model.nSteps) return marks;
  return [makeShape("path", "loaded", { d: `M${model.start} ${MARKS_HEIGHT}H${model.stop}` }), ...marks];
}

// One piece of the slider each, as dark as the share of its merges that decided a tie.
function makeShades(nSteps, tied) {
  const width = nSteps / N_SHADES;
  const numbers = new Array(N_SHADES).fill(0);
  for (const step of tied) numbers[Math.min(N_SHADES - 1, Math.floor((step - 1) / width))] += 1;
  return numbers.map((number, index) =>
    makeShape("rect", "shade", {
      x: index * width,
      width,
      height: MARKS_HEIGHT,
      "fill-opacity": Math.min(1, number / width).toFixed(2),
    }),
  );
}

function makeShape(name, className, attributes) {
  const shape = document.createElementNS("http://www.w3.org/2000/svg", name);
  shape.setAttribute("class", className);
  for (const [attribute, value] of Object.entries(attributes)) shape.setAttribute(attribute, value);
  return shape;
}

function makeNumberBox(wants) {
  const field = make("label", "field");
  const box = make("input", "number");
  Object.assign(box, { type: "number", min: "0", max: "0", step: "1", value: "0" });
  box.setAttribute("aria-label", "Merge");
  const total = make("span", "total");
  field.append(make("span", "field-name", "Merge"), box, total);
  box.addEventListener("change", () => wants.type(box));
  box.addEventListener("keydown", (event) => {
    if (event.key === "Enter") wants.type(box);
  });
  return { field, box, total };
}

function makeSpeed(wants) {
  const field = make("label", "field");
  const speed = make("select", "speed");
  speed.setAttribute("aria-label", "Speed");
  for (const value of SPEEDS) {
    const option = make("option", "", `${value} per second`);
    option.value = String(value);
    speed.append(option);
  }
  speed.addEventListener("change", () => wants.speed(Number(speed.value)));
  field.append(make("span", "field-name", "Speed"), speed);
  return { field, speed };
}

/** Show a message beneath the controls; "" takes it away. */
export function showNote(view, text, kind = "loading") {
  view.note.textContent = text;
  view.note.dataset.kind = text ? kind : "";
  view.box.toggleAttribute("aria-invalid", kind === "error" && text !== "");
}

/** Read a typed merge number: the number, or the message that says what is wrong with it. */
export function readMergeNumber(typed, isNumber, nSteps) {
  const range = nSteps === 0 ? "there is no merge to go to" : `type a number from 0 to ${formatNumber(nSteps)}`;
  const text = typed.trim();
  if (!isNumber || text === "") return { error: `That is not a merge number: ${range}.` };
  const number = Number(text);
  if (!Number.isInteger(number)) return { error: `${text} is not a whole number: ${range}.` };
  if (number < 0 || number > nSteps) return { error: `There is no merge ${formatNumber(number)}: ${range}.` };
  return { number };
}
