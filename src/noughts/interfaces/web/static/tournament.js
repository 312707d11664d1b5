// The pages of tournaments, which the server renders: they are updated periodically and in other languages.

import { at } from "./dom.js";
import { begin, lookPeriodically } from "./page.js";
import { patch } from "./dom_patch.js";

const [EVERY, WHILE_PLAYING] = [5000, 2000]; // milliseconds between updates
const APART = 30_000; // milliseconds between announcements of the number of finished games

let heard = performance.now();

/** Update the page. While the server cannot be reached, it keeps its content. */
async function look() {
  const answer = await fetch(location.href).catch(() => null);
  if (!answer?.ok) return;
  const content = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById(
    "tournament-content",
  );
  if (!content) return;
  const before = document.activeElement;
  const played = document.getElementById("played")?.textContent;
  patch(at("tournament-content"), content);
  if (before instanceof HTMLElement && !before.isConnected) follow(before);
  announce(played);
}

/**
 * Move the focus from a running game to its entry among the finished ones.
 * @param {HTMLElement} before the element that had the focus
 */
function follow(before) {
  const again = document.querySelector(`#tournament-content a[data-game="${before.dataset.game}"]`);
  if (again instanceof HTMLElement) again.focus({ preventScroll: true });
}

/** Announce the number of finished games to screen readers. @param {string | null | undefined} before */
function announce(before) {
  const played = document.getElementById("played")?.textContent;
  if (!played || played === before || performance.now() - heard < APART) return;
  heard = performance.now();
  at("news").textContent = played;
}

await begin();
lookPeriodically(look, () => (document.querySelector(".live") ? WHILE_PLAYING : EVERY));
