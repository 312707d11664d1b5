// Asking the server: JSON over HTTP, and a stream of states.

import { keep, language, say } from "./i18n.js";
import { keepSeat } from "./seats.js";

const network = document.documentElement.dataset.network ?? "";
const isThisMachine = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(location.hostname);
/** The address of this server for other devices, with which shared links begin. */
export const sharedOrigin = isThisMachine && network ? network : location.origin;
/** True if only this machine can open a link. */
export const isOnlyHere = isThisMachine && !network;

/** The server refuses: its code, its sentence in our language, and the state where it tells one. */
export class Refusal extends Error {
  /** @param {number} status @param {Api.StaleErrorResponse | null} told null if the answer is no JSON */
  constructor(status, told) {
    super(told?.error.sentence ?? String(status));
    this.status = status;
    this.code = told?.error.code ?? "";
    this.sentence = told?.error.sentence ?? "";
    this.state = told?.state ?? null;
  }
}

/**
 * The sentence about an error: the server refuses, or cannot be reached.
 * @param {unknown} error
 */
export const sentenceOf = (error) => (error instanceof Refusal ? error.sentence : say("web-unreachable"));

let ahead = 0;
let isTold = false; // a state is more exact than a header, which follows a clock that may be set

/** The server's clock, in milliseconds, as far as its answers told. */
export const serverNow = () => Date.now() + ahead;

/** Takes in the time that the server told in a state. @param {number} now */
export function hearTime(now) {
  ahead = now - Date.now();
  isTold = true;
}

export const AT_ONCE = 400; // milliseconds: of an answer that takes longer it is said that it is on its way

const CLOSER = 2000; // milliseconds: a computer that takes longer to sit down looks at the board closely

const LEAVING = 10_000; // milliseconds: after that, who is still here has stopped the page

/**
 * Goes into a room; what comes after that is done where somebody stays here or comes back: a second press
 * opens nothing.
 * @param {string} room
 */
export function goInto(room) {
  location.assign(`/r/${room}`);
  return new Promise((stay) => {
    addEventListener("pageshow", stay, { once: true });
    setTimeout(stay, LEAVING);
  });
}

/** @param {string} path */
export const withLanguage = (path) => `${path}${path.includes("?") ? "&" : "?"}lang=${language()}`;

/**
 * The path of a finished game in the API.
 * @param {number | string} game
 * @param {string} key the secret in the link of a private game
 * @param {string} [part] the part of the game that is wanted
 * @returns {`/api/games/${string}`}
 */
export const pathOfGame = (game, key, part = "") =>
  `/api/games/${game}${part && `/${part}`}${key && `?key=${key}`}`;

/** The key in the link to a game; empty if there is none. @param {string} link */
export const keyOfLink = (link) => new URLSearchParams(link.split("?")[1] ?? "").get("key") ?? "";

const PATIENCE = 4; // so often what a busy server has not even looked at is asked for

/**
 * Ask the server for JSON. Raises Refusal, or TypeError while the server cannot be reached.
 * @param {string} path
 * @param {unknown} [body] what is posted
 * @param {string | null} [token] of another seat than the cookie's
 */
async function askServer(path, body, token = null) {
  const address = withLanguage(path);
  /** @type {Record<string, string>} */ const headers = { accept: "application/json" };
  if (token) headers.authorization = `Bearer ${token}`;
  if (body !== undefined) headers["content-type"] = "application/json";
  for (let tries = 1;; tries++) {
    const answer = await fetch(address, {
      method: body === undefined ? "GET" : "POST",
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const date = Date.parse(answer.headers.get("date") ?? "");
    if (date && !isTold && Math.abs(date - serverNow()) > 2000) ahead = date - Date.now();
    const told = await answer.json().catch(() => null);
    if (answer.ok) return told;
    const refusal = new Refusal(answer.status, told);
    if (refusal.code !== "server-busy" || tries >= PATIENCE) throw refusal;
    const seconds = Number(answer.headers.get("retry-after") ?? 1);
    await pause(1000 * seconds * (1 + Math.random())); // not all at once again
  }
}

/** @type {Api.Ask} */
export const ask = askServer;

/** @param {number} time milliseconds */
export const pause = (time) => new Promise((go) => setTimeout(go, time));

/** A secret name for what is asked for, by which the server knows a repetition. */
function newKey() {
  const bytes = [...crypto.getRandomValues(new Uint8Array(16))];
  return bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Asks for something that is done once; repeated under the same key while the server cannot be reached.
 * @template T
 * @param {(key: string) => Promise<T>} request
 */
async function askOnce(request) {
  const key = newKey();
  for (let tries = 0;; tries++) {
    try {
      return await request(key);
    } catch (error) {
      if (error instanceof Refusal || tries >= 4) throw error;
      await pause(300 * 2 ** tries);
    }
  }
}

/** @typedef {Api.CommandRequest["command"]} Command */

/** @param {string} room @param {number} version @param {Command} command @param {string | null} token */
export const commandRoom = (room, version, command, token = null) =>
  askOnce((key) => ask(`/api/rooms/${room}/commands`, { version, command, key }, token));

/**
 * Takes a free seat: an answer that is lost on the way costs nobody the seat.
 * @param {Api.JoinByRoom} wanted
 */
export const joinRoom = (wanted) => enter((key) => ask("/api/join", { ...wanted, key }));

/**
 * Takes the other seats too: whoever has the device plays the side to move.
 * @param {Api.JoinedRoom} entry what opening the room was answered with
 * @param {(number: number) => string} nameOf the player of a number, from 2
 */
async function sitDownHere(entry, nameOf) {
  const tokens = entry.state.players.map(() => "");
  const take = (/** @type {Api.JoinedRoom} */ { place, token }) => place !== null && (tokens[place] = token);
  take(entry);
  for (let number = 2; number <= tokens.length; number++) {
    const name = nameOf(number) || say("default-name-of", { number });
    take(await joinRoom({ room: entry.room, name }));
  }
  keep(`noughts-here-${entry.room}`, JSON.stringify(tokens));
}

let isOpening = false;

/**
 * Opens a room and goes there; a second press meanwhile opens nothing. Raises Refusal, or TypeError.
 * @param {() => Api.OpenRoomRequest | Promise<Api.OpenRoomRequest>} prepare
 * @param {(sentence: string) => void} tell the reader that this takes a moment
 * @param {boolean} isComputer whether a computer sits down, which may look at the board closely
 * @param {((number: number) => string) | null} nameOf the others, if everybody sits at this device
 */
export async function goIntoNewRoom(prepare, tell, isComputer, nameOf) {
  if (isOpening) return;
  isOpening = true;
  tell("");
  const late = setTimeout(() => tell(say("web-one-moment")), AT_ONCE);
  const closer = isComputer ? setTimeout(() => tell(say("web-looks-closer")), CLOSER) : undefined;
  try {
    const wanted = await prepare();
    const entry = await enter((key) => ask("/api/rooms", { ...wanted, key }));
    if (nameOf) await sitDownHere(entry, nameOf);
    for (const timer of [late, closer]) clearTimeout(timer);
    await goInto(entry.room);
    tell("");
  } finally {
    for (const timer of [late, closer]) clearTimeout(timer);
    isOpening = false;
  }
}

/** Comes into a room, and remembers the seat. @param {(key: string) => Promise<Api.JoinedRoom>} request */
async function enter(request) {
  const entry = await askOnce(request);
  if (entry.place !== null) keepSeat({ room: entry.room, game: entry.state.game.name });
  return entry;
}

/**
 * Hears the events of an answer as they come; raises Refusal, or TypeError while the server cannot be
 * reached.
 * @param {string} path
 * @param {(event: string, data: string) => void} on
 * @param {AbortSignal} signal ends it
 */
export async function hear(path, on, signal) {
  const answer = await fetch(withLanguage(path), { headers: { accept: "text/event-stream" }, signal });
  if (!answer.ok || !answer.body) throw new Refusal(answer.status, await answer.json().catch(() => null));
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let text = "";;) {
    const { done, value } = await reader.read();
    if (done) return;
    const events = (text + value).split("\n\n");
    text = events.pop() ?? "";
    for (const event of events) {
      const fields = Object.fromEntries(
        event.split("\n").map(
          (line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)],
        ),
      );
      if (fields.data) on(fields.event, fields.data);
    }
  }
}

const GRACE = 1500;

/**
 * @typedef {object} Followed what is done with the events of a room
 * @property {(state: Api.RoomState) => void} state
 * @property {(count: number) => void} spectators
 * @property {(version: number) => void} late
 * @property {(is: boolean) => void} isOffline
 */

/** Follows a room: every state as it comes, how many look on, and whether the connection stands. */
export class Live {
  /** @param {string} room @param {Followed} on */
  constructor(room, on) {
    this.room = room;
    this.on = on;
    this.wait = 1000;
    /** @type {number | undefined} */ this.late = undefined;
    /** @type {number | undefined} */ this.again = undefined;
    /** @type {EventSource | null} */ this.source = null;
    addEventListener("online", () => this.open());
    // a server on this machine is still there: the stream will tell
    addEventListener("offline", () => this.open());
    addEventListener("pagehide", () => this.source?.close());
    addEventListener("pageshow", (event) => event.persisted && this.open());
  }

  open() {
    clearTimeout(this.again);
    this.source?.close();
    const source = new EventSource(`/api/rooms/${this.room}/events?lang=${language()}`);
    this.source = source;
    source.addEventListener("open", () => this.stands());
    source.addEventListener("state", (event) => {
      this.stands();
      this.on.state(JSON.parse(event.data));
    });
    source.addEventListener("spectators", (event) => this.on.spectators(Number(event.data)));
    source.addEventListener("late", (event) => this.on.late(Number(event.data)));
    source.addEventListener("error", () => {
      if (source !== this.source) return;
      this.late ??= setTimeout(() => this.on.isOffline(true), GRACE);
      if (source.readyState !== EventSource.CLOSED) return;
      this.again = setTimeout(() => this.open(), this.wait);
      this.wait = Math.min(this.wait * 2, 15000);
    });
  }

  stands() {
    clearTimeout(this.late);
    this.late = undefined;
    this.wait = 1000;
    this.on.isOffline(false);
  }
}

/** Puts text where the reader can paste it from. @param {string} text */
export async function copy(text) {
  // There is no clipboard outside of secure contexts, and a browser may forbid it.
  const isCopied = await navigator.clipboard?.writeText(text).then(() => true, () => false);
  if (isCopied) return;
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}
