// Notifications for readers who look elsewhere: sounds of events, and the title and icon of the reader's
// turn.

import { at } from "./dom.js";
import { say } from "./i18n.js";
import { showNotice } from "./notices.js";
import { sound } from "./sound.js";
import { playerOf, question } from "./status_texts.js";

/** @typedef {import("./status_texts.js").Room} Room */

/** Return true if a player at this device has to move. @param {Room} room */
export const isMyTurn = ({ state, mine }) =>
  state.phase === "playing" && mine.includes(playerOf(state, state.turn).place);

/**
 * Play the sound of a move, the end or a question.
 * @param {Api.RoomState} before the last state
 * @param {Room} room
 */
export function notify(before, room) {
  const { state, mine } = room;
  if (before.series.number !== state.series.number || (document.hidden && !isMyTurn(room))) return;
  const isOwn = mine.includes(playerOf(state, state.moves.at(-1)?.side ?? null).place);
  if (state.result && !before.result) sound("win");
  else if (state.moves.length > before.moves.length) sound(isOwn ? "move" : "other");
  else if (state.offer && !before.offer && question(room)) sound("asked");
}

/**
 * Notify a player who looks elsewhere that an opponent has joined, or that it is the player's turn.
 * @param {Api.RoomState} before the last state
 * @param {Room} room
 */
export function notifyHidden(before, room) {
  const { state, mine, isLocal } = room;
  if (isLocal || !mine.length) return;
  const has = isMyTurn(room) && (before.turn !== state.turn || before.moves.length < state.moves.length);
  if (before.phase === "waiting" && state.phase !== "waiting") {
    const others = state.players.filter(({ place }) => !mine.includes(place)).map(({ name }) => name ?? "");
    showNotice(say("notice-joined", { player: others }), state.game.title);
  } else if (has) showNotice(say("your-turn"), state.game.title);
}

/** Show in the title and the icon whether it is the reader's turn. @param {boolean} is */
export function markTurn(is) {
  document.title = (is ? "• " : "") + document.title.replace(/^• /, "");
  const icon = at("icon");
  const usual = (icon.dataset.usual ??= icon.getAttribute("href") ?? "");
  const wanted = is ? icon.dataset.turn ?? usual : usual;
  if (icon.getAttribute("href") !== wanted) icon.setAttribute("href", wanted);
}
