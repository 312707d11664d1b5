// The annotations of a position that is played by data: the codes that a board shows, as the server gives them.

import { NOTHING } from "./annotations.js";
import { FlipGame, LineGame } from "./rules.js";

/** @typedef {import("./rules.js").Game} Game @typedef {import("./rules.js").FieldGame} FieldGame */
/** @typedef {Record<string, string[]>} Codes */

/** Return the codes with cells or fields numbered from 1. @param {Iterable<[number, string[]]>} codes @returns {Codes} */
const numbered = (codes) =>
  Object.fromEntries([...codes].sort(([one], [two]) => one - two).map(([at, own]) => [at + 1, own]));

/** Return the cells at joined edges. @param {LineGame} game @returns {Map<number, string[]>} */
function joinedCells({ size, rules: { shape, joined } }) {
  const strides = shape.map((_, axis) => shape.slice(axis + 1).reduce((area, side) => area * side, 1));
  const cells = Array.from({ length: size }, (_, cell) => cell).filter((cell) =>
    shape.some((side, axis) => {
      const part = Math.floor(cell / strides[axis]) % side;
      return joined[axis] && side > 1 && (part === 0 || part === side - 1);
    })
  );
  return new Map(cells.map((cell) => [cell, ["beyond"]]));
}

/** @param {LineGame} game */
function signsOfLines(game) {
  const { rules, outcome, played } = game;
  const codes = joinedCells(game);
  const add = (/** @type {number} */ cell, /** @type {string} */ code) =>
    codes.set(cell, [...(codes.get(cell) ?? []), code]);
  for (const [cell, why] of game.forbidden()) add(cell, `no:${why}`);
  if (rules.vanish && !outcome) {
    game.ages.forEach((own, side) =>
      own.length === rules.vanish && add(own[0], `leaves:${rules.sides[side]}`)
    );
  }
  const last = played.at(-1);
  const name = last?.cells ? rules.turns[last.move % game.choices].name : "";
  return { ...NOTHING, cells: numbered(codes), fields: name ? { [name[0]]: [`turned:${name[1]}`] } : {} };
}

/** @param {FlipGame} game */
function signsOfFlips(game) {
  const { rules, cells, turn } = game;
  const legal = game.moves().filter((move) => move !== game.pass);
  const lead = (/** @type {number} */ side) => cells.filter((mark) => mark === side).length;
  return {
    ...NOTHING,
    cells: numbered(legal.map((cell) => [cell, ["may", `turns:${game.turned(cell, turn).length}`]])),
    sides: Object.fromEntries(rules.sides.map((mark, side) => [mark, [`lead:${lead(side)}`]])),
  };
}

/** @param {FieldGame} game */
function codesOfFields({ rules, owners, field, outcome }) {
  /** @type {Map<number, string[]>} */ const codes = new Map();
  owners.forEach((owner, number) => {
    if (owner >= 0) codes.set(number, [rules.sides[owner] ? `won:${rules.sides[owner]}` : "drawn"]);
  });
  if (field !== null && !outcome) codes.set(field, ["field"]);
  return codes;
}

/** Return the annotations of a position. @param {Game} game @returns {Api.AnnotationsMessage} */
export function annotationsOf(game) {
  const { outcome } = game;
  const lines = outcome?.lines.map((line) => line.map((cell) => String(cell + 1))) ?? [];
  if (game instanceof LineGame) return { ...signsOfLines(game), lines };
  if (game instanceof FlipGame) return { ...signsOfFlips(game), lines };
  const cells = numbered(game.moves().map((move) => [move, ["may"]]));
  return { ...NOTHING, cells, fields: numbered(codesOfFields(game)), lines };
}

/** Return the cells that show the last move. @param {Game} game */
export function lastCells(game) {
  const last = game.played.at(-1);
  if (!last || (game instanceof FlipGame && last.move === game.pass)) return [];
  if (!(game instanceof LineGame)) return [last.move];
  const cell = game.cellOf(last.move);
  const isTurned = game.played.at(-1)?.cells;
  return [isTurned ? game.rules.turns[last.move % game.choices].to[cell] : cell];
}

/** Return the mark that the next move places, or null if the mover chooses it or places none. @param {Game} game */
export function markToPlace(game) {
  if (game.outcome || (game instanceof LineGame && game.rules.wild)) return null;
  if (game instanceof LineGame) return game.rules.marks[game.markOf(0)];
  return game instanceof FlipGame && game.moves()[0] === game.pass ? null : game.rules.sides[game.turn];
}

/** Return the legal moves as the board enters them. @param {Game} game @returns {Api.LegalMoveMessage[]} */
export function legalMoves(game) {
  return game.moves().map((move) => {
    const parts = game.partsOf(move);
    const [cell] = parts;
    const mark = game instanceof LineGame && game.rules.wild ? { mark: String(parts[1]) } : {};
    return { move: game.textOf(move), cell: typeof cell === "number" ? cell : null, parts, ...mark };
  });
}
