// The first page: the choice of a game and an opponent, and the running games of this browser.

import { ask, Refusal } from "./api.js";
import { at, fill, h } from "./dom.js";
import { keep, kept, onLanguage, say } from "./i18n.js";
import { begin } from "./page.js";
import { dropSeats, expect, putBehind, seats } from "./seats.js";
import { choose, listenForStart } from "./starting.js";

const GAME = "noughts-game";
const SHOWN = 4;

/** @type {Api.RoomSummary[]} The rooms in which this browser has a seat. */ let rooms = [];
let most = SHOWN;
let hasMore = false;

const radios = () => [...at("index").querySelectorAll("input")];

function showChoice() {
  const radio = radios().find((one) => one.checked);
  if (!radio) return;
  const caption = radio.closest(".pick")?.querySelector(".cap");
  at("title").textContent = caption?.querySelector("b")?.textContent ?? "";
  at("about").textContent = caption?.querySelector("small")?.textContent ?? "";
  choose({ name: radio.value, sides: (radio.dataset.sides ?? "").split(" ") });
}

/**
 * Return the summary of a room: null if it does not exist any more, undefined without a response.
 * @param {string} room
 */
async function lookAt(room) {
  try {
    return await ask(`/api/rooms/${room}/brief`);
  } catch (error) {
    return error instanceof Refusal && error.status === 404 ? null : undefined;
  }
}

/** Show the running games of this browser, and forget rooms that are gone. Finished games come last. */
async function showYours() {
  /** @type {Api.RoomSummary[]} */ const going = [];
  /** @type {Api.RoomSummary[]} */ const over = [];
  /** @type {string[]} */ const gone = [];
  let waiting = seats();
  while (waiting.length && going.length + (waiting[0].isOver ? over.length : 0) < most) {
    const [{ room }, ...others] = waiting;
    waiting = others;
    const told = await lookAt(room);
    if (told === null || told?.phase === "closed") gone.push(room);
    else if (told) (told.phase === "over" ? over : going).push(told);
  }
  if (gone.length) dropSeats(gone);
  if (over.length) putBehind(over.map(({ room }) => room));
  rooms = [...going, ...over].slice(0, most);
  hasMore = going.length + over.length + waiting.length > rooms.length;
  expect(going.length, rooms.length + Number(hasMore));
  fillYours();
}

function showAll() {
  most = Infinity;
  showYours();
}

const isMine = (/** @type {Api.RoomSummary} */ told) =>
  told.is_your_turn || (told.turn !== null && kept(`noughts-here-${told.room}`) !== null);

/** Return the state of a game in a few words. @param {Api.RoomSummary} told */
function standing(told) {
  if (told.phase === "waiting") return [say("web-waiting", { count: told.free })];
  if (told.phase === "over") return [say("web-over")];
  const who = told.others.join(", ");
  return isMine(told)
    ? [h("b", { class: "now" }, say("your-turn")), who && ` · ${who}`]
    : [say("is-to-move", { player: told.turn ?? "" })];
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
  at("yours").hidden = !rooms.length;
  const rows = rooms.map((told) =>
    h(
      "li",
      {},
      pictureOf(told.game),
      h("span", { class: "ln" }, ...standing(told), h("small", {}, told.title)),
      h(
        "a",
        { class: "button", href: `/r/${told.room}`, "data-key": `room-${told.room}` },
        say(isMine(told) ? "web-go-on" : "web-look"),
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
const before = radios().find((one) => one.value === kept(GAME));
if (before) before.checked = true;
listenForStart();
onLanguage(showChoice);
onLanguage(() => seats().length && showYours());
at("index").addEventListener("change", () => {
  keep(GAME, radios().find((one) => one.checked)?.value ?? "");
  showChoice();
});
