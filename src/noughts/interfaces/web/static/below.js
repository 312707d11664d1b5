// @ts-check
// What stands below the board: the steps of who looks back, what may be asked about the position, what can be kept.

import { inviting, joining, markButtons } from "./before.js";
import { fill, h } from "./dom.js";
import { language, say } from "./i18n.js";
import { rulesOf } from "./lines.js";
import { stepsOf } from "./steps.js";
import { button, copyButton } from "./telling.js";
import { hintSentence } from "./weighing.js";

/**
 * What this is told besides the room.
 * @typedef {object} Asking
 * @property {{lines: boolean, values: boolean, hint: boolean}} wanted
 * @property {(key: "lines" | "values" | "hint") => void} toggle
 * @property {import("./weighing.js").Worth | null} worth what the position that is shown is worth, as far as it is known
 * @property {boolean} isWeighing whether that is wanted
 * @property {import("./lines.js").Through | null} through the lines through the cell that is pointed at
 * @property {string} spec the rules in one word
 * @property {import("./layout.js").Space | undefined} space
 * @property {{moves: any[], stop: () => void} | null} picking which mark is to be placed
 * @property {(state: any) => void} enter takes the free seat
 * @property {(sentence: string) => void} refuse
 */

/** Everything below the board. @param {import("./telling.js").Room} room @param {Asking} asking @param {HTMLElement} below */
export function fillBelow(room, asking, below) {
  const { state, past, mine, send, open } = room;
  if (state.phase === "waiting") return fill(below, mine.length ? inviting(state) : joining(state, asking.enter, asking.refuse));
  if (past) {
    const live = button("web-past-live", () => open(state.moves.length), "primary");
    return fill(below, stepsOf({ ply: past.position.ply, last: state.moves.length, open }), acts(live, ...helpButtons(room, asking)), note(room, asking));
  }
  if (state.phase === "choosing") return fill(below, mine.includes(state.chooser) && acts(...markButtons(state.game.sides, "mark", mark => send({ type: "choose", mark }))));
  if (asking.picking) return fill(below, markPicker(room, asking.picking));
  const pass = state.legal.find((/** @type {any} */ move) => move.cell === null);
  const passing = pass && button("web-pass", () => send({ type: "move", move: pass.move }), "primary");
  fill(below, acts(passing, ...helpButtons(room, asking), ...endedActs(state)), note(room, asking));
}

/** @param {...(Node | null | undefined)} buttons */
function acts(...buttons) {
  const all = buttons.filter(Boolean);
  return all.length ? h("div", { class: "acts", role: "group", "aria-label": say("web-help") }, ...all) : null;
}

/** What may be asked about the position: hints and values where nobody else plays, or after the end. @param {import("./telling.js").Room} room @param {Asking} asking */
function helpButtons({ state, past, mine }, { wanted, toggle, spec }) {
  const isAlone = state.players.every((/** @type {any} */ player) => player.kind !== "human" || mine.includes(player.place));
  const canAsk = past ? isAlone || state.result : isAlone && state.legal.length;
  const turn = (past?.position ?? state).turn;
  const pressed = (/** @type {"lines" | "values" | "hint"} */ key, /** @type {string} */ id) => h("button", { type: "button", "data-key": id, "aria-pressed": String(wanted[key]), click: () => toggle(key) }, say(id));
  return [canAsk ? pressed("hint", "web-hint") : null, canAsk ? pressed("values", "web-values") : null, turn && rulesOf(spec) ? pressed("lines", "web-lines") : null];
}

/** What is left of a game that has ended. @param {any} state */
function endedActs(state) {
  if (!state.result || !state.game_id) return [];
  const link = `/g/${state.game_id}`;
  const file = (/** @type {string} */ id, /** @type {string} */ address) => h("a", { class: "button", href: address, download: true, "data-key": id }, say(id));
  return [
    h("a", { class: "button", href: link, "data-key": "web-replay" }, say("web-replay")),
    copyButton("web-copy-link", location.origin + link),
    file("web-save-picture", `/api/games/${state.game_id}/picture?lang=${language()}`),
    file("web-save-record", `/api/games/${state.game_id}/record`),
  ];
}

/** @param {import("./telling.js").Room} room @param {Asking} asking */
function note({ state, past }, { wanted, worth, isWeighing, through, space }) {
  const side = (past?.position ?? state).turn;
  if (through) return h("p", { class: "note", role: "status" }, say("lines-through", { count: through.open.length + through.shut.length, cell: space?.cellName(through.cell) ?? "", side, open: through.open.length }));
  if (wanted.lines && side) return h("p", { class: "note" }, say("web-lines-about"));
  if (!isWeighing) return null;
  const told = worth && (wanted.hint ? hintSentence(worth, space) : worth.sentence);
  return h("p", { class: "note", role: "status" }, told ?? say("searching"));
}

/** @param {import("./telling.js").Room} room @param {{moves: any[], stop: () => void}} picking */
function markPicker({ send }, { moves, stop }) {
  const play = (/** @type {string} */ mark) => send({ type: "move", move: moves.find(move => move.mark === mark).move });
  return h("div", { class: "acts", role: "group", "aria-label": say("which-mark") }, h("p", { class: "lead" }, say("which-mark")), ...markButtons(moves.map(move => move.mark), "pick", play), button("web-cancel", stop));
}
