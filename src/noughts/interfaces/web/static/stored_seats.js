// The rooms in which this browser has a seat, the newest first.

import { readStored, writeStored } from "./i18n.js";

/** @typedef {{room: string, game: string, isOver?: boolean}} Seat */

const STORAGE_KEY = "noughts-seats";
const MAX_SEATS = 50;
const SHOWN = 4;
const MONTH = 30 * 24 * 60 * 60;

/** Return all seats. @returns {Seat[]} */
export function seats() {
  try {
    const found = JSON.parse(readStored(STORAGE_KEY) ?? "[]");
    return Array.isArray(found) ? found.filter((seat) => typeof seat?.room === "string") : [];
  } catch {
    return [];
  }
}

/** @param {Seat[]} left */
function keepAll(left) {
  writeStored(STORAGE_KEY, JSON.stringify(left.slice(0, MAX_SEATS)));
  storeExpectedRows(left.filter((seat) => !seat.isOver).length, left.length);
}

/**
 * Store the numbers of running games and rows in a cookie. The server reserves space for them, so that the
 * page does not move.
 * @param {number} going
 * @param {number} rows
 */
export function storeExpectedRows(going, rows) {
  document.cookie = `${STORAGE_KEY}=${Math.min(going, SHOWN)}.${
    Math.min(rows, SHOWN + 1)
  }; path=/; max-age=${MONTH}; samesite=lax`;
}

/** Store a seat that was taken. @param {Seat} seat */
export function storeSeat(seat) {
  keepAll([seat, ...seats().filter((other) => other.room !== seat.room)]);
}

/** Move the seats in rooms whose games are over behind the others. @param {string[]} rooms */
export function moveSeatsBack(rooms) {
  const all = seats().map((seat) => ({ ...seat, isOver: seat.isOver || rooms.includes(seat.room) }));
  keepAll([...all.filter((seat) => !seat.isOver), ...all.filter((seat) => seat.isOver)]);
}

const PLAYED = "noughts-played";

/** Return the private games of this browser, newest first, each as its number and key. */
export function playedGames() {
  return (readStored(PLAYED) ?? "").split(",").filter((game) => /^[1-9]\d{0,9}[.][\w-]{1,40}$/.test(game));
}

/**
 * Store a private game of this browser, so that the history lists it.
 * @param {number} game
 * @param {string} key
 */
export function storePlayed(game, key) {
  const played = `${game}.${key}`;
  if (playedGames()[0] !== played) {
    writeStored(
      PLAYED,
      [played, ...playedGames().filter((other) => other !== played)].slice(0, MAX_SEATS).join(","),
    );
  }
}

/** Forget the seats in rooms that are gone. @param {string[]} rooms */
export function dropSeats(rooms) {
  keepAll(seats().filter((seat) => !rooms.includes(seat.room)));
}
