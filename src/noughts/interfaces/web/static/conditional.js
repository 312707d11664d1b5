// Conditional moves in a game by days: lines of moves that the server answers for the player.

import { glyph } from "./board_drawing.js";
import { clockByDays } from "./clocks.js";
import { h } from "./dom.js";
import { say } from "./i18n.js";
import { nameOfMove } from "./margin.js";
import { areSidesSettled, button } from "./status_texts.js";

const MAX_LINES = 5;

/** @typedef {import("./status_texts.js").Room} Room */

/** The number of moves in all lines when they were shown last. */ let known = 0;

/** Return the field for a new line if it is shown. */
function openField() {
  const field = document.querySelector("details[open] > form [data-key=new-line]");
  return field instanceof HTMLInputElement ? field : null;
}

/**
 * Add a move to the new line, if one is being written.
 * @param {string} move
 */
export function addToLine(move) {
  const field = openField();
  if (!field || !move) return false;
  field.value = `${field.value} ${move}`.trim();
  return true;
}

/** Return true if the reader may prepare moves. @param {Room} room */
const canPrepare = ({ state, mine, isLocal }) =>
  !isLocal && mine.length === 1 && state.phase === "playing" && areSidesSettled(state) &&
  state.clock !== null && clockByDays(state.clock) !== null && state.players.length === 2 &&
  state.players.every(({ kind }) => kind === "human");

/** @param {Api.NamedMove[]} line @param {() => void} remove */
function lineItem(line, remove) {
  const moves = line.map((move) => h("span", {}, glyph(move.side), h("b", {}, nameOfMove(move))));
  return h("li", {}, h("p", {}, ...moves), button("lines-remove", remove));
}

/**
 * Create the section with the conditional moves of the reader, or null if there can be none.
 * @param {Room} room
 */
export function linesSection(room) {
  const { state, mine, send, message } = room;
  if (!canPrepare(room)) return null;
  const other = state.players.find(({ place }) => !mine.includes(place));
  const lines = state.prepared.map((line) => line.map(({ move }) => move));
  const field = openField();
  const count = lines.flat().length;
  if (field && count > known) field.value = "";
  known = count;
  const isTheirTurn = state.turn === other?.side;
  if (!isTheirTurn && !lines.length) return null;
  const items = state.prepared.map((line, number) =>
    lineItem(line, () => send({ type: "prepare", lines: lines.filter((_, place) => place !== number) }))
  );
  const add = (/** @type {Event} */ event) => {
    event.preventDefault();
    const typed = openField()?.value.trim().split(/[\s,]+/).filter(Boolean) ?? [];
    if (typed.length) send({ type: "prepare", lines: [...lines, typed] });
  };
  const form = h(
    "details",
    { class: "options", "data-key": "add-line" },
    h("summary", {}, say("lines-add")),
    h(
      "form",
      { submit: add },
      h("label", { for: "new-line" }, say("lines-how", { player: other?.name ?? "" })),
      h("input", {
        id: "new-line",
        "data-key": "new-line",
        maxlength: 200,
        autocomplete: "off",
        autocapitalize: "none",
        spellcheck: "false",
      }),
      // The message below the heading is out of sight on a phone.
      message && field?.value ? h("p", { class: "error-text" }, message) : null,
      h("button", { "data-key": "lines-save" }, say("lines-save")),
    ),
  );
  return h(
    "section",
    { class: "conditional" },
    h("h2", {}, say("lines-title")),
    h("p", { class: "fact" }, say("lines-about", { player: other?.name ?? "" })),
    items.length ? h("ol", {}, ...items) : null,
    isTheirTurn && lines.length < MAX_LINES ? form : null,
  );
}
