// Half of a surrogate pair (as broken programs put on the clipboard) cannot be sent to the server:
// Streamlit drops the whole message, and with it whatever the reader does until the text is mended.
// So it becomes U+FFFD as it enters a text box, in plain sight.

let isOn = false;

/** Watch all text boxes of the window, from now on; mounted again it does nothing more. */
export default function inputGuard() {
  if (isOn) return;
  isOn = true;
  window.addEventListener("input", mend, { capture: true });
}

/** Replace what is half a pair; while an input method composes, its halves are left alone. */
function mend({ target, isComposing }) {
  const kind = [HTMLTextAreaElement, HTMLInputElement].find((kind) => target instanceof kind);
  if (!kind || isComposing) return;
  const mended = wellFormed(target.value);
  if (mended === target.value) return;
  const { selectionStart, selectionEnd } = target;
  // The setter of the prototype: React watches the element's own and would miss the change.
  Object.getOwnPropertyDescriptor(kind.prototype, "value").set.call(target, mended);
  target.setSelectionRange(selectionStart, selectionEnd);
}

/** Return the text with U+FFFD for every surrogate that stands alone. */
function wellFormed(text) {
  return text.replace(/\p{Surrogate}/gu, "\ufffd");
}
