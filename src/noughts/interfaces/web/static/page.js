// Parts of every page: the language, the menus, and the field for a room code in the header.

import { ask } from "./api.js";
import { at } from "./dom.js";
import { begin as beginToSpeak, onLanguage } from "./i18n.js";
import { listenForCode } from "./code_form.js";
import { isSignedIn, renewSession } from "./identity.js";

/** Close a menu on Escape or on a click outside. @param {HTMLElement} box @param {() => void} close */
function listenToLeave(box, close) {
  box.addEventListener("keydown", (event) => event.key === "Escape" && close());
  addEventListener("click", (event) => {
    if (event.target instanceof Node && !box.contains(event.target)) box.classList.remove("open");
  });
}

/** Listen to the button that shows the code field in narrow windows. */
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
 * Call a function now, in each language, when the page becomes visible, and periodically.
 * @param {() => Promise<unknown>} look
 * @param {() => number} wait milliseconds until the next call, or Infinity
 */
export function lookPeriodically(look, wait) {
  const later = () => wait() < Infinity && setTimeout(again, wait());
  const again = async () => {
    if (!document.hidden) await look().catch(() => undefined);
    later();
  };
  onLanguage(look);
  later();
  document.addEventListener("visibilitychange", () => document.hidden || look());
}

/** Mark the menu if the inbox of the player has new notes. */
async function markNews() {
  const inbox = isSignedIn() ? await ask("/api/inbox").catch(() => null) : null;
  for (const id of ["languages", "to-games"]) at(id).classList.toggle("news", Boolean(inbox?.new));
}

/** Register the service worker once the page is loaded. Browsers offer none over plain HTTP. */
function registerServiceWorker() {
  if (!("serviceWorker" in navigator)) return;
  const register = () => navigator.serviceWorker.register("/service-worker.js").catch(() => undefined);
  if (document.readyState === "complete") register();
  else addEventListener("load", register);
}

/** Load the language of a page and set up its header. */
export async function begin() {
  await beginToSpeak();
  listenForField();
  listenForCode();
  registerServiceWorker();
  markNews();
  renewSession().catch(() => undefined); // the reader stays a guest then
}
