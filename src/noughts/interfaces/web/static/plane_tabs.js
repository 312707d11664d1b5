// Tabs for planes that are not all drawn: small pictures, one of them pressed.

import { bracketsAt, pictureOf } from "./board_drawing.js";
import { fill, h } from "./dom.js";
import { say } from "./i18n.js";
import { CELL, Space } from "./board_geometry.js";

/** @typedef {import("./board_geometry.js").Game} Game */
/** @typedef {import("./board_drawing.js").Facts} Facts */

const [SQUARE, SIDE] = [13.5, 66]; // pixels of a cell, and of the longer side of a picture at most
const [BESIDE, GAP] = [12, 11]; // pixels of a tab beside its picture, and between tabs

/**
 * Draw the tabs of a board.
 * @param {Element} tabs
 * @param {Game} game
 * @param {Facts} facts
 * @param {Space} space the drawn planes
 * @param {(plane: number) => void} show
 */
export function fillTabs(tabs, game, facts, space, show) {
  const { view, width, height } = space;
  const count = view.origins.length;
  const pixels = Math.min(SQUARE, (SIDE * CELL) / Math.max(width, height));
  tabs.setAttribute("aria-label", say("web-layers"));
  if (tabs instanceof HTMLElement && count === 1 && game.shape.length > 3) {
    const across = game.shape.at(-3) ?? 1; // planes along two axes form a square if it fits
    tabs.style.setProperty("--across", `${across * (pixels * game.layout.columns + BESIDE + GAP) - GAP}px`);
  }
  const buttons = Array.from({ length: game.layout.planes / count }, (_, number) => {
    const plane = number * count;
    const label = count === 1
      ? game.board.planes[plane].label
      : game.board.planes[plane].label.split(".").slice(0, -2).join(".");
    const part = new Space(game, plane, view);
    const last = (facts.last ?? []).filter((index) => part.isDrawn(index));
    const name = say(last.length ? "web-layer-last" : "web-layer", { layer: label });
    const attributes = {
      type: "button",
      "data-key": `plane-${plane}`,
      "aria-pressed": String(plane === space.first),
      "aria-label": name,
    };
    const picture = pictureOf(game, { ...facts, lines: [] }, part);
    picture.append(...last.map((index) => bracketsAt(part.corner(index))));
    picture.style.setProperty("--cu", `${pixels}px`);
    return h("button", { ...attributes, click: () => show(plane) }, picture, label);
  });
  fill(tabs, ...buttons);
}
