// Running clocks and the warnings when time runs out.

import { at } from "./dom.js";
import { language, say } from "./i18n.js";
import { sound } from "./sound.js";

// milliseconds below which a clock is underlined, and below which it shows tenths
const [LOW, HURRY] = [20_000, 10_000];
const WARNINGS = [10, 30, 60]; // remaining seconds that are announced

/** @type {number | null} The last seen seconds of the player at this device. */
let warned = null;

/**
 * Update all clocks of the page.
 * @param {Pick<Api.ClockMessage, "left" | "running"> | null} clock the last clock from the server
 * @param {number} heardAt the time when it arrived
 * @param {boolean} isOffline
 * @param {(string | null)[]} own the sides of the players at this device
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

/** Warn the player to move that time runs out. @param {number} left */
function warn(left) {
  const seconds = Math.ceil(left / 1000);
  if (seconds === warned) return;
  const limit = WARNINGS.find((one) => seconds <= one && one < (warned ?? 0));
  warned = seconds;
  if (left < HURRY) sound("tick");
  if (limit !== undefined) at("timer").textContent = say("web-seconds-left", { count: seconds });
}

const [MINUTE, DAY] = [60_000, 86_400_000];

/** Return milliseconds in days, hours or minutes, for clocks by days. @param {number} left */
export function daysText(left) {
  const minutes = Math.max(0, Math.ceil(left / MINUTE));
  const hours = Math.floor(minutes / 60);
  if (!hours) return say("time-minutes", { minutes });
  if (hours < 24) return say("time-hours", { hours });
  if (hours % 24 === 0) return say("time-whole-days", { days: hours / 24 });
  return say("time-days", { days: Math.floor(hours / 24), hours: hours % 24 });
}

/**
 * Return a clock by days in words, or null for another one.
 * @param {{per_move?: number | null, base?: number | null, increment?: number}} clock
 */
export function clockByDays({ per_move: move, base, increment = 0 }) {
  if (move && move >= DAY) return say("clock-days", { count: round(move / DAY) });
  if (!base || base < DAY) return null;
  return say("clock-days-more", { days: round(base / DAY), more: round(increment / DAY) });
}

/** @param {number} days */
const round = (days) => Math.round(10 * days) / 10;

/**
 * Return milliseconds as minutes and seconds, with tenths for the last seconds of a running clock.
 * @param {number} left
 * @param {boolean} [isStill]
 */
export function clockText(left, isStill = false) {
  if (left >= DAY) return daysText(left);
  if (!isStill && left > 0 && left < HURRY) {
    return (Math.ceil(left / 100) / 10).toLocaleString(language(), { minimumFractionDigits: 1 });
  }
  const seconds = Math.max(0, Math.ceil(left / 1000));
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
