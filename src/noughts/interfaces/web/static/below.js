// @ts-check
// What stands below the board: inviting a friend, taking the free seat, choosing a mark; the steps of who looks back, what may be asked
// about the position, what can be kept; what can be done where a room is not there.

import { joinRoom, sentenceOf } from "./api.js";
import { glyph, pictureOf } from "./drawing.js";
import { at, fill, h } from "./dom.js";
import { keep, kept, onLanguage, say, timeOfDay } from "./i18n.js";
import { stepsOf } from "./steps.js";
import { button, copyButton, keepers, writeMissing } from "./telling.js";
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

/** @typedef {any} State what the server tells of a room */

/** What stands on the buttons of an opening. */
const ANSWERS = { swap: "web-swap", put: "web-put" };
const LETTERS = "······";

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
  const pressed = (/** @type {"lines" | "values" | "hint"} */ key, /** @type {string} */ id) => button(id, () => toggle(key), "", wanted[key]);
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

/** What lets a friend in: a code, a link and its picture. @param {State} state */
function inviting(state) {
  const link = `${location.origin}/r/${state.room}`;
  const word = state.code ?? "";
  const letters = [...(word || LETTERS)].map(letter => h("span", { "aria-hidden": "true" }, letter));
  const field = h("input", { id: "link", readonly: true, value: link, "data-key": "link", focus: (/** @type {any} */ event) => event.target.select() });
  const tell = word ? [h("p", { class: "lead" }, say("web-tell-code")), h("div", { class: "bigcode", role: "img", "aria-label": [...word].join(" ") }, ...letters), h("p", { class: "hint2" }, say("web-code-until", { time: timeOfDay(state.expires ?? 0) }))] : [h("p", { class: "hint2" }, say("web-code-spent"))];
  const send = h("p", { class: "field" }, h("label", { for: "link" }, say("web-send-link")), h("span", { class: "row" }, field, copyButton("web-copy", link, "primary")));
  const code = h("img", { class: "qr", src: `/qr.svg?link=${encodeURIComponent(link)}`, alt: say("web-qr") });
  const scan = h("figure", {}, code, h("figcaption", {}, say("web-scan")));
  return h("div", {}, h("div", { class: "invite" }, h("div", { class: "how" }, ...tell, send), scan), h("div", { class: "ready" }, pictureOf(state.game, state)));
}

/** Taking the free seat under a name. @param {State} state @param {(state: State) => void} enter @param {(sentence: string) => void} refuse */
function joining(state, enter, refuse) {
  const field = /** @type {HTMLInputElement} */ (h("input", { id: "name", name: "name", maxlength: 40, autocomplete: "nickname", "data-key": "name", value: kept("noughts-name") ?? "" }));
  const join = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const own = /** @type {HTMLInputElement} */ (at("name")).value.trim();
    keep("noughts-name", own);
    try {
      enter((await joinRoom({ room: state.room, name: own || say("default-name") })).state);
    } catch (error) {
      refuse(sentenceOf(error));
    }
  };
  const row = h("span", { class: "row" }, field, h("button", { type: "submit", class: "primary", "data-key": "sit" }, say("web-sit-down")));
  const form = h("form", { class: "code err", submit: join }, h("label", { for: "name" }, say("web-name")), row, h("small", {}, say("web-no-account")));
  return h("div", {}, form, h("div", { class: "ready" }, pictureOf(state.game, state)));
}

/** One button for each mark. @param {string[]} marks @param {string} key @param {(mark: string) => void} choose */
function markButtons(marks, key, choose) {
  return marks.map(mark => h("button", { type: "button", "data-key": `${key}-${mark}`, "aria-label": mark, click: () => choose(mark) }, glyph(mark)));
}

/** Says that a room is not there, or that nobody answers; and what can be done. @param {unknown} error */
export function missing(error) {
  onLanguage(() => {
    const isGone = writeMissing(error, "web-no-room", "web-no-room-about");
    const again = h("div", { class: "acts" }, button("web-try-now", () => location.reload(), "primary"));
    const acts = h("div", { class: "acts" }, h("a", { class: "button", href: "/" }, say("web-choose-game")), h("a", { class: "button", href: "/history" }, say("web-history")));
    fill(at("below"), isGone ? null : again, acts);
    fill(at("margin"), h("p", { class: "fact" }, say("web-nothing-lost")));
  });
}
