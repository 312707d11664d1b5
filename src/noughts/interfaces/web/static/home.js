// The first page: the choice of a game and an opponent, and the running games of this browser.

import { at, fill, h } from "./dom.js";
import { onLanguage, readStored, say, writeStored } from "./i18n.js";
import { hasListedRooms, listedRooms, loadSummary } from "./own_rooms.js";
import { begin, lookPeriodically } from "./page.js";
import { dropSeats, moveSeatsBack, seats, storeExpectedRows } from "./stored_seats.js";
import { choose, listenForStart } from "./new_game.js";
import { offerToAnyone, showLasting, showLobby, showName } from "./lobby.js";

const GAME = "noughts-game";
const SHOWN = 4;
const EVERY = 60_000;

/** @type {Api.RoomSummary[]} The rooms in which this browser has a seat. */ let rooms = [];
let most = SHOWN;
let hasMore = false;

const radios = () =>
  [...at("index").querySelectorAll("input")].filter((one) =>
    one instanceof HTMLInputElement && one.name === "game"
  );

function showChoice() {
  const radio = radios().find((one) => one.checked);
  if (!radio) return;
  const caption = radio.closest(".pick")?.querySelector(".cap");
  at("title").textContent = caption?.querySelector("b")?.textContent ?? "";
  at("about").textContent = caption?.querySelector("small")?.textContent ?? "";
  choose({ name: radio.value, sides: (radio.dataset.sides ?? "").split(" ") });
}

/** Show the running games of this browser, and forget rooms that are gone. Finished games come last. */
async function showRunningGames() {
  /** @type {Api.RoomSummary[]} */ const going = [];
  /** @type {Api.RoomSummary[]} */ const over = [];
  /** @type {string[]} */ const gone = [];
  const { rooms: ofKey, offers } = await listedRooms();
  showLasting(offers);
  for (const summary of ofKey) (summary.phase === "over" ? over : going).push(summary);
  let waiting = seats().filter(({ room }) => !ofKey.some((summary) => summary.room === room));
  while (waiting.length && going.length + (waiting[0].isOver ? over.length : 0) < most) {
    const [{ room }, ...others] = waiting;
    waiting = others;
    const summary = await loadSummary(room);
    if (summary === null || summary?.phase === "closed") gone.push(room);
    else if (summary) (summary.phase === "over" ? over : going).push(summary);
  }
  if (gone.length) dropSeats(gone);
  if (over.length) moveSeatsBack(over.map(({ room }) => room));
  going.sort((one, two) => Number(isMine(two)) - Number(isMine(one)));
  rooms = [...going, ...over].slice(0, most);
  hasMore = going.length + over.length + waiting.length > rooms.length;
  storeExpectedRows(going.length, rooms.length + Number(hasMore));
  fillYours();
}

function showAll() {
  most = Infinity;
  showRunningGames();
}

const isMine = (/** @type {Api.RoomSummary} */ summary) =>
  summary.is_your_turn || (summary.turn !== null && readStored(`noughts-here-${summary.room}`) !== null);

/** Return the state of a game in a few words. @param {Api.RoomSummary} summary */
function gameStatus(summary) {
  if (summary.phase === "waiting") return [say("web-waiting", { count: summary.free })];
  if (summary.phase === "over") return [say(summary.is_called_off ? "over-aborted" : "web-over")];
  const who = summary.others.join(", ");
  return isMine(summary)
    ? [h("b", { class: "now" }, say("your-turn")), who && ` · ${who}`]
    : [say("is-to-move", { player: summary.turn ?? "" })];
}

/** Return the small picture of a game from its shelf. @param {string} game */
function pictureOf(game) {
  const radio = radios().find((one) => one.value === game);
  const pictured = radio?.closest(".pick")?.querySelector(".pic");
  const picture = pictured && document.importNode(pictured, true);
  for (const named of picture?.querySelectorAll("defs") ?? []) named.remove();
  return picture ?? h("span", { class: "pic own" });
}

function fillYours() {
  const mine = rooms.filter(isMine).length;
  at("running-games").hidden = !rooms.length;
  const rows = rooms.map((summary) =>
    h(
      "li",
      {},
      pictureOf(summary.game),
      h("span", { class: "row-text" }, ...gameStatus(summary), h("small", {}, summary.title)),
      h(
        "a",
        { class: "button", href: `/r/${summary.room}`, "data-key": `room-${summary.room}` },
        say(isMine(summary) ? "web-go-on" : "web-look"),
      ),
    )
  );
  fill(
    at("seats"),
    ...rows,
    hasMore
      ? h(
        "li",
        {},
        h("button", { type: "button", "data-key": "all-rooms", click: showAll }, say("web-show-all")),
      )
      : null,
  );
  const alert = document.getElementById("alert");
  if (alert) {
    alert.textContent = mine
      ? say("web-your-turn-in", { count: mine })
      : say("web-games-go-on", { count: rooms.length });
  }
}

await begin();
const before = radios().find((one) => one.value === readStored(GAME));
if (before) before.checked = true;
listenForStart(undefined, offerToAnyone).then(showName);
onLanguage(showChoice);
const looked = new Promise((resolve) => {
  lookPeriodically(async () => {
    if (seats().length || hasListedRooms()) await showRunningGames();
    resolve(null);
  }, () => EVERY);
});
showLobby(pictureOf, showRunningGames, looked);
at("index").addEventListener("change", () => {
  writeStored(GAME, radios().find((one) => one.checked)?.value ?? "");
  showChoice();
});
