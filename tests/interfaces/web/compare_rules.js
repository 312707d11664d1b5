// Plays the rules of the browser beside those of the library. Standard input is one JSON value: the rules by
// name, positions with the counts of their move sequences, games with a checksum after each ply, and games with
// their annotations. The output is a list of the first differences.

import {
  annotationsOf,
  lastCells,
  legalMoves,
  markToPlace,
} from "../../../src/noughts/interfaces/web/static/rule_signs.js";
import { newGame } from "../../../src/noughts/interfaces/web/static/rules.js";

const MOST = 5;
const { rules, counts, games, signs } = JSON.parse(await new Response(Deno.stdin.readable).text());
const found = [];

const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  for (let bit = 0; bit < 8; bit++) byte = byte & 1 ? byte >>> 1 ^ 0xedb88320 : byte >>> 1;
  return byte;
});

/** Return the CRC-32 of an ASCII text. */
function checksum(text) {
  let sum = ~0;
  for (let at = 0; at < text.length; at++) sum = TABLE[(sum ^ text.charCodeAt(at)) & 255] ^ sum >>> 8;
  return ~sum >>> 0;
}

/** Describe a position as tests/interfaces/web/test_offline_rules.py does. */
function describe(game) {
  const { outcome, rules: { sides } } = game;
  const cells = game.marks().map((mark) => mark ?? ".").join("");
  if (!outcome) return `${sides[game.turn]} ${cells} ${game.moves().map((move) => game.textOf(move))}`;
  const winner = outcome.winner === null ? "nobody" : sides[outcome.winner];
  const lines = outcome.lines.map((line) => [...line].sort((one, two) => one - two).join("-")).sort();
  return `${winner} ${cells} ${outcome.termination} ${lines}`;
}

/** Return the number of move sequences of a length. */
function count(game, depth) {
  const moves = game.moves();
  if (depth === 1) return moves.length;
  let sum = 0;
  for (const move of moves) {
    game.play(move);
    sum += count(game, depth - 1);
    game.undo();
  }
  return sum;
}

for (const { name, start, expected } of counts) {
  const game = newGame(rules[name], start);
  const before = describe(game);
  const counted = expected.map((_, ply) => count(game, ply + 1));
  if (counted.join() !== expected.join()) found.push({ name, start, counted, expected });
  if (describe(game) !== before) found.push({ name, start, before, after: describe(game) });
}

for (const [name, numbers, sums] of games) {
  const game = newGame(rules[name]);
  const texts = [];
  for (let ply = 0;; ply++) {
    const text = describe(game);
    if (checksum(text) !== sums[ply]) {
      found.push({ name, texts, ply, text });
      break;
    }
    if (ply === numbers.length) break;
    const move = game.moves()[numbers[ply]];
    texts.push(game.textOf(move));
    game.play(move);
  }
  if (found.length >= MOST) break;
}

for (const [name, texts, expected] of signs) {
  const game = newGame(rules[name]);
  expected.forEach((wanted, ply) => {
    const { lines: _, ...codes } = annotationsOf(game);
    const legal = wanted.legal && legalMoves(game);
    const shown = { ...codes, last: lastCells(game), mark: markToPlace(game), legal };
    for (const key of Object.keys(shown)) {
      const [one, other] = [shown[key], wanted[key]].map((value) => JSON.stringify(value));
      if (one !== other) found.push({ name, ply, key, one, other });
    }
    const move = game.moves().find((one) => game.textOf(one) === texts[ply]);
    if (move !== undefined) game.play(move);
  });
}

console.log(JSON.stringify({ found: found.slice(0, MOST), played: games.length }));
