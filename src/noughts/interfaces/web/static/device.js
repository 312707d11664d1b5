// Rooms whose players share this device: the tokens of commands, and agreement by one press. Also the
// settings of this device.

import { ask } from "./api.js";
import { h } from "./dom.js";
import { readStored, say, writeStored } from "./i18n.js";
import { hasNotices, switchNotices, wantsNotices } from "./notices.js";
import { hasSounds, switchSounds } from "./sound.js";
import { playerOf } from "./status_texts.js";

/**
 * Return the tokens of all seats, or null if not all players use this device.
 * @param {string} room
 * @returns {string[] | null}
 */
export const tokensOf = (room) => JSON.parse(readStored(`noughts-here-${room}`) ?? "null");

/**
 * Return the seat that sends a command: the player who answers an offer, who moved last, or who is to move.
 * @param {Api.RoomState} state
 * @param {string} type
 */
export function seatFor(state, type) {
  const offered = playerOf(state, state.offer?.side ?? null).place;
  const answers = state.players.find((player) => player.place !== offered)?.place;
  const last = playerOf(state, state.moves.at(-1)?.side ?? null).place;
  const places = { accept: answers, decline: answers, choose: state.chooser, "take-back": last };
  return places[/** @type {keyof typeof places} */ (type)] ?? Math.max(0, playerOf(state, state.turn).place);
}

/**
 * Return the state of a room for the side to move. It is read again if a move was made meanwhile.
 * @param {Api.RoomState} state
 * @param {string} room
 * @param {string[]} tokens
 * @returns {Promise<Api.RoomState>}
 */
export async function stateForMover(state, room, tokens) {
  while (state.phase === "playing") {
    const turn = playerOf(state, state.turn).place;
    if (turn === state.you) break;
    const seen = await ask(`/api/rooms/${room}`, undefined, tokens[turn]).catch(() => null);
    if (seen === null) break;
    state = seen;
  }
  return state;
}

/**
 * Return the command of another seat that completes an agreement by one press, or null.
 * @param {Api.RoomState} state
 * @param {string} type the type of the first command
 * @param {number} place
 */
export function agreeingCommand(state, type, place) {
  if (type === "rematch") return state.phase === "over" && !state.wishes.includes(place) ? "rematch" : null;
  const answered = ["take-back", "accept"].includes(type) ? state.offer : null;
  return answered && place !== playerOf(state, answered.side).place ? "accept" : null;
}

const CONFIRM = "noughts-confirm";

/** Return true if a tap only aims, false if it plays, and null if that depends on the size of cells. */
export const tapConfirms = () => ({ yes: true, no: false }[readStored(CONFIRM) ?? ""] ?? null);

/** @param {string} id @param {boolean} is @param {(is: boolean) => void} change */
function tick(id, is, change) {
  const box = h("input", {
    type: "checkbox",
    "data-key": id,
    checked: is,
    change: () => change(box.checked),
  });
  return h("label", { class: "tick" }, box, say(id));
}

/** Return the settings of this device. @param {boolean} isUsual whether a tap only aims by default */
export function deviceSettings(isUsual) {
  const confirming = tick(
    "web-confirm",
    tapConfirms() ?? isUsual,
    (is) => writeStored(CONFIRM, is ? "yes" : "no"),
  );
  return h(
    "details",
    { class: "more", "data-key": "device" },
    h("summary", {}, say("web-device")),
    confirming,
    tick("web-sounds", hasSounds(), switchSounds),
    hasNotices() && tick("web-notices", wantsNotices(), switchNotices),
  );
}
