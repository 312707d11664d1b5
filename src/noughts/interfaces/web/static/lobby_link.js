// The connection of this tab to the lobby: its secret key, its search, and the stream of events.

import { ApiError, ask, followEvents, goToRoom, joinWithKey } from "./api.js";
import { clockByDays } from "./clocks.js";
import { readStored, say } from "./i18n.js";

/** @typedef {Pick<Api.OfferRequest, "games" | "clocks" | "visibility" | "rated" | "lowest" | "highest">} Wish */
/** @typedef {{wish: Wish, since: number}} Search */

const KEY = "noughts-visit";
const SEARCH = "noughts-search";
const ENTERED = "noughts-entered";
const NAME = "noughts-name";

/** @param {string} name */
const readTab = (name) => {
  try {
    return sessionStorage.getItem(name);
  } catch {
    return null;
  }
};

/** @param {string} name @param {string | null} value */
const writeTab = (name, value) => {
  try {
    if (value === null) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, value);
  } catch {
    // Without storage, a reload ends the search.
  }
};

let visit = readTab(KEY) ?? "";

/** Return the secret key of this tab. A reload keeps it. */
export function visitKey() {
  if (!visit) {
    visit = newVisitKey();
    writeTab(KEY, visit);
  }
  return visit;
}

/** Return a new secret key of a visitor. */
export function newVisitKey() {
  const bytes = [...crypto.getRandomValues(new Uint8Array(16))];
  return bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Return the name of the player. */
export const visitorName = () => readStored(NAME)?.trim() || say("default-name");

/** Return the search of this tab, or null. @returns {Search | null} */
export function currentSearch() {
  try {
    return JSON.parse(readTab(SEARCH) ?? "null");
  } catch {
    return null;
  }
}

/** @param {Search | null} search */
export const storeSearch = (search) => writeTab(SEARCH, search && JSON.stringify(search));

/** Offer a game to all. @param {Wish} wish */
export async function startSearch(wish) {
  const offer = await ask("/api/offers", { ...wish, name: visitorName() }, visitKey());
  storeSearch({ wish, since: Date.now() });
  return offer;
}

/** End the search of this tab. @param {number | null} number the number of the offer, if it is known */
export async function stopSearch(number) {
  storeSearch(null);
  if (number !== null) await withdrawOffer(number, visitKey());
}

/** Withdraw an own offer that was made with a key. @param {number} number @param {string} key */
export function withdrawOffer(number, key) {
  // An empty body makes it a POST request. The route reads none.
  const empty = /** @type {undefined} */ (/** @type {unknown} */ ({}));
  return ask(`/api/offers/${number}/withdraw`, empty, key);
}

/** Take a seat that the lobby has given to this tab. @param {string} room */
export const takeSeat = (room) => joinWithKey({ room, name: visitorName() }, visitKey());

/** Go to the room of a new game. @param {string} room @param {string} key that of the seat */
export async function enterGame(room, key = visitKey()) {
  markEntered(room);
  storeSearch(null);
  await joinWithKey({ room, name: visitorName() }, key);
  await goToRoom(room);
}

/** Return true if this tab has entered or left the game in a room before. @param {string} room */
export const hasEntered = (room) => readTab(ENTERED) === room;

/** @param {string} room */
export const markEntered = (room) => writeTab(ENTERED, room);

/** Return a clock in short form. @param {Api.OfferedClock | NonNullable<Wish["clocks"]>[number]} clock */
export function clockName(clock) {
  const byDays = clockByDays(clock);
  if (byDays) return byDays;
  if ("per_move" in clock && clock.per_move) return say("clock-30");
  const { base, increment } = /** @type {Api.OfferedClock} */ (clock);
  return say("lobby-clock", { minutes: (base ?? 0) / 60_000, seconds: (increment ?? 0) / 1000 });
}

/**
 * @typedef {object} LobbyHandlers
 * @property {(state: Api.LobbyState) => void} [lobby]
 * @property {(changes: Api.LobbyChanges) => void} [changes]
 * @property {(own: Api.OwnOffers) => void} own
 */

/**
 * Follow the lobby until the page is closed, and reconnect when the stream ends. A search that the server has
 * forgotten begins again. Return a function that connects again.
 * @param {LobbyHandlers} on
 */
export function followLobby(on) {
  return followEvents(
    () => `/api/offers/events?name=${encodeURIComponent(visitorName())}`,
    (event, data) => {
      if (event === "own") on.own(JSON.parse(data));
      else if (event === "lobby") on.lobby?.(JSON.parse(data));
      else if (event === "changes") on.changes?.(JSON.parse(data));
    },
    // An error of the request would come again.
    (error) => !(error instanceof ApiError && error.status < 429),
    visitKey(),
  );
}
