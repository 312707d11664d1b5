// Requests to the server: JSON over HTTP, and streams of events.

import { language, onLanguage, say, writeStored } from "./i18n.js";
import { storeSeat } from "./stored_seats.js";

const network = document.documentElement.dataset.network ?? "";
const isThisMachine = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(location.hostname);
/** The origin of links that other devices can open. */
export const sharedOrigin = isThisMachine && network ? network : location.origin;
/** Whether only this machine can open links to the server. */
export const isOnlyHere = isThisMachine && !network;

/** An error response of the server: its code, its sentence, and the present state if it has one. */
export class ApiError extends Error {
  /** @param {number} status @param {Api.StaleErrorResponse | null} data null if the response is not JSON */
  constructor(status, data) {
    super(data?.error.sentence ?? String(status));
    this.status = status;
    this.code = data?.error.code ?? "";
    this.sentence = data?.error.sentence ?? "";
    this.state = data?.state ?? null;
  }
}

/** Return the sentence about an error of the server or of the connection. @param {unknown} error */
export const errorSentence = (error) => (error instanceof ApiError ? error.sentence : say("web-unreachable"));

let ahead = 0;
let hasExactTime = false; // set once a state has the exact time, which is better than a header

/** Return the time of the server in milliseconds. */
export const serverNow = () => Date.now() + ahead;

/** Set the server's clock to the time in a state. @param {number} now */
export function setServerTime(now) {
  ahead = now - Date.now();
  hasExactTime = true;
}

export const SLOW_AFTER = 400; // milliseconds after which a slow request is announced

const EXPLAIN_AFTER = 2000; // milliseconds after which a computer's slow reply is explained

const NAVIGATION_LIMIT = 10_000; // milliseconds after which the reader must have stopped the navigation

/** Go to a room. The promise resolves if the reader stays here or returns. @param {string} room */
export function goToRoom(room) {
  location.assign(`/r/${room}`);
  return new Promise((stay) => {
    addEventListener("pageshow", stay, { once: true });
    setTimeout(stay, NAVIGATION_LIMIT);
  });
}

/** @param {string} path */
export const withLanguage = (path) => `${path}${path.includes("?") ? "&" : "?"}lang=${language()}`;

/**
 * Return the path of a finished game in the API.
 * @param {number | string} game
 * @param {string} key the key in the link of a private game
 * @param {string} [part] the requested part of the game
 * @returns {`/api/games/${string}`}
 */
export const pathOfGame = (game, key, part = "") =>
  `/api/games/${game}${part && `/${part}`}${key && `?key=${key}`}`;

/** Return the key in the link to a game, empty if there is none. @param {string} link */
export const keyOfLink = (link) => new URLSearchParams(link.split("?")[1] ?? "").get("key") ?? "";

const MAX_TRIES = 4; // attempts while the server is busy

/**
 * Request JSON from the server. Throws ApiError, or TypeError if the server cannot be reached.
 * @param {string} path
 * @param {unknown} [body] the body of a POST request
 * @param {string | null} [token] the token of a seat other than the cookie's
 */
async function requestJson(path, body, token = null) {
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
    if (date && !hasExactTime && Math.abs(date - serverNow()) > 2000) ahead = date - Date.now();
    const data = await answer.json().catch(() => null);
    if (answer.ok) return data;
    const refusal = new ApiError(answer.status, data);
    if (refusal.code !== "server-busy" || tries >= MAX_TRIES) throw refusal;
    const seconds = Number(answer.headers.get("retry-after") ?? 1);
    await pause(1000 * seconds * (1 + Math.random())); // random, so that not all clients retry at once
  }
}

/** @type {Api.Ask} */
export const ask = requestJson;

/** @param {number} time milliseconds */
export const pause = (time) => new Promise((go) => setTimeout(go, time));

/** Return a new idempotency key. */
function newKey() {
  const bytes = [...crypto.getRandomValues(new Uint8Array(16))];
  return bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Send a request with an idempotency key, and repeat it while the server cannot be reached.
 * @template T
 * @param {(key: string) => Promise<T>} request
 */
async function sendOnce(request) {
  const key = newKey();
  for (let tries = 0;; tries++) {
    try {
      return await request(key);
    } catch (error) {
      if (error instanceof ApiError || tries >= 4) throw error;
      await pause(300 * 2 ** tries);
    }
  }
}

/** @typedef {Api.CommandRequest["command"]} Command */

/** @param {string} room @param {number} version @param {Command} command @param {string | null} token */
export const commandRoom = (room, version, command, token = null) =>
  sendOnce((key) => ask(`/api/rooms/${room}/commands`, { version, command, key }, token));

/** Take the own seat of a room, also on this device. @param {string} room @param {string | null} token */
export const takeSeat = (room, token = null) => ask(`/api/rooms/${room}/seat`, {}, token);

/**
 * Take the seat that belongs to a key. A repeated request gives the same seat.
 * @param {Api.JoinByRoom} wanted
 * @param {string} key
 */
export const joinWithKey = (wanted, key) => enter(() => ask("/api/join", { ...wanted, key }));

/** Take a free seat. A lost response does not lose the seat. @param {Api.JoinByRoom} wanted */
export const joinRoom = (wanted) => enter((key) => ask("/api/join", { ...wanted, key }));

/**
 * Take the other seats of a room too, whose players all use this device.
 * @param {Api.JoinedRoom} entry the response to opening the room
 * @param {(number: number) => string} nameOf returns the name of a player by number, from 2
 */
async function takeLocalSeats(entry, nameOf) {
  const tokens = entry.state.players.map(() => "");
  const take = (/** @type {Api.JoinedRoom} */ { place, token }) => place !== null && (tokens[place] = token);
  take(entry);
  for (let number = 2; number <= tokens.length; number++) {
    const name = nameOf(number) || say("default-name-of", { number });
    take(await joinRoom({ room: entry.room, name }));
  }
  writeStored(`noughts-here-${entry.room}`, JSON.stringify(tokens));
}

let isOpening = false;

/**
 * Open a room and go there. A second press meanwhile has no effect. Throws ApiError or TypeError.
 * @param {() => Api.OpenRoomRequest | Promise<Api.OpenRoomRequest>} prepare
 * @param {(sentence: string) => void} tell shows a sentence about the delay
 * @param {boolean} isComputer whether a computer takes a seat, which may need time
 * @param {((number: number) => string) | null} nameOf the names of the other players at this device
 */
export async function openNewRoom(prepare, tell, isComputer, nameOf) {
  if (isOpening) return;
  isOpening = true;
  tell("");
  const late = setTimeout(() => tell(say("web-one-moment")), SLOW_AFTER);
  const closer = isComputer ? setTimeout(() => tell(say("web-looks-closer")), EXPLAIN_AFTER) : undefined;
  try {
    const wanted = await prepare();
    const entry = await enter((key) => ask("/api/rooms", { ...wanted, key }));
    if (nameOf) await takeLocalSeats(entry, nameOf);
    for (const timer of [late, closer]) clearTimeout(timer);
    await goToRoom(entry.room);
    tell("");
  } finally {
    for (const timer of [late, closer]) clearTimeout(timer);
    isOpening = false;
  }
}

/** Join a room and store the seat. @param {(key: string) => Promise<Api.JoinedRoom>} request */
async function enter(request) {
  const entry = await sendOnce(request);
  if (entry.place !== null) storeSeat({ room: entry.room, game: entry.state.game.name });
  return entry;
}

/**
 * Read the events of a response. Throws ApiError, or TypeError if the server cannot be reached.
 * @param {string} path
 * @param {(event: string, data: string) => void} on
 * @param {AbortSignal} signal stops it
 * @param {string | null} token
 */
export async function readEvents(path, on, signal, token = null) {
  /** @type {Record<string, string>} */ const headers = { accept: "text/event-stream" };
  if (token) headers.authorization = `Bearer ${token}`;
  const answer = await fetch(withLanguage(path), { headers, signal });
  if (!answer.ok || !answer.body) throw new ApiError(answer.status, await answer.json().catch(() => null));
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

/** Wait for a time, or until the network is back. @param {number} time milliseconds */
const pauseOffline = (time) =>
  new Promise((go) => {
    const end = () => {
      clearTimeout(timer);
      removeEventListener("online", end);
      go(null);
    };
    const timer = setTimeout(end, time);
    addEventListener("online", end);
  });

const FIRST_WAIT = 1000;
const LONGEST_WAIT = 15_000;

/**
 * Follow events until the page is closed. When the stream ends it is opened again: at once in another language or
 * under another path, otherwise after a pause. Return a function that opens it again.
 * @param {() => string} path returns the path of the stream
 * @param {(event: string, data: string, cut: () => void) => void} on gets each event, and a function that ends
 * the stream
 * @param {(error: unknown) => boolean | void} onEnd is called with the error after the end of a stream, or with
 * null. It may return false to follow no longer.
 * @param {string | null} token
 */
export function followEvents(path, on, onEnd, token = null) {
  let stop = new AbortController();
  let isFirst = true;
  const cut = () => stop.abort();
  onLanguage(() => {
    if (!isFirst) cut();
    isFirst = false;
  });
  addEventListener("pagehide", cut);
  addEventListener("online", cut); // the old connection may hang
  const follow = async () => {
    for (let wait = FIRST_WAIT;;) {
      const current = stop = new AbortController();
      const [spoken, opened] = [language(), path()];
      let fault = null;
      try {
        await readEvents(
          opened,
          (event, data) => {
            wait = FIRST_WAIT;
            on(event, data, () => current.abort());
          },
          current.signal,
          token,
        );
      } catch (error) {
        fault = error;
      }
      if (spoken !== language() || opened !== path()) continue;
      if (onEnd(fault) === false) return;
      await pauseOffline(wait * (0.5 + Math.random()));
      wait = Math.min(2 * wait, LONGEST_WAIT);
    }
  };
  follow();
  return cut;
}

const GRACE = 1500;

/**
 * @typedef {object} Followed handlers of the events of a room
 * @property {(state: Api.RoomState) => void} state
 * @property {(count: number) => void} spectators
 * @property {(version: number) => void} late
 * @property {(is: boolean) => void} isOffline
 */

/** The event stream of a room: its states, the number of spectators, and the state of the connection. */
export class RoomStream {
  /** @param {string} room @param {Followed} on */
  constructor(room, on) {
    this.room = room;
    this.on = on;
    this.wait = 1000;
    /** @type {number | undefined} */ this.late = undefined;
    /** @type {number | undefined} */ this.again = undefined;
    /** @type {EventSource | null} */ this.source = null;
    addEventListener("online", () => this.open());
    // A server on this machine is still reachable: the stream will show it.
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

/** Copy text to the clipboard. @param {string} text */
export async function copy(text) {
  // Outside of secure contexts there is no clipboard, and a browser may forbid it.
  const isCopied = await navigator.clipboard?.writeText(text).then(() => true, () => false);
  if (isCopied) return;
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}
