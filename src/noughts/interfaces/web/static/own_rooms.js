// The rooms in which the player has a seat: those of the key, and those whose tokens this browser has.

import { ApiError, ask, followEvents } from "./api.js";
import { isSignedIn } from "./identity.js";
import { knownDaysKey, takeSeats } from "./lasting_offers.js";
import { dropSeats, seats } from "./stored_seats.js";

const MAX_FOLLOWED = 250;

/** Return true if the server knows games of this player: those of a key, or of offers by days. */
export const hasListedRooms = () => isSignedIn() || knownDaysKey() !== null;

/**
 * Return the summaries of the rooms of the player's key, its open offers by days, and its last pause. With
 * them come the rooms of offers by days of this browser, whose seats are taken now.
 * @returns {Promise<Api.OwnRooms>}
 */
export async function listedRooms() {
  const none = { rooms: [], visits: [], offers: [], pause: null };
  if (!hasListedRooms()) return none;
  const found = await ask("/api/rooms", undefined, knownDaysKey()).catch(() => none);
  await takeSeats(found.visits);
  return found;
}

/**
 * Follow the changes of rooms, and new games of the player, until the page is closed.
 * @param {() => Api.RoomSummary[]} shown returns the summaries whose rooms are followed
 * @param {(change: Api.GamesChange) => Promise<unknown>} take
 */
export function followRooms(shown, take) {
  const path = () => {
    const rooms = shown().slice(0, MAX_FOLLOWED).map(({ room, version }) => `room=${room}:${version}`);
    return `/api/rooms/events?${rooms.join("&")}`;
  };
  followEvents(
    path,
    async (_, data, cut) => {
      /** @type {Api.GamesChange} */ const change = JSON.parse(data);
      await take(change);
      if (change.is_new) cut(); // the new rooms are followed from then on
    },
    () => undefined,
    knownDaysKey(),
  );
}

/** Return true if the game of a room is not over. @param {Api.RoomSummary} summary */
export const isRunning = ({ phase }) => phase !== "over" && phase !== "closed";

/**
 * Return the summary of a room: null if it does not exist any more, undefined without a response.
 * @param {string} room
 */
export async function loadSummary(room) {
  try {
    return await ask(`/api/rooms/${room}/brief`);
  } catch (error) {
    return error instanceof ApiError && error.status === 404 ? null : undefined;
  }
}

/**
 * Return the summaries of all rooms with games that are not over, the open offers by days, and the last pause
 * of the player's key. Rooms that are gone are forgotten.
 */
export async function runningRooms() {
  const { rooms: ofKey, offers, pause } = await listedRooms();
  const known = new Set(ofKey.map(({ room }) => room));
  const others = seats().filter(({ room, isOver }) => !isOver && !known.has(room));
  const found = await Promise.all(others.map(({ room }) => loadSummary(room)));
  const gone = others.filter((_, number) => found[number] === null || found[number]?.phase === "closed");
  if (gone.length) dropSeats(gone.map(({ room }) => room));
  const all = [...ofKey, ...found].filter((summary) => summary !== null && summary !== undefined);
  return { rooms: all.filter(isRunning), offers, pause };
}
