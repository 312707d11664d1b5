// @ts-check
// What stands below the board: the steps of who looks back, what may be asked about the position, what can be kept.

import { inviting, joining, markButtons } from "./before.js";
import { fill, h } from "./dom.js";
import { say } from "./i18n.js";
import { stepsOf } from "./steps.js";
import { button, keepers, toggle as toggleButton } from "./telling.js";
import { hintSentence } from "./weighing.js";

/** @typedef {import("./position.js").Step & {said: string, isBegun: boolean, choose: (choice: string) => void, stop: () => void}} Picking */
/**
 * What this is told besides the room.
 * @typedef {object} Asking
 * @property {{lines: boolean, values: boolean, hint: boolean}} wanted
 * @property {(key: "lines" | "values" | "hint") => void} toggle
 * @property {import("./weighing.js").Worth | null} worth what the position that is shown is worth, as far as it is known
 * @property {boolean} isWeighing whether that is wanted
 * @property {import("./drawing.js").Through | null} through the lines through the cell that is pointed at
 * @property {string} warning why one must not place on the cell that is pointed at
 * @property {import("./space.js").Space | undefined} space
 * @property {Picking | null} picking how a move may go on; null while looking back
 * @property {(state: any) => void} enter takes the free seat
 * @property {(sentence: string) => void} refuse
 */

/** What stands on the buttons of an opening. */
const ANSWERS = { swap: "web-swap", put: "web-put" };

/** Everything below the board. @param {import("./telling.js").Room} room @param {Asking} asking @param {HTMLElement} below */
export function fillBelow(room, asking, below) {
  const { state, past, mine, send, open } = room;
  if (state.phase === "waiting") return fill(below, mine.length ? inviting(state) : joining(state, asking.enter, asking.refuse));
  if (past) {
    const live = button("web-past-live", () => open(state.moves.length), "primary");
    return fill(below, stepsOf({ ply: past.position.ply, last: state.moves.length, open }), acts(live, ...helpButtons(room, asking)), note(room, asking));
  }
  if (state.phase === "choosing") return fill(below, mine.includes(state.chooser) && acts(...markButtons(state.game.sides, "mark", mark => send({ type: "choose", mark }))));
  const answers = state.turn && mine.includes(state.opening?.place) && asking.picking ? state.opening.answers : [];
  if (asking.picking?.isBegun) return fill(below, picker(asking.picking));
  const choices = asking.picking ? choiceButtons(asking.picking, "primary") : [];
  const sides = answers.map((/** @type {"swap" | "put"} */ answer) => button(ANSWERS[answer], () => send({ type: answer }), "primary"));
  fill(below, acts(...sides, ...choices, ...helpButtons(room, asking), ...endedActs(state)), note(room, asking));
}

/** @param {...(Node | null | undefined)} buttons */
function acts(...buttons) {
  const all = buttons.filter(Boolean);
  return all.length ? h("div", { class: "acts", role: "group", "aria-label": say("web-help") }, ...all) : null;
}

/** What may be asked about the position: hints and values where nobody else plays, or after the end. @param {import("./telling.js").Room} room @param {Asking} asking */
function helpButtons({ state, past, mine }, { wanted, toggle }) {
  const isAlone = state.players.every((/** @type {any} */ player) => player.kind !== "human" || mine.includes(player.place));
  const canAsk = past ? isAlone || state.result : isAlone && state.legal.length;
  const turn = (past?.position ?? state).turn;
  const pressed = (/** @type {"lines" | "values" | "hint"} */ key, /** @type {string} */ id) => toggleButton(id, wanted[key], () => toggle(key));
  return [canAsk ? pressed("hint", "web-hint") : null, canAsk ? pressed("values", "web-values") : null, turn && state.game.has_lines ? pressed("lines", "web-lines") : null];
}

/** What is left of a game that has ended. @param {any} state */
function endedActs(state) {
  if (!state.result || !state.game_id) return [];
  const link = `/g/${state.game_id}`;
  return [h("a", { class: "button", href: link, "data-key": "web-replay" }, say("web-replay")), ...keepers(state.game_id, link)];
}

/** @param {import("./telling.js").Room} room @param {Asking} asking */
function note({ state, past }, { wanted, worth, isWeighing, through, space, warning }) {
  const side = (past?.position ?? state).turn;
  if (warning) return h("p", { class: "note", role: "status" }, warning);
  if (through) return h("p", { class: "note", role: "status" }, say("lines-through", { count: through.open.length + through.shut.length, cell: space?.board.names[through.cell] ?? "", side, open: through.open.length }));
  if (wanted.lines && side) return h("p", { class: "note" }, say("web-lines-about"));
  if (!isWeighing) return null;
  const told = worth && (wanted.hint ? hintSentence(worth) : worth.sentence);
  return h("p", { class: "note", role: "status" }, told ?? say("searching"));
}

/** Asks how a move goes on: with a text to choose, or with another cell. @param {Picking} picking */
function picker(picking) {
  const asked = picking.choices.length ? (picking.areMarks ? say("which-mark") : say("choose-next", { said: picking.said })) : say("point-next", { said: picking.said });
  return h("div", { class: "acts", role: "group", "aria-label": asked }, h("p", { class: "lead", role: "status" }, asked), ...choiceButtons(picking), button("web-cancel", picking.stop));
}

/** A button for each text that may be chosen. @param {Picking} picking @param {string} kind */
function choiceButtons({ choices, areMarks, choose }, kind = "") {
  if (areMarks) return markButtons(choices, "pick", choose);
  return choices.map(choice => {
    const id = choice === "pass" ? "web-pass" : `pick-${choice}`;
    return h("button", { type: "button", class: kind || null, "data-key": id, click: () => choose(choice) }, choice === "pass" ? say(id) : choice);
  });
}
