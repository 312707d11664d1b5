// What every page has: its language, its menus, and a field for the code of a room in its header.

import { at } from "./dom.js";
import { begin as beginToSpeak } from "./i18n.js";
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

/** Begins a page: it speaks, and lets people in by a code. */
export async function begin() {
  await beginToSpeak();
  listenForField();
  listenForCode();
}
