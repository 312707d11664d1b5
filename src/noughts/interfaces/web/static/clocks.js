// Clocks that run: what stands on them, and how who is to move hears that time runs out.

import { at } from "./dom.js";
import { language, say } from "./i18n.js";
import { sound } from "./sound.js";

// milliseconds of a clock that is underlined, and whose tenths are shown
const [LOW, HURRY] = [20_000, 10_000];
const TOLD = [10, 30, 60]; // seconds at which it is said how many are left

/** @type {number | null} The seconds of who is to move here, when they were last looked at. */
let warned = null;

/**
 * Writes the time on all clocks of the page.
 * @param {Pick<Api.ClockMessage, "left" | "running"> | null} clock as the server told it
 * @param {number} heardAt when it did
 * @param {boolean} isOffline
 * @param {(string | null)[]} own the sides of who looks on
 */
export function tick(clock, heardAt, isOffline, own) {
  const passed = performance.now() - heardAt;
  for (const shown of document.querySelectorAll("[data-clock]")) {
    const side = shown.getAttribute("data-clock") ?? "";
    const left = clock?.left[side];
    if (left === undefined) continue;
    const isRunning = clock?.running === side && !isOffline;
    const now = isRunning ? left - passed : left;
    const text = clockText(now);
    if (shown.textContent !== text) shown.textContent = text;
    shown.classList.toggle("low", isRunning && now < LOW);
    if (isRunning && own.includes(side)) warn(now);
  }
}

/** Lets who is to move hear that time runs out. @param {number} left */
function warn(left) {
  const seconds = Math.ceil(left / 1000);
  if (seconds === warned) return;
  const told = TOLD.find((one) => seconds <= one && one < (warned ?? 0));
  warned = seconds;
  if (left < HURRY) sound("tick");
  if (told !== undefined) at("timer").textContent = say("web-seconds-left", { count: seconds });
}

/**
 * Milliseconds as minutes and seconds; the last seconds with their tenths, unless they do not run.
 * @param {number} left
 * @param {boolean} [isStill]
 */
export function clockText(left, isStill = false) {
  if (!isStill && left > 0 && left < HURRY) {
    return (Math.ceil(left / 100) / 10).toLocaleString(language(), { minimumFractionDigits: 1 });
  }
  const seconds = Math.max(0, Math.ceil(left / 1000));
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
