// Streamlit draws the content of an open popover at the end of the document and leaves the focus on
// its button: Tab would walk through the whole page first, behind the popover. Here Tab goes from
// the button into the popover, round in it, and Escape back to the button.

let isOn = false;

const TABBABLE =
  "a[href], button:not([disabled]), input:not([disabled]), textarea:not([disabled]), [tabindex]";

/** Watch the keys of the window, from now on; mounted again it does nothing more. */
export default function popoverKeys() {
  if (isOn) return;
  isOn = true;
  window.addEventListener("keydown", onKey, { capture: true });
}

function onKey(event) {
  if (event.key !== "Tab" && event.key !== "Escape") return;
  const button = document.querySelector('button[aria-haspopup="dialog"][aria-expanded="true"]');
  const content = button && openContent();
  if (!content) return;
  if (event.key === "Tab") goOn(event, button, content);
  else if (content.contains(document.activeElement)) leave(button, content);
}

// A modal dialog has a focus of its own, and a popover is not open beneath it.
function openContent() {
  return document.querySelector('body > div [role="dialog"]:not([aria-modal="true"], section *)');
}

function goOn(event, button, content) {
  const stops = [...content.querySelectorAll(TABBABLE)].filter(isStop);
  const at = stops.indexOf(document.activeElement);
  // A widget that was drawn anew loses the focus: then the document has it.
  const isOutside = [button, document.body].includes(document.activeElement);
  if (at < 0 && !isOutside) return;
  const next = event.shiftKey ? at - 1 : at + 1;
  const isInside = at >= 0 && next >= 0 && next < stops.length;
  if (isInside || (isOutside && event.shiftKey) || !stops.length) return;
  event.preventDefault();
  (isOutside ? stops[0] : button).focus();
}

// While the focus is elsewhere, Streamlit takes the content out of the order of Tab and notes what
// the index of each element was.
function isStop(element) {
  const isTakenOut = "tabindex" in element.dataset && element.dataset.tabindex !== "-1";
  return (element.tabIndex >= 0 || isTakenOut) && element.checkVisibility();
}

function leave(button, content) {
  // An open list of options closes first, then the popover.
  if (content.querySelector('[aria-expanded="true"]')) return;
  requestAnimationFrame(() => {
    if (button.getAttribute("aria-expanded") === "true") button.click();
    button.focus();
  });
}
