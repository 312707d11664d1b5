// A game or a position inside a page of another site. It needs no cookies and no storage, and changes no address.

import { Board } from "./board.js";
import { at, fill } from "./dom.js";
import { begin, onLanguage } from "./i18n.js";
import { cellsByPly } from "./annotations.js";
import { withBoard } from "./board_geometry.js";
import { listenForSteps, plyAfter, plyOfAddress, stepsOf } from "./ply_steps.js";
import { writeHeading } from "./status_texts.js";

const BESIDES = 290; // pixels above and below the board: the heading, the steps and the link

/** @typedef {Pick<Api.Replay, "game" | "title" | "winner" | "moves" | "boards" | "lines">} Line */

const { game: text = "", title = "", about = "" } = at("board").dataset;
/** @type {Line & {turn?: string | null}} */ const replay = JSON.parse(text);
const drawn = await withBoard(replay.game);
const boards = cellsByPly(replay.boards, drawn.board.names.length);
const last = boards.length - 1;
const board = new Board(at("board"), { choose: () => undefined }, BESIDES);
let ply = Math.min(plyOfAddress() ?? last, last);

/** Show a ply. @param {number} to */
function goTo(to) {
  ply = to;
  render();
}

function render() {
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

await begin();
onLanguage(render);
listenForSteps((step) => goTo(plyAfter(step, ply, last)));
