// Creation of elements. Text is never parsed as markup.

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {Node | string | number | null | undefined | false} Child */

/** @typedef {string | number | boolean | null | undefined} Value */
/**
 * @typedef {{[Name in "click" | "change" | "focus"]?: (event: HTMLElementEventMap[Name]) => void}} Listeners
 */
/** @typedef {Listeners & {[name: string]: Value | ((event: never) => void)}} Attributes */

const BETWEEN_PARTS = /(?<=\d)-(?=\w)/g;

/** Keep moves and fields such as a4-c6 on one line. @param {string | number} text */
const unbroken = (text) => String(text).replace(BETWEEN_PARTS, "\u2011");

/** Return the children without gaps, as nodes and texts. @param {Child[]} children */
function nodesOf(children) {
  const there = children.filter((child) => child !== null && child !== undefined && child !== false);
  return there.map((child) => (child instanceof Node ? child : unbroken(child)));
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
 * Create an HTML element. Functions among the attributes are event listeners.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} attributes
 * @param {...Child} children
 */
export function h(tag, attributes = {}, ...children) {
  return furnished(document.createElement(tag), attributes, children);
}

/**
 * Create an SVG element.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} attributes
 * @param {...Child} children
 */
export function s(tag, attributes = {}, ...children) {
  return furnished(document.createElementNS(SVG, tag), attributes, children);
}

/**
 * Create a decorative picture, which screen readers skip.
 * @param {Attributes} attributes
 * @param {...Child} parts
 */
export function picture(attributes, ...parts) {
  const unread = { viewBox: "0 0 100 100", "aria-hidden": "true", focusable: "false" };
  return s("svg", { ...unread, ...attributes }, ...parts);
}

/** Create an icon for a button from a path in a square of 24. @param {string} d */
export const icon = (d) => picture({ class: "icon", viewBox: "0 0 24 24" }, s("path", { d }));

/**
 * Return the element with an id, which must have the given class.
 * @template {HTMLElement} Kind
 * @param {string} id
 * @param {new () => Kind} kind
 */
function elementAt(id, kind) {
  const element = document.getElementById(id);
  if (!(element instanceof kind)) throw new Error(`no ${kind.name} ${id}`);
  return element;
}

/** @param {string} id */
export const at = (id) => elementAt(id, HTMLElement);

/** @param {string} id */
export const inputAt = (id) => elementAt(id, HTMLInputElement);

/** @param {string} id */
export const selectAt = (id) => elementAt(id, HTMLSelectElement);

/** @param {string} id */
export const formAt = (id) => elementAt(id, HTMLFormElement);

/** Focus the element with a key if possible. @param {string} key @param {ParentNode} within */
export function focusKey(key, within = document) {
  const element = within.querySelector(`[data-key="${key}"]`);
  if (element instanceof HTMLElement || element instanceof SVGElement) element.focus();
}

/**
 * Replace the children of an element. The focus stays on the element with the same key.
 * @param {Element} element
 * @param {...Child} children
 */
export function fill(element, ...children) {
  const focused = document.activeElement;
  const key = focused && element.contains(focused) ? focused.getAttribute("data-key") : null;
  const keyed = new Map(
    [...element.querySelectorAll("input[data-key], details[data-key]")].map(
      (old) => [old.getAttribute("data-key"), old],
    ),
  );
  element.replaceChildren(...nodesOf(children));
  for (const [name, old] of keyed) {
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
    setTimeout(() => { // the click has been handled by then
      for (const draw of waiting) draw();
      waiting.clear();
    });
  }, true);
}

/**
 * Draw after the end of a press, since a button that is replaced during a press has no effect.
 * @param {() => void} draw
 */
export function afterPress(draw) {
  if (isPressing) waiting.add(draw);
  else draw();
}

/**
 * Focus the board if the focused element has been removed.
 * @param {Element | null} held the focused element before the update
 */
export function restoreFocus(held) {
  if (held && !held.isConnected && document.activeElement === document.body) focusBoard();
}

function focusBoard() {
  const cell = document.querySelector("#board [role=gridcell][tabindex='0']");
  if (cell instanceof SVGElement) cell.focus({ preventScroll: true });
}

/**
 * Listen for Escape, which cancels the current input and focuses the board. Menus and fields handle it
 * themselves.
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

/** Return the cell, or the top of the column, that an event concerns. @param {EventTarget | null} target */
export function cellAt(target) {
  const element = target instanceof Element ? target.closest("[data-index]") : null;
  return element ? Number(element.getAttribute("data-index")) : null;
}
