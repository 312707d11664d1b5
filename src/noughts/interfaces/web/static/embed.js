// A replay inside a page of another site. It needs no cookies and no storage, and changes no address.

import { Board } from "./board.js";
import { at, fill } from "./dom.js";
import { begin, onLanguage } from "./i18n.js";
import { cellsByPly } from "./annotations.js";
import { withBoard } from "./board_geometry.js";
import { listenForSteps, plyAfter, plyOfAddress, stepsOf } from "./ply_steps.js";
import { endTitle, writeHeading } from "./status_texts.js";

const BESIDES = 290; // pixels above and below the board: the heading, the steps and the link

const { game: text = "", about = "" } = at("board").dataset;
/** @type {Api.Replay} */ const replay = JSON.parse(text);
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
  const title = endTitle(replay, replay.winner, replay.termination);
  writeHeading(at("status"), { side: replay.winner, title, about });
  const { last: placed, annotations } = replay.boards[ply];
  board.show({ ...drawn, title: replay.title }, {
    cells: boards[ply],
    last: placed,
    annotations,
    lines: ply === last ? replay.lines : [],
    turn: replay.moves[ply]?.side ?? null,
  });
  fill(at("panel"), stepsOf({ ply, last, open: goTo }));
}

await begin();
onLanguage(render);
listenForSteps((step) => goTo(plyAfter(step, ply, last)));
