// The replay of a finished game. The address has the number of the shown move.

import { ask, errorSentence, pathOfGame, sharedOrigin } from "./api.js";
import { action, copyAction, link } from "./action_bar.js";
import { Board } from "./board.js";
import { at, fill, h, listenForEscape } from "./dom.js";
import { dayOf, onLanguage, paragraph, say } from "./i18n.js";
import { legendSection } from "./legend.js";
import { moveInSentence, movesSection, playerItem, playersSection } from "./margin.js";
import { begin } from "./page.js";
import { cellsByPly } from "./annotations.js";
import { accuracySection, chartOf, lineOf, pointsSection, Review } from "./review.js";
import { withBoard } from "./board_geometry.js";
import {
  addressOf,
  isReviewRequested,
  keyOfAddress,
  listenForKeys,
  listenForSteps,
  plyAfter,
  plyOfAddress,
  stepsOf,
  writeAddress,
} from "./ply_steps.js";
import { analysisOf, endTitle, fileLinks, writeHeading, writeMissing } from "./status_texts.js";
import { shareSection } from "./share.js";
import { Evaluator, hintSentence, SECONDS, shownHelp } from "./evaluation.js";

const number = location.pathname.split("/")[2];
const key = keyOfAddress();
/** @type {Api.Replay & {game: import("./board_geometry.js").Game}} Undefined before the first response. */
let game;
/** @type {(string | null)[][]} */ let boards = [];
let ply = 0;
/** The number of shown moves of the better line. */
let step = 0;
/** Whether the reader has moved already, so that the review must not move the position. */
let hasMoved = false;
const wanted = { values: false, hint: false };
let message = "";

const board = new Board(at("board"), { choose: () => undefined }, 520);
const evaluator = new Evaluator((at) =>
  ask("/api/analyse", { game: Number(number), key: key || null, ply: at, seconds: SECONDS })
);
const worths = evaluator.found;
const review = new Review(pathOfGame(number, key, "review"), () => (openDecidingMove(), render()));

/** Return the ply of the address, or the last ply. */
const plyWanted = () => Math.min(plyOfAddress() ?? boards.length - 1, boards.length - 1);

/** Return the review of the move before the shown position. */
const reviewed = () => review.moves.get(ply);

/** Return true if the last move was a mistake or missed a quicker win. */
const isPoint = () => Boolean(reviewed()?.line.length);

/**
 * Go to a ply and write it into the address, or go along the better line.
 * @param {number} to
 * @param {number} [along]
 */
function goTo(to, along = 0) {
  ply = Math.max(0, Math.min(to, boards.length - 1));
  step = Math.min(along, reviewed()?.line.length ?? 0);
  hasMoved = true;
  writeAddress(ply);
  render();
  evaluateWanted();
}

/** Open the deciding move once the review is complete, unless the reader has moved. */
function openDecidingMove() {
  if (review.isDone && !hasMoved && review.deciding) goTo(review.deciding.ply);
}

/** Return the shown position. */
function shownBoard() {
  const before = reviewed()?.line.slice(0, step) ?? [];
  if (!before.length) {
    const isEnd = ply === game.moves.length;
    const { last, annotations } = game.boards[ply];
    return {
      cells: boards[ply],
      last,
      annotations,
      lines: isEnd ? game.lines : [],
      turn: worths.get(ply)?.turn ?? game.moves[ply]?.side ?? null,
    };
  }
  const cells = [...boards[ply - 1]];
  for (const { changed } of before) {
    for (const [index, mark] of Object.entries(changed)) cells[Number(index)] = mark;
  }
  const { last, annotations, lines } = before[before.length - 1];
  return { cells, last, annotations, lines, turn: reviewed()?.line[step]?.side ?? null };
}

/** Return the better move for the board, at a turning point and in the position before it. */
const betterShown =
  () => (isPoint() && !step
    ? { hint: reviewed()?.line[0].cell ?? null, isBetter: true, turn: game.moves[ply - 1].side }
    : {});

function render() {
  if (!game) return;
  writeStatus();
  board.show({ ...game.game, title: game.title }, {
    ...shownBoard(),
    ...(step ? {} : shownHelp(wanted, worths.get(ply))),
    ...betterShown(),
  });
  fillBelow();
  fillActions();
  fillMargin();
}

function writeStatus() {
  const judged = reviewed();
  if (judged && hasMoved) {
    const { side } = game.moves[ply - 1];
    const move = moveInSentence(game.game, game.moves[ply - 1]);
    const title = step
      ? say("web-line-step", {
        move: moveInSentence(game.game, judged.line[0]),
        step,
        of: judged.line.length,
      })
      : say("web-move", { number: ply, move });
    return writeHeading(at("status"), {
      side: step ? judged.line[step - 1].side : side,
      title,
      about: judged.sentence ?? "",
    });
  }
  const about = paragraph([
    ...game.sentences,
    ply === game.moves.length ? "" : say("web-see-after", { ply }),
  ]);
  writeHeading(at("status"), {
    side: game.winner,
    title: endTitle(game, game.winner, game.termination),
    about,
  });
}

function fillBelow() {
  const steps = stepsOf({ ply, last: boards.length - 1, open: (to) => goTo(to) });
  const note = message || positionSentence() || review.failure ||
    (review.isGoingOn
      ? say("progress-reviewing", {
        done: boards.length - (review.waiting ?? boards.length),
        of: boards.length,
      })
      : "");
  const chart = chartOf(review, game.game.sides, game.plies, ply, at("sheet").clientWidth);
  // On a phone the margin is far from the board.
  const line = isPoint() ? lineOf(reviewed()?.line ?? [], "near", step, (along) => goTo(ply, along)) : null;
  fill(at("panel"), steps, chart, line);
  fill(at("note"), note ? h("p", { class: "note", role: "status" }, note) : null);
}

/** Show the actions for the game. */
function fillActions() {
  const press = (/** @type {"values" | "hint"} */ key) => () => {
    wanted[key] = !wanted[key];
    render();
    evaluateWanted();
  };
  const asks = [
    review.isDone ? null : action("web-review", "web-review", "review", requestReview),
    action("web-hint", "web-hint", "hint", press("hint"), { isOn: wanted.hint }),
    action("web-values", "web-bar-values", "values", press("values"), { isOn: wanted.values }),
  ];
  const explore = link(
    "web-explore",
    "web-analysis",
    "explore",
    analysisOf(game.game, game.start, game.moves.slice(0, ply)),
  );
  fill(at("bar"), ...(game.plies ? asks : []), explore, copyAction(sharedOrigin + addressOf(ply)));
  at("bar").setAttribute("aria-label", say("web-bar"));
  at("bar").hidden = false;
}

/** Return the sentence about the position. */
function positionSentence() {
  const worth = worths.get(ply);
  if (!worth?.sentence) return "";
  if (wanted.hint) return hintSentence(worth);
  return wanted.values ? worth.sentence : "";
}

function evaluateWanted() {
  if (wanted.values || wanted.hint) evaluate(ply).then(render);
}

/** @param {number} at */
async function evaluate(at) {
  if (at >= boards.length) return;
  message = worths.has(at) ? "" : say("searching");
  render();
  try {
    await evaluator.evaluate(at, at, () => at === ply && (wanted.values || wanted.hint));
    if (at === ply) message = "";
  } catch (error) {
    message = errorSentence(error);
  }
}

/** Request the review of the game. */
async function requestReview() {
  message = "";
  writeAddress(plyOfAddress(), true);
  try {
    await Promise.all([review.begin(), Promise.resolve().then(render)]);
  } catch (error) {
    if (!(error instanceof DOMException)) message = errorSentence(error);
  }
  render();
}

/** Go to the next turning point, or after the last one to the first. */
function nextPoint() {
  const points = review.points.map((point) => point.ply);
  if (points.length) goTo(points.find((place) => place > ply) ?? points[0]);
}

/** Step along the better line at a turning point, and along the game elsewhere. @param {number} by */
function stepLine(by) {
  if (!isPoint()) return goTo(ply + by);
  goTo(ply, Math.max(0, step + by));
}

function fillMargin() {
  const players = game.players.map((player) => {
    const presence = game.winner === null ? "" : say(player.side === game.winner ? "seat-won" : "web-lost");
    return playerItem(player, { presence });
  });
  fill(
    at("margin"),
    playersSection(players),
    h("p", { class: "fact" }, say("web-played-on", { game: game.title, day: dayOf(game.created) })),
    game.visibility === "public" ? null : h("p", { class: "fact" }, say("web-private-game")),
    legendSection(board),
    pointsSection(review, game.moves, {
      tell: (move) => moveInSentence(game.game, move),
      point: isPoint() ? ply : null,
      step,
      open: goTo,
    }),
    accuracySection(review, game.players),
    review.remarks.length ? h("p", { class: "fact" }, paragraph(review.remarks)) : null,
    movesSection(game.moves, { current: ply, open: (to) => goTo(to), flags: review.signs }),
    h("div", { class: "acts", role: "group", "aria-label": say("web-keep") }, ...fileLinks(number, key)),
    shareSection({
      number,
      key,
      ply,
      last: boards.length - 1,
      title: `${endTitle(game, game.winner, game.termination)}: ${game.title}`,
      address: sharedOrigin + addressOf(ply < boards.length - 1 ? ply : null, false),
    }),
    game.tournament
      ? h(
        "p",
        { class: "acts" },
        h("a", { class: "button", href: `/tournament/${game.tournament}` }, say("web-to-tournament")),
      )
      : null,
  );
}

async function read() {
  const loaded = await ask(pathOfGame(number, key));
  game = { ...loaded, game: await withBoard(loaded.game) };
  boards = cellsByPly(game.boards, game.game.board.names.length);
}

async function load() {
  await begin();
  onLanguage(async () => {
    try {
      await read();
    } catch (error) {
      writeMissing(error, "web-no-game", "web-no-game-about");
      fill(
        at("panel"),
        h(
          "div",
          { class: "acts" },
          h("a", { class: "button primary", href: "/history" }, say("web-history")),
          h("a", { class: "button", href: "/" }, say("web-choose-game")),
        ),
      );
      return;
    }
    evaluator.forget();
    const isAgain = review.isGoingOn || review.isDone;
    review.forget();
    ply = plyWanted();
    hasMoved ||= plyOfAddress() !== null;
    render();
    evaluateWanted();
    if (isAgain || isReviewRequested()) requestReview();
  });
  listenForSteps((to) => game && goTo(plyAfter(to, ply, boards.length - 1)));
  listenForEscape(() => undefined);
  addEventListener("resize", () => game && fillBelow()); // the chart is as wide as the page
  listenForKeys({ t: nextPoint, "[": () => stepLine(-1), "]": () => stepLine(1) });
  addEventListener("popstate", () => game && ((ply = plyWanted()), (step = 0), render()));
}

load();
