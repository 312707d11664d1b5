// Making elements. Text is always set as text: a name that looks like markup stays a name.

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {Node | string | number | null | undefined | false} Child */

/** @typedef {string | number | boolean | null | undefined} Value */
/**
 * @typedef {{[Name in "click" | "change" | "focus"]?: (event: HTMLElementEventMap[Name]) => void}} Listeners
 */
/** @typedef {Listeners & {[name: string]: Value | ((event: never) => void)}} Attributes */

const BETWEEN_PARTS = /(?<=\d)-(?=\w)/g;

/** A text in which moves and fields, as a4-c6, stay on one line. @param {string | number} text */
const whole = (text) => String(text).replace(BETWEEN_PARTS, "\u2011");

/** The children that are there, as nodes and texts. @param {Child[]} children */
function nodesOf(children) {
  const there = children.filter((child) => child !== null && child !== undefined && child !== false);
  return there.map((child) => (child instanceof Node ? child : whole(child)));
}

/** @template {Element} T @param {T} element @param {Attributes} attributes @param {Child[]} children */
function furnished(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, /** @type {EventListener} */ (value));
    else if (value === true) element.setAttribute(name, "");
    else if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(name, String(value));
    }
  }
  element.append(...nodesOf(children));
  return element;
}

/**
 * An element of HTML; a function among the attributes listens to the event of that name.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} attributes
 * @param {...Child} children
 */
export function h(tag, attributes = {}, ...children) {
  return furnished(document.createElement(tag), attributes, children);
}

/**
 * An element of SVG.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} attributes
 * @param {...Child} children
 */
export function s(tag, attributes = {}, ...children) {
  return furnished(document.createElementNS(SVG, tag), attributes, children);
}

/** A picture that nobody reads out. @param {Attributes} attributes @param {...Child} parts */
export function picture(attributes, ...parts) {
  const unread = { viewBox: "0 0 100 100", "aria-hidden": "true", focusable: "false" };
  return s("svg", { ...unread, ...attributes }, ...parts);
}

/** A picture on a button: a path in a square of 24. @param {string} d */
export const icon = (d) => picture({ class: "icon", viewBox: "0 0 24 24" }, s("path", { d }));

/**
 * The element of a kind with an id that the page has.
 * @template {HTMLElement} Kind
 * @param {string} id
 * @param {new () => Kind} kind
 */
function elementAt(id, kind) {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`no ${kind.name} ${id}`);
  return found;
}

/** @param {string} id */
export const at = (id) => elementAt(id, HTMLElement);

/** @param {string} id */
export const inputAt = (id) => elementAt(id, HTMLInputElement);

/** @param {string} id */
export const selectAt = (id) => elementAt(id, HTMLSelectElement);

/** @param {string} id */
export const formAt = (id) => elementAt(id, HTMLFormElement);

/** Gives the focus to what has a key, if it can have it. @param {string} key @param {ParentNode} within */
export function focusKey(key, within = document) {
  const found = within.querySelector(`[data-key="${key}"]`);
  if (found instanceof HTMLElement || found instanceof SVGElement) found.focus();
}

/**
 * Puts children in place of what an element holds; whoever has the focus keeps it if one with the same key
 * comes again.
 * @param {Element} element
 * @param {...Child} children
 */
export function fill(element, ...children) {
  const focused = document.activeElement;
  const key = focused && element.contains(focused) ? focused.getAttribute("data-key") : null;
  const kept = new Map(
    [...element.querySelectorAll("input[data-key], details[data-key]")].map(
      (old) => [old.getAttribute("data-key"), old],
    ),
  );
  element.replaceChildren(...nodesOf(children));
  for (const [name, old] of kept) {
    const now = element.querySelector(`[data-key="${name}"]`);
    if (
      now instanceof HTMLInputElement && old instanceof HTMLInputElement && !now.readOnly &&
      now.type !== "checkbox"
    ) now.value = old.value;
    if (now instanceof HTMLDetailsElement && old instanceof HTMLDetailsElement) now.open = old.open;
  }
  const again = key === null ? null : element.querySelector(`[data-key="${key}"]`);
  if (again instanceof HTMLElement) again.focus();
}

let isPressing = false;
/** @type {Set<() => void>} */ const waiting = new Set();
addEventListener("pointerdown", () => {
  isPressing = true;
}, true);
for (const end of ["pointerup", "pointercancel", "blur"]) {
  addEventListener(end, () => {
    isPressing = false;
    setTimeout(() => { // the press has done what it does by then
      for (const draw of waiting) draw();
      waiting.clear();
    });
  }, true);
}

/**
 * Draws what others have changed, but not under somebody's finger: a button that is built again in mid-press
 * does nothing.
 * @param {() => void} draw
 */
export function afterPress(draw) {
  if (isPressing) waiting.add(draw);
  else draw();
}

/**
 * Gives the focus to the board where what had it is gone: a choice that was made, a question that was
 * answered.
 * @param {Element | null} held what had it before the page was built again
 */
export function rescueFocus(held) {
  if (held && !held.isConnected && document.activeElement === document.body) focusBoard();
}

function focusBoard() {
  const cell = document.querySelector("#board [role=gridcell][tabindex='0']");
  if (cell instanceof SVGElement) cell.focus({ preventScroll: true });
}

/**
 * At Escape what was begun is dropped, and the board has the focus again; menus and fields keep theirs.
 * @param {() => void} drop
 */
export function listenForEscape(drop) {
  addEventListener("keydown", (event) => {
    if (
      event.key !== "Escape" ||
      (event.target instanceof Element &&
        event.target.closest(".menu, .codes, select, input:not([type=checkbox])"))
    ) return;
    drop();
    focusBoard();
  });
}

/** The cell, or the top of the column, that an event is about. @param {EventTarget | null} target */
export function cellAt(target) {
  const found = target instanceof Element ? target.closest("[data-index]") : null;
  return found ? Number(found.getAttribute("data-index")) : null;
}
