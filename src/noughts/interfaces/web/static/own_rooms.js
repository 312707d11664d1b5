// The rooms in which the player has a seat: those of the key, and those whose tokens this browser has.

import { ApiError, ask } from "./api.js";
import { isSignedIn } from "./identity.js";
import { dropSeats, seats } from "./stored_seats.js";

/** Return the summaries of the rooms of the player's key, and its last pause. A guest has none. */
async function listOfKey() {
  const none = { rooms: /** @type {Api.RoomSummary[]} */ ([]), pause: null };
  return isSignedIn() ? await ask("/api/rooms").catch(() => none) : none;
}

/** Return the summaries of the rooms of the player's key. */
export const roomsOfKey = async () => (await listOfKey()).rooms;

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
 * Return the summaries of all rooms with games that are not over, and the last pause of the player's key.
 * Rooms that are gone are forgotten.
 */
export async function runningRooms() {
  const { rooms: ofKey, pause } = await listOfKey();
  const known = new Set(ofKey.map(({ room }) => room));
  const others = seats().filter(({ room, isOver }) => !isOver && !known.has(room));
  const found = await Promise.all(others.map(({ room }) => loadSummary(room)));
  const gone = others.filter((_, number) => found[number] === null || found[number]?.phase === "closed");
  if (gone.length) dropSeats(gone.map(({ room }) => room));
  const all = [...ofKey, ...found].filter((summary) => summary !== null && summary !== undefined);
  return { rooms: all.filter(({ phase }) => phase !== "over" && phase !== "closed"), pause };
}
