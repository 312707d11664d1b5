// @ts-check
// Steps through the moves of a game: four arrows, four keys, and the ply in the address.

import { h, s } from "./dom.js";
import { say } from "./i18n.js";

/** @typedef {"start" | "back" | "forward" | "end"} Step */

const ARROWS = { start: "M7 5V19M18 5L11 12L18 19", back: "M15 5L8 12L15 19", forward: "M9 5L16 12L9 19", end: "M17 5V19M6 5L13 12L6 19" };
const SAID = { start: "web-start", back: "web-one-back", forward: "web-one-forward", end: "web-end" };
/** @type {Record<string, Step>} */
const KEYS = { ArrowLeft: "back", ArrowRight: "forward", Home: "start", End: "end" };
const ELSEWHERE = "[role=grid], input, select, textarea, summary";

/** The ply that the address names; null where it names none. */
export function plyOfAddress() {
  const asked = new URLSearchParams(location.search).get("ply") ?? "";
  return /^\d{1,6}$/.test(asked) ? Number(asked) : null;
}

/** The address of a ply of what this page shows. @param {number | null} ply null: without one */
export function addressOf(ply) {
  return ply === null ? location.pathname : `${location.pathname}?ply=${ply}`;
}

/** @param {number | null} ply */
export function writeAddress(ply) {
  history.replaceState(history.state, "", addressOf(ply));
}

/** Where a step leads. @param {Step} step @param {number} ply @param {number} last */
export function plyAfter(step, ply, last) {
  const to = { start: 0, back: ply - 1, forward: ply + 1, end: last }[step];
  return Math.max(0, Math.min(to, last));
}

/** The four arrows, and which ply is shown. @param {{ply: number, last: number, open: (ply: number) => void}} steps */
export function stepsOf({ ply, last, open }) {
  const link = (/** @type {Step} */ step) => {
    const to = plyAfter(step, ply, last);
    const arrow = s("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" }, s("path", { d: ARROWS[step] }));
    const go = (/** @type {Event} */ event) => (event.preventDefault(), open(to));
    return h("a", { href: addressOf(to), "aria-label": say(SAID[step]), "data-key": SAID[step], click: go }, arrow);
  };
  const place = h("span", { class: "ply", role: "status" }, say("web-ply-of", { ply, of: last }));
  return h("div", { class: "steps", role: "group", "aria-label": say("web-steps") }, link("start"), link("back"), place, link("forward"), link("end"));
}

/** Steps by key, outside of boards and fields. @param {(step: Step) => void} go */
export function listenForSteps(go) {
  addEventListener("keydown", event => {
    if (event.target instanceof Element && event.target.closest(ELSEWHERE)) return;
    const step = KEYS[event.key];
    if (!step || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go(step);
  });
}
