// A running game of a tournament: the board, the moves, and earlier positions.

import { Board } from "./board.js";
import { clockText, tick } from "./clocks.js";
import { at, fill, h } from "./dom.js";
import { say } from "./i18n.js";
import { legendSection } from "./legend.js";
import { movesSection, playerItem, playersSection } from "./margin.js";
import { begin, lookPeriodically } from "./page.js";
import { patch } from "./dom_patch.js";
import { cellsByPly } from "./annotations.js";
import { withBoard } from "./board_geometry.js";
import { listenForSteps, plyAfter, plyOfAddress, stepsOf, writeAddress } from "./ply_steps.js";
import { writeHeading } from "./status_texts.js";

const [EVERY, TICK] = [1500, 100]; // milliseconds between updates of the page, and of the clocks

/**
 * @typedef {object} GameFacts the data of any game
 * @property {string} title
 * @property {string} heading
 * @property {string} about
 * @property {(Api.GamePlayer & {is_to_move: boolean})[]} players
 */
/**
 * @typedef {object} Played the data of a game that can be shown
 * @property {Api.GameMessage} game
 * @property {Api.MoveMessage[]} moves
 * @property {Api.BoardChange[]} boards
 * @property {number[][]} lines
 * @property {string | null} turn
 * @property {Pick<Api.ClockMessage, "left" | "running"> | null} clock
 */
/** @typedef {GameFacts & (Played | {game: null})} GameNews */

// Undefined before the first update.
/** @type {GameNews} The last news of the game. */ let news;
/** @type {GameFacts & Played & {game: {board: Api.BoardMessage}}} The last data with a board. */
let seen;
let known = "";
let heardAt = 0;
/** @type {(string | null)[][]} */ let boards = [];
/** @type {number | null} The earlier ply that is shown, or null. */
let past = plyOfAddress();
/** The address of the replay once the game has ended. */ let ended = "";

const board = new Board(at("board"), { choose: () => undefined }, 520);

const last = () => boards.length - 1;
const ply = () => Math.min(past ?? last(), last());

/** Show a ply. At the last one, follow the game again. @param {number} to */
function goTo(to) {
  if (to >= last() && ended) return location.replace(ended);
  past = to >= last() ? null : to;
  writeAddress(past);
  render();
}

function render() {
  const isPast = past !== null && past < last();
  writeHeading(at("status"), {
    side: isPast || !news.game ? null : news.turn,
    title: isPast ? say("web-past-title", { ply: ply(), of: last() }) : news.heading,
    about: news.about,
  });
  if (!seen) return;
  const { last: placed, annotations } = seen.boards[ply()];
  const turn = isPast ? seen.moves[ply()].side : seen.turn;
  board.show({ ...seen.game, title: seen.title }, {
    cells: boards[ply()],
    last: placed,
    annotations,
    lines: isPast ? [] : seen.lines,
    turn,
  });
  fill(at("panel"), stepsOf({ ply: ply(), last: last(), open: goTo }));
  fill(
    at("note"),
    ended
      ? h(
        "p",
        { class: "note", role: "status" },
        say("web-over"),
        " ",
        h("a", { href: ended, "data-key": "ended" }, say("web-look")),
      )
      : null,
  );
  fillMargin();
}

function fillMargin() {
  const players = seen.players.map((player) => {
    const isToMove = player.is_to_move && Boolean(news.game);
    const left = seen.clock?.left[player.side];
    return playerItem(player, {
      isToMove,
      presence: isToMove ? say("web-thinking") : "",
      left: left === undefined ? undefined : clockText(left),
    });
  });
  const moves = movesSection(seen.moves, { current: ply(), open: goTo });
  patch(
    at("aside"),
    h(
      "div",
      { id: "aside" },
      playersSection(players),
      h("p", { class: "fact" }, seen.title),
      legendSection(board),
      moves,
    ),
  );
  const list = at("aside").querySelector(".moves ol");
  if (list && past === null) list.scrollTop = list.scrollHeight;
}

/** Show the data of a page from the server. @param {Document} page */
async function take(page) {
  const text = page.getElementById("board")?.dataset.live;
  if (!text || text === known) return;
  /** @type {GameNews} */ const now = JSON.parse(text);
  const game = now.game && await withBoard(now.game);
  [known, news, heardAt] = [text, now, performance.now()];
  if (now.game && game) {
    seen = { ...now, game };
    boards = cellsByPly(seen.boards, game.board.names.length);
  }
  render();
}

/** Update the game. While the server cannot be reached, it stays as it is. */
async function look() {
  const answer = await fetch(location.pathname).catch(() => null);
  if (!answer?.ok) return;
  if (!answer.redirected) return take(new DOMParser().parseFromString(await answer.text(), "text/html"));
  if (past === null) return location.replace(answer.url);
  ended = answer.url; // a reader who looks back stays here
  render();
}

await begin();
await take(document);
lookPeriodically(look, () => (ended ? Infinity : EVERY));
setInterval(() => news?.game && tick(news.clock, heardAt, false, []), TICK);
listenForSteps((to) => seen && goTo(plyAfter(to, ply(), last())));
