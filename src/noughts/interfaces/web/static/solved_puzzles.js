// The solved puzzles of this browser, the next puzzle, and the list of games with puzzles.

import { h } from "./dom.js";
import { readStored, say, writeStored } from "./i18n.js";

const STORAGE_KEY = "noughts-puzzles";

/** Return the numbers of the puzzles that were solved in this browser. @returns {Set<number>} */
export function solved() {
  const numbers = (readStored(STORAGE_KEY) ?? "").split(" ").map(Number);
  return new Set(numbers.filter((number) => Number.isInteger(number) && number > 0));
}

/** @param {number} number */
export function storeSolved(number) {
  writeStored(STORAGE_KEY, [...solved().add(number)].join(" "));
}

/**
 * Return the number of the next puzzle: the easiest unsolved one of its game, then of other games. Return
 * null if there is only one puzzle.
 * @param {Api.PuzzleList} all
 * @param {Api.GamePuzzles | undefined} of
 * @param {{id: number} | null} now
 */
export function nextPuzzle(all, of, now) {
  const done = solved();
  const rest = all.games.filter((game) => game !== of);
  for (const game of of ? [of, ...rest] : rest) {
    const ordered = [...game.puzzles].sort((one, two) => one.grade - two.grade || one.id - two.id);
    const place = ordered.findIndex((one) => one.id === now?.id) + 1;
    const next = [...ordered.slice(place), ...ordered.slice(0, place)].find((one) =>
      !done.has(one.id) && one.id !== now?.id
    );
    if (next) return next.id;
  }
  const others = (of ?? all.games[0]).puzzles.filter((one) => one.id !== now?.id);
  return others[0]?.id ?? null;
}

/**
 * Return the rows of the games with puzzles. Each has a picture, the number of solved puzzles, and a link to
 * the next one.
 * @param {Api.PuzzleList} all
 */
export function rowsOf(all) {
  const done = solved();
  return h("ul", { class: "puzzle-rows" }, ...all.games.map((game) => rowOf(all, game, done)));
}

/** Return the small picture of a game from the page. @param {string} name */
function pictureOf(name) {
  const pictures = document.getElementById("pictures");
  const found = pictures instanceof HTMLTemplateElement
    ? pictures.content.querySelector(`[data-game="${CSS.escape(name)}"]`)
    : null;
  return found ? document.importNode(found, true) : null;
}

/** @param {Api.PuzzleList} all @param {Api.GamePuzzles} game @param {Set<number>} done */
function rowOf(all, game, done) {
  const count = game.puzzles.length;
  const found = game.puzzles.filter((one) => done.has(one.id)).length;
  const next = nextPuzzle(all, game, null);
  const ahead = game.puzzles.find((one) => one.id === next);
  const id = ahead?.kind === "win" ? "web-puzzles-next-win" : "web-puzzles-next-save";
  const waiting = ahead ? say(id, { grade: say(`web-grade-${ahead.grade}`) }) : "";
  const lines = [say("web-puzzles-solved", { count, solved: found }), waiting].filter(Boolean);
  const about = h("span", { class: "row-text" }, game.title, ...lines.map((line) => h("small", {}, line)));
  const way = h("a", {
    class: "button",
    href: `/puzzle/${next}`,
    "data-key": `solve-${game.name}`,
    "aria-label": `${say("web-puzzle-solve")}: ${game.title}`,
  }, say("web-puzzle-solve"));
  return h("li", {}, pictureOf(game.name), about, way);
}
