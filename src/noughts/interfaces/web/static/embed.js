// A game or a position inside a page of another site. It needs no cookies and no storage, and changes no address.

import { pause } from "./api.js";
import { Board } from "./board.js";
import { at, fill } from "./dom.js";
import { begin, onLanguage } from "./i18n.js";
import { cellsByPly } from "./annotations.js";
import { withBoard } from "./board_geometry.js";
import { listenForSteps, plyAfter, plyOfAddress, stepsOf } from "./ply_steps.js";
import { writeHeading } from "./status_texts.js";

const BESIDES = 290; // pixels above and below the board: the heading, the steps and the link
// Milliseconds between two readings of a game that is being played. They become rarer until a move comes.
const [LOOK_AFTER, LOOK_EVERY] = [3000, 15_000];

/** @typedef {Pick<Api.Replay, "game" | "title" | "winner" | "moves" | "boards" | "lines">} Line */

/**
 * @typedef {object} Shown the content of a page
 * @property {Line & {turn?: string | null}} replay
 * @property {string} title
 * @property {string} about
 * @property {ReturnType<typeof cellsByPly>} boards
 * @property {number} last
 */

/** Return the content of *page*, null if it has none. @param {Document} page @returns {Shown | null} */
function contentOf(page) {
  const { game, title = "", about = "" } = page.getElementById("board")?.dataset ?? {};
  if (!game) return null;
  /** @type {Shown["replay"]} */ const replay = JSON.parse(game);
  const boards = cellsByPly(replay.boards, drawn.board.names.length);
  return { replay, title, about, boards, last: boards.length - 1 };
}

const drawn = await withBoard(JSON.parse(at("board").dataset.game ?? "").game);
let shown = /** @type {Shown} */ (contentOf(document));
const board = new Board(at("board"), { choose: () => undefined }, BESIDES);
let ply = Math.min(plyOfAddress() ?? shown.last, shown.last);

/** Show a ply. @param {number} to */
function goTo(to) {
  ply = to;
  render();
}

function render() {
  const { replay, title, about, boards, last } = shown;
  writeHeading(at("status"), { side: replay.winner ?? replay.turn ?? null, title, about });
  const { last: placed, annotations } = replay.boards[ply];
  board.show({ ...drawn, title: replay.title }, {
    cells: boards[ply],
    last: placed,
    annotations,
    lines: ply === last ? replay.lines : [],
    turn: replay.moves[ply]?.side ?? replay.turn ?? null,
  });
  fill(at("panel"), last ? stepsOf({ ply, last, open: goTo }) : null);
}

/** Read the page again, and show the new moves unless the reader looks back. */
async function look() {
  const answer = await fetch(location.href);
  if (!answer.ok) return;
  const next = contentOf(new DOMParser().parseFromString(await answer.text(), "text/html"));
  if (!next) return;
  const isLookingBack = ply < shown.last;
  shown = next;
  goTo(isLookingBack ? Math.min(ply, shown.last) : shown.last);
}

/** Follow a game in a room until it ends. */
async function follow() {
  for (let wait = LOOK_AFTER; shown.replay.turn;) {
    await pause(wait);
    if (document.hidden) continue;
    const { last } = shown;
    await look().catch(() => undefined);
    wait = shown.last === last ? Math.min(1.5 * wait, LOOK_EVERY) : LOOK_AFTER;
  }
}

await begin();
onLanguage(render);
listenForSteps((step) => goTo(plyAfter(step, ply, shown.last)));
if (location.pathname.startsWith("/embed/r/")) follow();
