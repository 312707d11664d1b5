// The page of a puzzle. The server judges and answers moves, and sends the solution on request only.

import { ask, errorSentence, SLOW_AFTER } from "./api.js";
import { action, choiceButtons, confirmAim, picking } from "./action_bar.js";
import { Board } from "./board.js";
import { tapConfirms } from "./device.js";
import { at, fill, focusKey, h, listenForEscape, restoreFocus } from "./dom.js";
import { onLanguage, say } from "./i18n.js";
import { begin } from "./page.js";
import { MoveInput } from "./move_input.js";
import { nextPuzzle, rowsOf, solved, storeSolved } from "./solved_puzzles.js";
import { withBoard } from "./board_geometry.js";
import { analysisOf, button, writeHeading, writeMissing } from "./status_texts.js";

const number = Number(location.pathname.split("/")[2]);
const MAX_REFUTED = 100; // the largest number that the server accepts

// Undefined before the first response.
/** @type {Api.PuzzlePage & {drawn: import("./board_geometry.js").Game}} */ let puzzle;
/** @type {Api.AttemptMessage} The present attempt. */ let attempt;
/** @type {Api.PuzzleSolution | null} The solution if it is shown. */ let solution = null;
/** @type {Api.PuzzleList} */ let all = { daily: 0, games: [] };
/** The number of hints for this move. */ let helped = 0;
/** @type {number | null} The cell of a hint. */ let hinted = null;
/** @type {string[]} The wrong moves that were tried in this position. */ let refuted = [];
let message = "";
/** @type {object | null} The pending request. Responses to earlier ones are dropped. */ let pending = null;
let underWay = Promise.resolve();
/** The number of restarts. */ let beginning = 0;

const board = new Board(at("board"), { choose, aim: () => attempt && render(), confirms: tapConfirms }, 400);
const legal = () => (solution ? [] : attempt.legal);
const input = new MoveInput(board, { legal, made: attemptMove, changed: () => tell("") }, "panel");
const path = /** @type {const} */ (`/api/puzzles/${number}`);

/** @param {Api.AttemptMessage} response */
function takeIn(response) {
  if (response.made !== attempt?.made) [helped, hinted, refuted] = [0, null, []];
  attempt = response;
  message = response.sentence;
  if (response.is_solved) storeSolved(number);
}

/**
 * Send a request about the present moves unless another one is pending.
 * @template T
 * @param {() => Promise<T>} send
 * @param {(response: T) => void} take
 */
function request(send, take) {
  if (!pending) underWay = answer(send, take);
  return underWay;
}

/** @template T @param {() => Promise<T>} send @param {(response: T) => void} take */
async function answer(send, take) {
  const mine = (pending = {});
  const late = setTimeout(() => pending === mine && tell(say("searching")), SLOW_AFTER);
  try {
    const response = await send();
    if (pending === mine) take(response);
  } catch (error) {
    if (pending === mine) message = errorSentence(error);
  }
  clearTimeout(late);
  if (pending !== mine) return;
  pending = null;
  render();
}

/** @param {string} sentence */
function tell(sentence) {
  message = sentence;
  render();
}

/** Enter the chosen cell as a move or a part of one. @param {number} index */
function choose(index) {
  if (!attempt || pending || solution || attempt.is_solved || input.point(index)) return;
  const reason = input.whyNot(attempt.position.cells, index);
  tell(say(reason, { cell: board.space.board.names[index], said: input.name }));
}

/** @param {string} move */
function attemptMove(move) {
  request(() => ask(`${path}/tries`, { moves: [...attempt.moves, move] }), (response) => {
    takeIn(response);
    if (response.verdict === "wrong" && !refuted.includes(move)) {
      refuted = [move, ...refuted].slice(0, MAX_REFUTED);
    }
  });
}

function hint() {
  request(() => ask(`${path}/hint`, { moves: attempt.moves, step: helped, refuted }), (response) => {
    [message, hinted] = [response.sentence, response.cell];
    helped = 1;
  });
}

/** Show the solution after the pending request: a move that was sent counts. */
async function show() {
  const mine = beginning;
  await underWay;
  if (mine !== beginning || isOver()) return;
  input.said = [];
  await request(() => ask(`${path}/solution`, { moves: attempt.moves }), (response) => {
    solution = response;
    message = response.sentence;
  });
  if (mine === beginning) focusKey("web-puzzle-next");
}

function startOver() {
  beginning++;
  pending = null;
  underWay = Promise.resolve();
  [input.said, solution, hinted, helped] = [[], null, null, 0];
  takeIn(puzzle.attempt);
  render();
}

function render() {
  const { position, is_solved: isSolved, legal } = attempt;
  const shown = solution?.position ?? position;
  const held = document.activeElement;
  const title = isSolved ? say("puzzle-solved") : puzzle.task;
  const news = message || (board.aiming.at === null ? "" : say("web-aim-about"));
  const about = news && !isSolved
    ? news
    : isSolved
    ? puzzle.title
    : say("web-puzzle-about", { game: puzzle.drawn.title });
  writeHeading(at("status"), { side: puzzle.side, title, about, isNews: Boolean(news) && !isSolved });
  const open = new Set(pending || !legal.length ? [] : input.step.cells);
  board.show(puzzle.drawn, {
    cells: shown.cells,
    last: shown.last,
    lines: shown.lines,
    annotations: shown.annotations,
    turn: shown.turn,
    mark: attempt.mark,
    open,
    hint: solution ? null : hinted,
    said: input.cells,
    isLive: !isOver(),
  });
  fillBelow();
  fillMargin();
  restoreFocus(held);
}

function fillBelow() {
  const next = input.picking;
  const row = next.isBegun ? picking(next) : { label: say("web-help"), parts: choiceButtons(next) };
  const first = row.parts.length
    ? h("div", { class: "acts", role: "group", "aria-label": row.label }, ...row.parts)
    : null;
  const bar = h(
    "div",
    { class: "bar", role: "group", "aria-label": say("web-help") },
    isOver() ? null : action("web-hint", "web-hint", "hint", hint),
    isOver() ? null : action("web-puzzle-show", "web-puzzle-show", "review", show),
    action("web-puzzle-over", "web-puzzle-over", "rematch", startOver),
    action("web-puzzle-next", "web-puzzle-next", "next", goOn, { kind: attempt.is_solved ? "primary" : "" }),
  );
  confirmAim(bar, board.aiming.asked);
  fill(at("panel"), first, bar);
}

/** Return true if the puzzle is over. Before that, the analysis would reveal the solution. */
const isOver = () => attempt.is_solved || solution !== null;

function goOn() {
  const of = all.games.find((game) => game.name === puzzle.game);
  location.assign(`/puzzle/${nextPuzzle(all, of, puzzle) ?? all.daily}`);
}

/** Return a ring for each of the solver's moves: done, next or later. */
function rings() {
  const { made, left } = attempt;
  const label = left
    ? say("web-puzzle-move", { number: made + 1, count: made + left })
    : say("puzzle-solved");
  const kinds = Array.from(
    { length: made + left },
    (_, place) => (place < made ? "d" : place === made ? "now" : null),
  );
  return h(
    "div",
    { class: "dots", role: "img", "aria-label": label },
    ...kinds.map((kind) => h("i", { class: kind })),
  );
}

function fillMargin() {
  const isKnown = solved().has(number) && !attempt.is_solved;
  const day = all.daily === number ? say("web-puzzle-daily") : "";
  fill(
    at("margin"),
    h("section", {}, h("h2", {}, say("web-puzzle-moves")), rings()),
    h(
      "section",
      {},
      h("h2", {}, puzzle.title),
      day ? h("p", { class: "fact" }, day) : null,
      isKnown ? h("p", { class: "fact" }, say("puzzle-solved-before")) : null,
      isOver()
        ? h(
          "div",
          { class: "acts" },
          h("a", {
            class: "button",
            href: analysisOf(puzzle.drawn, puzzle.position, []),
            "data-key": "web-explore",
          }, say("web-explore")),
        )
        : null,
    ),
    h(
      "details",
      { class: "more", "data-key": "rules" },
      h("summary", {}, say("web-rules")),
      h("p", { class: "fact" }, puzzle.drawn.rules),
    ),
    h("section", {}, h("h2", {}, say("web-puzzle-choose")), rowsOf(all)),
  );
}

async function read() {
  const [response, listed] = await Promise.all([ask(path), ask("/api/puzzles")]);
  puzzle = { ...response, drawn: await withBoard(response.drawn) };
  all = listed;
  for (;;) {
    const [before, shown] = [attempt, solution];
    const moves = before?.moves ?? [];
    const again = moves.length ? await ask(`${path}/tries`, { moves }) : response.attempt;
    const line = shown && (await ask(`${path}/solution`, { moves }));
    if (attempt !== before || solution !== shown) continue; // a move or a restart came between
    takeIn(again);
    solution = line;
    return;
  }
}

async function load() {
  await begin();
  onLanguage(async () => {
    try {
      await read();
      render();
    } catch (error) {
      writeMissing(error, "web-no-puzzle", "web-no-puzzle-about");
      fill(
        at("panel"),
        h(
          "div",
          { class: "acts" },
          h("a", { class: "button primary", href: "/puzzles" }, say("web-puzzles")),
          button("web-try-now", () => location.reload()),
        ),
      );
    }
  });
  listenForEscape(() => (board.aiming.at === null ? input.takeBack() : board.aiming.aim(null)));
}

load();
