// The rooms in which the player has a seat: those of the key, and those whose tokens this browser has.

import { ApiError, ask, pause, readEvents } from "./api.js";
import { isSignedIn } from "./identity.js";
import { knownDaysKey, takeSeats } from "./lasting_offers.js";
import { dropSeats, seats } from "./stored_seats.js";

const MAX_FOLLOWED = 250;
const [FIRST_WAIT, LONGEST_WAIT] = [1000, 15_000];

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
 * Follow the changes of rooms, and new games of the player, until the function that is returned is called.
 * @param {() => Api.RoomSummary[]} shown returns the summaries whose rooms are followed
 * @param {(change: Api.GamesChange) => void} take
 */
export function followRooms(shown, take) {
  let stop = new AbortController();
  let isOver = false;
  const follow = async () => {
    for (let wait = FIRST_WAIT; !isOver;) {
      stop = new AbortController();
      const rooms = shown().slice(0, MAX_FOLLOWED).map(({ room, version }) => `room=${room}:${version}`);
      try {
        await readEvents(
          `/api/rooms/events?${rooms.join("&")}`,
          (_, data) => {
            wait = FIRST_WAIT;
            take(JSON.parse(data));
          },
          stop.signal,
          knownDaysKey(),
        );
      } catch (error) {
        if (error instanceof ApiError && error.status < 429) return; // it would be refused again
      }
      if (isOver) return;
      await pause(wait * (0.5 + Math.random()));
      wait = Math.min(2 * wait, LONGEST_WAIT);
    }
  };
  follow();
  return () => {
    isOver = true;
    stop.abort();
  };
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
