// @ts-check
// The planes of a board of which only one fits: small pictures, one of them pressed.

import { pictureOf } from "./drawing.js";
import { fill, h } from "./dom.js";
import { say } from "./i18n.js";
import { Space } from "./space.js";

/** @typedef {import("./space.js").Game} Game */
/** @typedef {import("./drawing.js").Facts} Facts */

const [SQUARE, SIDE] = [13.5, 66]; // pixels that a cell takes, and the longer side of a picture at most
const [BESIDE, GAP] = [12, 11]; // pixels of a tab beside its picture, and between tabs

/** Draws the tabs of all planes. @param {Element} tabs @param {Game} game @param {Facts} facts @param {number} current @param {(plane: number) => void} show */
export function fillTabs(tabs, game, facts, current, show) {
  const space = new Space(game);
  const pixels = Math.min(SQUARE, SIDE / Math.max(game.layout.rows, game.layout.columns));
  tabs.setAttribute("aria-label", say("layer"));
  if (tabs instanceof HTMLElement && game.shape.length > 3) {
    const across = game.shape.at(-3) ?? 1; // planes of two axes stand in a square, where that fits
    tabs.style.setProperty("--across", `${across * (pixels * game.layout.columns + BESIDE + GAP) - GAP}px`);
  }
  const buttons = space.planes.map(plane => {
    const label = game.board.planes[plane].label;
    const attributes = { type: "button", "data-key": `plane-${plane}`, "aria-pressed": String(plane === current), "aria-label": say("web-layer", { layer: label }) };
    const picture = pictureOf(game, { ...facts, lines: [] }, plane);
    picture.style.setProperty("--cu", `${pixels}px`);
    return h("button", { ...attributes, click: () => show(plane) }, picture, label);
  });
  fill(tabs, ...buttons);
}
