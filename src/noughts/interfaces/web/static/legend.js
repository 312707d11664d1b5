// The legend of a board: the meanings of the signs on it now, and no others.

import {
  bracketsAt,
  fieldsOf,
  forbiddenAt,
  inkOf,
  legalRingAt,
  markAt,
  signAt,
  valueAt,
} from "./board_drawing.js";
import { h, picture, s } from "./dom.js";
import { has, say } from "./i18n.js";
import { annotationSigns, forcedField } from "./annotations.js";

/** @typedef {import("./board.js").Board} Board */

const BIG = 1 / 3; // pixels of a hundredth of a sign

/** Return the section of the margin, or null if there are no signs. @param {Board} board */
export function legendSection(board) {
  const rows = keyRows(board).map(([sign, text]) =>
    h(
      "div",
      {},
      h("dt", {}, typeof sign === "string" ? sign : picture({ class: "legend-sign" }, ...sign)),
      h("dd", {}, text),
    )
  );
  return rows.length
    ? h("section", { class: "key" }, h("h2", {}, say("web-key")), h("dl", {}, ...rows))
    : null;
}

/** Return the signs and their meanings. @param {Board} board @returns {[SVGElement[] | string, string][]} */
function keyRows(board) {
  const { shown, space, game } = board;
  const { annotations } = shown;
  const side = shown.turn ?? "";
  const of = `${inkOf(side)}-of`;
  /** @type {[SVGElement[] | string, string][]} */ const rows = [];
  const add = (
    /** @type {boolean | undefined} */ is,
    /** @type {() => SVGElement[] | string} */ sign,
    /** @type {string} */ text,
  ) => is && rows.push([sign(), text]);
  const counted = [...(board.turnedOver?.values() ?? [])][0];
  const frames = space.isFlat && annotations
    ? fieldsOf(space, shown).some((part) => part.classList.contains("frame"))
    : false;
  const forced = annotations ? forcedField(annotations) !== null : false;
  const drawn = Object.values(annotations?.fields ?? {}).some((codes) => codes.includes("drawn"));
  add(
    Boolean(side && board.allowed?.size && !game.layout.fields[0]),
    () => [legalRingAt([0, 0], side, counted, BIG)],
    say(counted ? "web-key-turns" : "web-key-may", { side }),
  );
  add(
    frames,
    () => [
      s("path", { class: forced ? `${inkOf(side)}-wash` : "none", d: "M8 8h84v84h-84Z" }),
      s("path", { class: `pencil dashed ${of}`, d: "M14 14h72v72h-72Z" }),
    ],
    say(forced ? "web-key-field" : "web-key-fields", { side }),
  );
  for (const owner of new Set(board.owners?.values())) {
    add(true, () => [markAt(owner, 0, [-4, -4], 108)], say("web-key-won", { side: owner }));
  }
  add(drawn, () => [s("path", { class: "pencil", d: "M18 82L62 18M38 82L82 18" })], say("web-key-drawn"));
  for (const other of new Set(board.leaving?.values())) {
    add(true, () => [markAt(other, 0, [5, 5], 90, "leaving")], say("web-key-leaves", { side: other }));
  }
  for (const reason of new Set(board.forbidden?.values())) {
    add(
      has(`why-forbidden-${reason}`),
      () => [forbiddenAt([0, 0], reason, BIG)],
      say("web-code-no", { side, reason: say(`why-forbidden-${reason}`) }),
    );
  }
  const signs = Object.values(annotations?.cells ?? {}).flatMap((codes) =>
    annotationSigns(game.board.codes, codes)
  );
  for (const [word, sign] of new Map(signs.map((each) => [each.word, each.sign]))) {
    add(has(`web-key-${word}`), () => [signAt([0, 0], word, sign)], say(`web-key-${word}`, { side }));
  }
  add(
    space.isFlat && space.strips.some(Boolean),
    () => [
      s("path", { class: "shade", d: "M5 5h90v90h-90Z" }),
      s("g", { class: "echo" }, markAt(game.sides[1] ?? "O", 1, [10, 10], 80)),
    ],
    say("web-key-beyond"),
  );
  add(
    game.shape.length > 2 && game.board.wraps.some(Boolean),
    () => game.board.wraps.map((is, axis) => (is ? WAYS[Math.min(axis, WAYS.length - 1)] : "")).join(""),
    say("web-key-beyond"),
  );
  const isThrough = space.isFlat &&
    shown.lines.some((line) => new Set(line.map((index) => space.place(index)[0])).size > 1);
  add(
    shown.lines.length > 0,
    () => [s("path", { class: "pen", d: "M4 66Q40 60 96 34L96 40Q42 70 4 74Z" })],
    say(isThrough ? "web-key-win-layers" : "web-key-win"),
  );
  for (const kind of new Set([...(shown.worths?.values() ?? [])].map((worth) => worth.worth))) {
    add(
      true,
      () => [valueAt([0, 0], { worth: kind, text: WORTH[kind] }, board.sideOf({ worth: kind, text: "" }))],
      say(MEANING[kind], { side }),
    );
  }
  add(
    typeof shown.hint === "number",
    () => [s("circle", { class: `hintring ${of}`, cx: 50, cy: 50, r: 36 })],
    say(shown.isBetter ? "web-code-better" : "web-hint"),
  );
  add(
    Boolean(shown.through?.open.length),
    () => [
      s("path", { class: "through open", d: "M5 70L95 30" }),
      s("circle", { class: "bead", cx: 50, cy: 50, r: 11 }),
    ],
    say("web-key-open"),
  );
  add(
    Boolean(shown.through?.shut.length),
    () => [
      s("path", { class: "through shut", d: "M5 70L95 30" }),
      s("circle", { class: "bead", cx: 50, cy: 50, r: 6 }),
    ],
    say("web-key-shut"),
  );
  add(
    board.aiming.cells.length > 0,
    () => [s("path", { class: `pencil dashed ${of}`, d: "M14 14h72v72h-72Z" })],
    say("web-code-aim"),
  );
  add(shown.last.length > 0, () => [bracketsAt([0, 0])], say("web-key-last"));
  if (space.isLettered && game.layout.planes > 1) rows.push(placeRow(board));
  return rows;
}

const WAYS = ["↔", "↕", "⤢"]; // along rows, columns and layers
const WORTH = { win: "+2", draw: "=", loss: "−2" };
const MEANING = { win: "web-key-wins", draw: "web-code-draw", loss: "web-key-loses" };

/**
 * Explain the name of a cell of a three-dimensional board by an example: the last move or the middle cell.
 * @param {Board} board
 * @returns {[string, string]}
 */
function placeRow({ space, game, shown }) {
  const { planes, rows, columns } = game.layout;
  const index = shown.last[0] ??
    space.index(Math.floor(planes / 2), Math.floor(rows / 2), Math.floor(columns / 2));
  const [plane, row] = space.place(index);
  const layer = game.board.planes[plane].label;
  const name = game.board.names[index];
  const column = name.slice(layer.length, name.length - String(rows - row).length);
  return [name, say("web-key-place", { layer, column, row: rows - row })];
}
