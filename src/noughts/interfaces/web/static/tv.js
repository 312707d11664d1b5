// The page for watching: the featured public game on a large board, and others on small ones.

import { ApiError, ask, errorSentence, followEvents } from "./api.js";
import { Board } from "./board.js";
import { glyph, pictureOf } from "./board_drawing.js";
import { withBoard } from "./board_geometry.js";
import { clockText, tick } from "./clocks.js";
import { patch } from "./dom_patch.js";
import { afterPress, at, fill, h } from "./dom.js";
import { paragraph, readStored, say, writeStored } from "./i18n.js";
import { legendSection } from "./legend.js";
import { playerItem } from "./margin.js";
import { begin } from "./page.js";
import { button, endTitle, shortName, writeHeading } from "./status_texts.js";

const SHOW = "noughts-watch";
const TICK = 100; // milliseconds between updates of the clocks
const SHOWN = { game: "connect4", computers: ["level:5", "level:6"], visibility: "public" };

/** @typedef {import("./board_geometry.js").Game} Game */
/** @typedef {Api.WatchedGame & {drawn: Game, heardAt: number}} Seen a game with the drawing of its board */

/** @type {Map<string, Seen>} */ const games = new Map();
/** @type {Map<string, Element>} The pictures of small boards by room. */ const pictures = new Map();
/** @type {string[]} The rooms by place, the featured one first. */ let order = [];
/** @type {string | null} */ let featured = null;
/** @type {string | null} The room that the reader chose for the large board, or null. */ let chosen = null;
let playing = 0;
/** The choice of games: the name of a game, `computers`, or empty for all. */
let show = "";
let isKnown = false;
let trouble = "";

const board = new Board(at("board"), { choose: () => undefined }, 520);

/** Take in a game with its position. @param {Api.WatchedGame} game */
async function add(game) {
  const drawn = await withBoard(game.game);
  games.set(game.room, { ...game, drawn, heardAt: performance.now() });
  pictures.delete(game.room);
}

/** @param {Api.WallState} state */
async function takeAll(state) {
  games.clear();
  pictures.clear();
  await Promise.all(state.games.map(add));
  order = state.games.map(({ room }) => room);
  ({ featured, playing } = state);
}

/** @param {Api.WallChanges} changes */
async function takeChanges(changes) {
  await Promise.all(changes.new.map(add));
  for (const { changed, ...facts } of changes.changed) {
    const game = games.get(facts.room);
    if (!game) continue;
    const cells = [...game.cells];
    for (const [index, mark] of Object.entries(changed)) cells[Number(index)] = mark;
    games.set(facts.room, { ...game, ...facts, cells, heardAt: performance.now() });
    pictures.delete(facts.room);
  }
  ({ order, featured, playing } = changes);
  for (const room of games.keys()) if (!order.includes(room)) games.delete(room);
}

let taken = Promise.resolve(); // events are taken in one after another

/** Take in an event of the wall. @param {string} event @param {string} data @param {() => void} cut */
function take(event, data, cut) {
  const value = JSON.parse(data);
  taken = taken.then(() => (event === "wall" ? takeAll(value) : takeChanges(value))).then(() => {
    isKnown = true;
    trouble = "";
    afterPress(render);
  }).catch((error) => {
    trouble = errorSentence(error);
    cut();
  });
}

const chips = () =>
  [...at("show").querySelectorAll("input")].filter((one) => one instanceof HTMLInputElement);

/** Take the choice that was made while the page was loading, or else tick that of the last visit. */
function restoreChoice() {
  const early = chips().find(({ checked, defaultChecked }) => checked && !defaultChecked);
  const chip = early ?? chips().find(({ value }) => value === readStored(SHOW));
  if (!chip) return;
  chip.checked = true;
  show = chip.value;
  writeStored(SHOW, show);
}

/** Follow the wall of the ticked choice. */
function choose() {
  show = chips().find(({ checked }) => checked)?.value ?? "";
  writeStored(SHOW, show);
  chosen = null;
  cut();
}

/** Show why the stream has ended. @param {unknown} error */
function showEnd(error) {
  if (error instanceof ApiError) trouble = errorSentence(error);
  afterPress(render);
}

/** @param {Seen} game */
const aboutGame = (game) =>
  say(game.rated ? "web-tv-rated" : "web-tv-about", {
    game: game.game.title,
    number: game.result ? game.ply : game.ply + 1,
  });

/** Return the game on the large board. */
const largeGame = () => games.get(chosen ?? "") ?? games.get(featured ?? "");

/** Show the next game on the large board. The first one follows the last one. */
function showNext() {
  const next = order[(order.indexOf(largeGame()?.room ?? "") + 1) % order.length];
  chosen = next === featured ? null : next;
  render();
}

function render() {
  const game = largeGame();
  at("board").hidden = !game;
  if (isKnown) at("seats").hidden = !game;
  at("why").hidden = !game || game.room !== featured;
  if (game) showLarge(game);
  else showNothing();
  showSmall();
}

/** @param {Seen} game */
function showLarge(game) {
  const { result, turn, cells, last, lines, annotations } = game;
  const mover = game.players.find((player) => player.side === turn);
  writeHeading(at("status"), {
    side: result ? null : turn,
    title: result
      ? endTitle(game, result.winner, result.termination)
      : say("is-to-move", { player: shortName(mover) }),
    about: paragraph([
      ...(result?.sentences ?? []),
      aboutGame(game),
      game.spectators ? say("web-watchers", { count: game.spectators }) : "",
      game.delay ? say("web-delay", { count: game.delay }) : "",
      trouble,
    ]),
  });
  board.show({ ...game.drawn, title: game.game.title }, { cells, last, lines, turn, annotations });
  fill(
    at("panel"),
    h(
      "p",
      { class: "acts" },
      h("a", { class: "button", href: game.link, "data-key": "open" }, say("web-tv-open")),
      order.length > 1 ? button("web-tv-next", showNext) : null,
    ),
  );
  const items = game.players.map((player) => {
    const left = game.clock?.left[player.side];
    return playerItem(player, {
      isToMove: !result && player.side === turn,
      left: left === undefined ? undefined : clockText(left),
    });
  });
  fill(at("players"), ...items);
  patch(at("aside"), h("div", { id: "aside" }, legendSection(board)));
}

function showNothing() {
  fill(at("aside"));
  fill(at("players"));
  if (!isKnown && !trouble) return;
  writeHeading(at("status"), {
    side: null,
    title: !isKnown ? say("web-tv-title") : show ? say("web-tv-none-shown") : say("web-tv-none"),
    about: trouble || say("web-tv-none-about"),
  });
  fill(
    at("panel"),
    h(
      "p",
      { class: "acts" },
      h("a", { class: "button primary", href: "/#quick", "data-key": "find" }, say("lobby-find")),
      button("web-watch", letComputersPlay),
      h("a", { class: "button", href: "/history", "data-key": "history" }, say("web-nav-history")),
    ),
  );
}

/** Open a public game of two computers, which appears on this page. */
async function letComputersPlay() {
  try {
    const game = show && show !== "computers" ? show : SHOWN.game;
    await ask("/api/rooms", /** @type {Api.OpenRoomRequest} */ ({ ...SHOWN, game }));
  } catch (error) {
    trouble = errorSentence(error);
    render();
  }
}

function showSmall() {
  const large = largeGame()?.room;
  const small = order.filter((room) => room !== large).flatMap((room) => games.get(room) ?? []);
  at("wall").hidden = !small.length;
  at("playing").textContent = playing ? say("web-tv-count", { count: playing }) : "";
  patch(at("boards"), h("ul", { id: "boards" }, ...small.map(smallBoard)));
}

/** Create the list item of a small board. @param {Seen} game */
function smallBoard(game) {
  if (!pictures.has(game.room)) pictures.set(game.room, pictureOf(game.drawn, game));
  const players = game.players.map((player) =>
    h(
      "span",
      { class: !game.result && player.side === game.turn ? "player-name turn" : "player-name" },
      glyph(player.side),
      h("span", { class: "name", dir: "auto" }, player.name, player.rating ? ` ${player.rating}` : null),
    )
  );
  return h(
    "li",
    { "data-key": game.room },
    h(
      "a",
      { href: game.link },
      h("span", { class: "frame" }, pictures.get(game.room)?.cloneNode(true)),
      h(
        "span",
        { class: "cap" },
        h("b", {}, game.game.title),
        ...players,
        h("small", {}, game.result ? say("web-over") : say("web-running-move", { number: game.ply + 1 })),
      ),
    ),
  );
}

function tickClocks() {
  const game = largeGame();
  if (game) tick(game.clock, game.heardAt, Boolean(trouble), []);
}

await begin();
setInterval(tickClocks, TICK);
restoreChoice();
at("show").addEventListener("change", choose);
const cut = followEvents(() => `/api/tv/events${show && `?show=${show}`}`, take, showEnd);
