// The token view: draws what Python sent, and answers to pointer, keyboard and copying.
// Everything here happens in the browser; nothing makes the script run again.
import { setScheme } from "../tokens/tokens.js";
import { copyOriginal } from "./copying.js";
import { layOut } from "./layout.js";
import { Panel } from "./panel.js";
import { placeOf, Rover } from "./roving.js";
import { faceAt, spanAt } from "./row_data.js";
import { Tooltip } from "./tooltip.js";
import { chooseView, makeViewSwitch } from "./view_switch.js";

const TOKEN_VIEWS = new WeakMap(); // by the element Streamlit gives us, which outlives each call

function factsOf({ rowView, index }) {
  return [faceAt(rowView.row, index), rowView.row.faces, spanAt(rowView.row, index)];
}

class TokenView {
  constructor(parent) {
    this.parent = parent;
    this.rowViews = [];
    this.rover = new Rover();
    this.tooltip = new Tooltip();
    this.panel = new Panel();
    this.viewSwitch = makeViewSwitch((view) => this.show(view));
    this.region = document.createElement("div");
    this.region.className = "region";
    this.region.setAttribute("role", "region");
    this.root = document.createElement("div");
    this.root.className = "token-view";
    this.root.append(this.viewSwitch, this.region, this.panel.element, this.tooltip.element);
    parent.append(this.root);
    this.listen();
  }

  listen() {
    const { region } = this;
    region.addEventListener("pointerover", (event) => this.pointAt(event.target));
    region.addEventListener("pointerleave", () => this.tooltip.hide());
    region.addEventListener("focusin", (event) => this.focusOn(event.target));
    region.addEventListener("focusout", () => this.tooltip.hide());
    region.addEventListener("click", (event) => this.click(event.target));
    region.addEventListener("keydown", (event) => this.press(event));
    region.addEventListener("copy", (event) => copyOriginal(event, this.parent, this.rowViews));
    this.onScroll = () => this.tooltip.place();
    window.addEventListener("scroll", this.onScroll, { capture: true, passive: true });
    window.addEventListener("resize", this.onScroll);
    this.onKey = (event) => event.key === "Escape" && this.tooltip.hide();
    window.addEventListener("keydown", this.onKey);
  }

  update(data) {
    setScheme(this.root);
    if (data.sig === this.sig) return;
    this.sig = data.sig;
    this.region.setAttribute("aria-label", data.label);
    for (const rowView of this.rowViews) rowView.close();
    this.rowViews = layOut(this.region, data);
    // The view the user chose stays through new data; the page's choice counts when it changes.
    const view = data.view === this.viewOfPage ? this.view : data.view;
    this.viewOfPage = data.view;
    this.show(view);
  }

  show(view) {
    this.view = view;
    this.root.dataset.view = view;
    chooseView(this.viewSwitch, view);
    this.tooltip.hide();
    this.panel.clear();
    for (const rowView of this.rowViews) rowView.show(view);
    this.rover.reset(this.rowViews);
  }

  pointAt(target) {
    const place = placeOf(target);
    if (place) this.tooltip.show(place.element, ...factsOf(place));
    else this.tooltip.hide();
  }

  focusOn(target) {
    const place = placeOf(target);
    if (!place) return;
    this.rover.makeCurrent(place.rowView, place.index);
    this.tooltip.show(place.element, ...factsOf(place));
  }

  // A click that ends the selecting of text chooses no token.
  click(target) {
    const place = placeOf(target);
    const selection = this.parent.getSelection?.() ?? document.getSelection();
    if (place && selection.isCollapsed) this.pin(place);
  }

  pin(place) {
    this.tooltip.hide();
    this.panel.pin(place.element, ...factsOf(place));
    place.element.scrollIntoView({ block: "nearest" });
  }

  press(event) {
    const place = placeOf(event.target);
    if (!place || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") this.pin(place);
    else if (!this.rover.move(event.key)) return;
    event.preventDefault();
  }

  close() {
    window.removeEventListener("scroll", this.onScroll, { capture: true });
    window.removeEventListener("resize", this.onScroll);
    window.removeEventListener("keydown", this.onKey);
    for (const rowView of this.rowViews) rowView.close();
    this.root.remove();
  }
}

export default function tokenView({ data, parentElement }) {
  if (!TOKEN_VIEWS.has(parentElement)) TOKEN_VIEWS.set(parentElement, new TokenView(parentElement));
  TOKEN_VIEWS.get(parentElement).update(JSON.parse(new TextDecoder().decode(data)));
  return () => {
    TOKEN_VIEWS.get(parentElement)?.close();
    TOKEN_VIEWS.delete(parentElement);
  };
}
