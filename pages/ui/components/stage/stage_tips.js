// The details of the token one points at, or of a focused token of the rule, beside it.

import { Tooltip } from "../token_view/tooltip.js";

/** Show details for every token inside `root`; `facesOf()` gives the faces of the moment. */
export function createTips(root, facesOf) {
  const tooltip = new Tooltip();
  root.append(tooltip.element);
  const showFor = (event) => {
    const token = event.target.closest?.("[data-token-id]");
    const face = token && facesOf().get(Number(token.dataset.tokenId));
    if (face) tooltip.show(token, face, facesOf(), null);
    else tooltip.hide();
  };
  root.addEventListener("pointerover", showFor);
  root.addEventListener("focusin", showFor);
  for (const name of ["pointerleave", "focusout", "pointerdown"]) {
    root.addEventListener(name, () => tooltip.hide());
  }
  root.addEventListener("scroll", () => tooltip.hide(), { capture: true, passive: true });
  root.addEventListener("keydown", (event) => {
    if (event.key === "Escape") tooltip.hide();
  });
  return tooltip;
}
