// Parts of every page: its language, its menus, and a field for the code of a room in its header.

import { at } from "./dom.js";
import { begin as beginToSpeak, onLanguage } from "./i18n.js";
import { listenForCode } from "./joining.js";

/** Closes a menu by Escape, or by a click elsewhere. @param {HTMLElement} box @param {() => void} close */
function listenToLeave(box, close) {
  box.addEventListener("keydown", (event) => event.key === "Escape" && close());
  addEventListener("click", (event) => {
    if (event.target instanceof Node && !box.contains(event.target)) box.classList.remove("open");
  });
}

/** The button that shows the field where there is little room. */
function listenForField() {
  const [box, button] = [at("codes"), at("codes-show")];
  const show = (/** @type {boolean} */ is) => {
    box.classList.toggle("open", is);
    button.setAttribute("aria-expanded", String(is));
    (is ? at("code") : button).focus();
  };
  button.addEventListener("click", () => show(!box.classList.contains("open")));
  listenToLeave(box, () => box.classList.contains("open") && show(false));
}

/**
 * Looks at once, in each language, when the page is seen again, and again and again.
 * @param {() => Promise<unknown>} look
 * @param {() => number} wait milliseconds until the next time; Infinity for never
 */
export function keepLooking(look, wait) {
  const later = () => wait() < Infinity && setTimeout(again, wait());
  const again = async () => {
    if (!document.hidden) await look().catch(() => undefined);
    later();
  };
  onLanguage(look);
  later();
  document.addEventListener("visibilitychange", () => document.hidden || look());
}

/** Begins a page: it speaks, and lets people in by a code. */
export async function begin() {
  await beginToSpeak();
  listenForField();
  listenForCode();
}
