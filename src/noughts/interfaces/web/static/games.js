// The page of the player's games: your turn, their turn, and set aside. The least time comes first.

import { ask, commandRoom, errorSentence } from "./api.js";
import { showCalls } from "./calls.js";
import { clockByDays, daysText } from "./clocks.js";
import { pictureOf } from "./board_drawing.js";
import { withBoard } from "./board_geometry.js";
import { afterPress, at, fill, h, inputAt } from "./dom.js";
import { dayOf, readStored, say } from "./i18n.js";
import { isSignedIn } from "./identity.js";
import { readInbox, showInbox } from "./inbox_section.js";
import { lastingRow, withdrawByDays } from "./lasting_offers.js";
import { followRooms, isRunning, loadSummary, runningRooms } from "./own_rooms.js";
import { begin, lookPeriodically } from "./page.js";

const [DAY, HOUR] = [86_400_000, 3_600_000];
const SOON = 12 * HOUR;
const MAX_SQUARES = 14;
const EVERY = 60_000;

/** @typedef {Api.RoomSummary} Summary */

/** @type {Summary[]} The shown games. */ let shown = [];
/** @type {Api.LobbyOfferMessage[]} The own offers by days. */ let offers = [];
/** @type {Map<string, {version: number, picture: Element}>} */ const boards = new Map();
let isFollowing = false;
/** @type {Api.PauseMessage | null} The last pause of the key. */ let pause = null;

const isMine = (/** @type {Summary} */ { is_your_turn: is, turn, room }) =>
  is || (turn !== null && readStored(`noughts-here-${room}`) !== null);

/** Return the small picture of a game of the catalogue. @param {string} game */
function pictureOfGame(game) {
  const pictures = document.querySelector("template#pictures");
  const found = pictures instanceof HTMLTemplateElement &&
    [...pictures.content.children].find((child) => child.getAttribute("data-game") === game)
      ?.firstElementChild;
  return found ? document.importNode(found, true) : h("span", { class: "pic own" });
}

/** Draw the present positions of games. @param {Summary[]} summaries */
async function drawBoards(summaries) {
  const changed = summaries.filter(({ room, version }) => boards.get(room)?.version !== version);
  await Promise.all(changed.map(async ({ room, version, game, title, board }) => {
    const drawn = board && await withBoard({ name: game, title, ...board }).catch(() => null);
    boards.set(room, { version, picture: drawn && board ? pictureOf(drawn, board) : pictureOfGame(game) });
  }));
}

/** Create squares for days: full ones are left. @param {Summary} summary @param {string} text */
function squares({ clock, left }, text) {
  if (!clock || left === null || !clockByDays(clock)) return null;
  const full = Math.min(MAX_SQUARES, Math.ceil(left / DAY));
  const all = Math.min(MAX_SQUARES, Math.max(full, Math.round((clock.per_move ?? clock.base ?? 0) / DAY)));
  const days = Array.from({ length: all }, (_, day) => h("i", { class: day < full ? "left" : "" }));
  return h("span", { class: "days", role: "img", "aria-label": text }, ...days);
}

/** Return the time left in words. @param {Summary} summary */
function timeOf({ left, clock }) {
  if (left === null || !clock || !clockByDays(clock)) return "";
  return clock.paused_until
    ? say("games-paused", { day: dayOf(clock.paused_until) })
    : say("games-left", { time: daysText(left) });
}

/** Return the terms of a game in words. @param {Summary} summary */
function termsOf({ title, clock, rated, free }) {
  const byDays = clock && clockByDays(clock);
  const terms = byDays ? say("games-terms", { game: title, clock: byDays }) : title;
  const about = rated ? say("games-rated", { terms }) : terms;
  return free ? `${about} · ${say("web-waiting", { count: free })}` : about;
}

/** @param {Summary} summary */
function rowOf(summary) {
  const isYours = isMine(summary);
  const time = timeOf(summary);
  const names = summary.others.join(", ") || summary.title;
  const rating = summary.rating === null ? null : ` ${summary.rating}${summary.is_provisional ? "?" : ""}`;
  const isLate = time && summary.left !== null && summary.left < SOON;
  return h(
    "li",
    {},
    h("span", { class: "frame" }, boards.get(summary.room)?.picture),
    h(
      "span",
      { class: "row-text" },
      h("b", { class: isYours ? "yours" : "", dir: "auto" }, names),
      rating,
      h("small", {}, termsOf(summary)),
      summary.prepared ? h("small", {}, say("games-prepared", { count: summary.prepared })) : null,
    ),
    h(
      "span",
      { class: isLate ? "time-left late" : "time-left" },
      squares(summary, time),
      h("small", {}, time),
    ),
    h(
      "a",
      {
        class: "button",
        href: `/r/${summary.room}`,
        "data-key": `room-${summary.room}`,
        "aria-label": `${say(isYours ? "web-go-on" : "web-look")}: ${names}`,
      },
      say(isYours ? "web-go-on" : "web-look"),
    ),
  );
}

/** @param {string} title @param {Summary[]} rooms */
function section(title, rooms) {
  if (!rooms.length) return null;
  const sorted = rooms.toSorted((one, two) => (one.left ?? Infinity) - (two.left ?? Infinity));
  return h(
    "section",
    { class: "section" },
    h("h2", {}, say(title)),
    h("ul", { class: "running-list by-days" }, ...sorted.map(rowOf)),
  );
}

/** Create the section with the own offers by days, which can be withdrawn here. */
function offersSection() {
  if (!offers.length) return null;
  const rows = offers.map((offer) =>
    lastingRow(offer, pictureOfGame(offer.games[0].name), async () => {
      await withdrawByDays(offer.number).catch(() => undefined); // the list shows if it is still open
      await show();
    })
  );
  return h(
    "section",
    { class: "section" },
    h("h2", {}, say("games-offers")),
    h("ul", { class: "running-list own-offers" }, ...rows),
  );
}

/** Read all games, show them, and follow their changes. */
async function show() {
  try {
    const { rooms, offers: open, pause: last } = await runningRooms();
    [shown, offers, pause] = [rooms, open, last];
    showPause();
    await drawBoards(shown);
    afterPress(render);
    follow();
  } catch (error) {
    fill(at("list"), h("p", { class: "empty", role: "alert" }, errorSentence(error)));
  }
  at("list").removeAttribute("aria-busy");
}

function follow() {
  if (isFollowing) return;
  isFollowing = true;
  followRooms(() => shown, (change) => (change.is_new ? show() : update(change.rooms)));
}

/** Read some of the shown games again. @param {string[]} rooms */
async function update(rooms) {
  const found = await Promise.all(rooms.map(loadSummary));
  const changed = new Map(found.flatMap((summary) => (summary ? [[summary.room, summary]] : [])));
  const isGone = (/** @type {string} */ room) => found[rooms.indexOf(room)] === null;
  shown = shown.map((old) => changed.get(old.room) ?? old)
    .filter((summary) => isRunning(summary) && !isGone(summary.room));
  await drawBoards(shown);
  afterPress(render);
  readInbox(at("inbox"));
}

function render() {
  const played = shown.filter((summary) => !summary.is_practice);
  const yours = played.filter(isMine);
  const theirs = played.filter((summary) => !isMine(summary));
  const byDays = played.filter(({ clock }) => clock && clockByDays(clock));
  at("games-title").textContent = yours.length
    ? say("web-your-turn-in", { count: yours.length })
    : say("web-your-games");
  at("games-about").textContent = shown.length
    ? say("games-count", { count: shown.length, days: byDays.length })
    : say("games-none");
  fill(
    at("list"),
    section("games-yours", yours),
    section("games-theirs", theirs),
    offersSection(),
    section("games-aside", shown.filter((summary) => summary.is_practice)),
  );
}

// The pause

/** The games by days of a guest, each of which has a pause of its own. */
const ofGuest = () => shown.filter(({ clock }) => !isSignedIn() && clock && clockByDays(clock));

function showPause() {
  const now = Date.now();
  const isPaused = pause !== null && pause.ends > now;
  const isUsed = pause !== null && pause.another > now;
  const isGuestPaused = ofGuest().some(({ clock }) => clock?.paused_until);
  at("pause-form").hidden = isUsed || isGuestPaused;
  at("pause-end").hidden = !isPaused && !isGuestPaused;
  const [until, another] = [pause?.ends ?? 0, pause?.another ?? 0].map(dayOf);
  at("pause-state").textContent = isPaused
    ? say("games-paused", { day: until })
    : isUsed
    ? say("pause-next", { day: another })
    : "";
}

/** Stop the clocks for some days, or let them run again. @param {number} days */
async function setPause(days) {
  at("pause-error").textContent = "";
  try {
    if (isSignedIn()) await ask("/api/pause", { days });
    for (const { room } of ofGuest()) {
      const { version } = await ask(`/api/rooms/${room}`);
      await commandRoom(room, version, { type: "pause", days }, null);
    }
  } catch (error) {
    at("pause-error").textContent = errorSentence(error);
  }
  await show();
}

/** Return a day as the value of a field. @param {number} days from now on */
const fieldOf = (days) => new Date(Date.now() + days * DAY).toISOString().slice(0, 10);

function listenForPause() {
  const field = inputAt("pause-until");
  [field.min, field.max, field.value] = [fieldOf(1), fieldOf(14), fieldOf(7)];
  at("pause-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const days = Math.ceil((new Date(field.value).getTime() - Date.now()) / DAY);
    setPause(Math.min(14, Math.max(1, days)));
  });
  at("pause-end").addEventListener("click", () => setPause(0));
}

await begin();
listenForPause();
lookPeriodically(show, () => EVERY);
showInbox(at("inbox"));
showCalls(at("calls"));
