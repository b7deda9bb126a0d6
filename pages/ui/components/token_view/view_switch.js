// The control "Show": text, pieces, ids or bytes.

const VIEW_NAMES = new Map([["text", "Text"], ["pieces", "Pieces"], ["ids", "Ids"], ["bytes", "Bytes"]]);
let nSwitches = 0; // radio buttons belong together by a name that must be unique in their tree

/** Makes the radio group; `onChange` is called with the view that was chosen. */
export function makeViewSwitch(onChange) {
  const group = document.createElement("div");
  group.className = "switch";
  group.setAttribute("role", "radiogroup");
  group.setAttribute("aria-label", "Show");
  const name = `token-view-${(nSwitches += 1)}`;
  for (const [view, title] of VIEW_NAMES) {
    const label = document.createElement("label");
    const input = document.createElement("input");
    input.type = "radio";
    input.name = name;
    input.value = view;
    input.setAttribute("aria-label", `${title} view`); // "Text" alone may name a field of the page
    input.addEventListener("change", () => onChange(view));
    const text = document.createElement("span");
    text.textContent = title;
    label.append(input, text);
    group.append(label);
  }
  return group;
}

/** Marks a view as the chosen one. */
export function chooseView(group, view) {
  group.querySelector(`input[value="${view}"]`).checked = true;
}
