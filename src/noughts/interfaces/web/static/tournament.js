// Pages of tournaments: what the server has written is shown again as it changes, and in another language.

import { at } from "./dom.js";
import { begin, keepLooking } from "./page.js";
import { patch } from "./patching.js";

const [EVERY, WHILE_PLAYING] = [5000, 2000]; // milliseconds from look to look
const APART = 30_000; // milliseconds between two times that one hears how many games have ended

let heard = performance.now();

/** Shows what the page tells now; while the server cannot be reached, what it told last. */
async function look() {
  const answer = await fetch(location.href).catch(() => null);
  if (!answer?.ok) return;
  const told = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("told");
  if (!told) return;
  const before = document.activeElement;
  const played = document.getElementById("played")?.textContent;
  patch(at("told"), told);
  if (before instanceof HTMLElement && !before.isConnected) follow(before);
  announce(played);
}

/**
 * A game that has ended is found among those that have: who was at it still is.
 * @param {HTMLElement} before what had the focus
 */
function follow(before) {
  const again = document.querySelector(`#told a[data-game="${before.dataset.game}"]`);
  if (again instanceof HTMLElement) again.focus({ preventScroll: true });
}

/** Says how many games have ended, now and then. @param {string | null | undefined} before */
function announce(before) {
  const played = document.getElementById("played")?.textContent;
  if (!played || played === before || performance.now() - heard < APART) return;
  heard = performance.now();
  at("news").textContent = played;
}

await begin();
keepLooking(look, () => (document.querySelector(".live") ? WHILE_PLAYING : EVERY));
