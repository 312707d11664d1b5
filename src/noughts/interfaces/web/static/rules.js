// The rules of games, played by the data of noughts.games.rule_data.
//
// Cells, sides and marks are numbers. A move is a number, too: its cell, together with the number of the
// choice that belongs to it (the mark, the turn of a quadrant). A new kind of rules is a class and a row of KINDS.

import { forbiddenPoints, isForbidden } from "./renju.js";

/**
 * @typedef {object} LineRules lines of k cells, with all options of noughts.games.rules
 * @property {"lines"} kind
 * @property {string[]} sides
 * @property {number[]} shape
 * @property {number} k
 * @property {number[][]} steps one for each direction and its opposite
 * @property {boolean[]} joined
 * @property {string[]} marks
 * @property {boolean[]} exact by mark
 * @property {boolean} gravity
 * @property {boolean} wild
 * @property {number} vanish
 * @property {number} place
 * @property {number} avoid
 * @property {boolean} renju
 * @property {number[]} winners the winner if a side completes a line
 * @property {number | null} at_full the winner if no cell is left
 * @property {string} full the termination if no cell is left
 * @property {{name: string, to: number[]}[]} turns
 */
/**
 * @typedef {{kind: "flips", sides: string[], shape: number[], steps: number[][], first: number[]}} FlipRules
 * marks between two of the other side turn over
 */
/**
 * @typedef {{kind: "fields", sides: string[], shape: number[], fields: number[][], lines: number[][]}}
 * FieldRules fields with lines, and lines of fields
 */
/** @typedef {LineRules | FlipRules | FieldRules} Rules */
/**
 * @typedef {object} Start a position from which a game starts
 * @property {number[]} cells the mark of each cell, or -1
 * @property {number} side
 * @property {number[][]} [ages] the cells of each side's marks from the oldest to the newest, if marks vanish
 * @property {number | null} [field] the field to play in
 */
/** @typedef {{winner: number | null, lines: number[][], termination: string}} Outcome */
/** @typedef {LineGame | FlipGame | FieldGame} Game */

const NOBODY = -1;

/** @param {number[]} sides */
const product = (sides) => sides.reduce((size, side) => size * side, 1);

/**
 * Return a function that walks over a board: the cell some steps after another, or -1 beyond the edge.
 * @param {number[]} shape
 * @param {boolean[]} joined
 */
function walker(shape, joined) {
  const strides = shape.map((_, axis) => product(shape.slice(axis + 1)));
  return (/** @type {number} */ cell, /** @type {number[]} */ step, /** @type {number} */ times) => {
    let index = 0;
    for (let axis = 0; axis < shape.length; axis++) {
      const side = shape[axis];
      let part = Math.floor(cell / strides[axis]) % side + step[axis] * times;
      if (part < 0 || part >= side) {
        if (!joined[axis]) return NOBODY;
        part = ((part % side) + side) % side;
      }
      index += part * strides[axis];
    }
    return index;
  };
}

/**
 * @typedef {object} Lines the lines of a board
 * @property {number} k
 * @property {number[][]} cells
 * @property {number[][]} ends the cells before and after each line
 * @property {number[][]} through the numbers of the lines through each cell
 */

/** @param {LineRules} rules @param {number} k @returns {Lines} */
function linesOf({ shape, steps, joined }, k) {
  const walk = walker(shape, joined);
  /** @type {Lines} */ const lines = { k, cells: [], ends: [], through: [] };
  const seen = new Set();
  for (let index = 0; index < product(shape); index++) lines.through.push([]);
  for (let index = 0; index < lines.through.length; index++) {
    for (const step of steps) {
      const cells = [index];
      for (let times = 1; times < k; times++) {
        const cell = walk(index, step, times);
        if (cell === NOBODY || cells.includes(cell)) break;
        cells.push(cell);
      }
      if (cells.length < k) continue;
      const ends = [walk(index, step, -1), walk(index, step, k)]
        .filter((cell) => cell !== NOBODY && !cells.includes(cell));
      const key = [[...cells].sort().join(), [...ends].sort().join()].join(";");
      if (seen.has(key)) continue;
      seen.add(key);
      for (const cell of cells) lines.through[cell].push(lines.cells.length);
      lines.cells.push(cells);
      lines.ends.push(ends);
    }
  }
  return lines;
}

/** @type {WeakMap<LineRules, {lines: Lines, avoided: Lines | null}>} */ const tables = new WeakMap();

/** Return the lines of a game, which all its positions share. @param {LineRules} rules */
function tablesOf(rules) {
  let found = tables.get(rules);
  if (!found) {
    found = { lines: linesOf(rules, rules.k), avoided: rules.avoid ? linesOf(rules, rules.avoid) : null };
    tables.set(rules, found);
  }
  return found;
}

/** The number of marks of each kind on each line. */
class LineCounts {
  /** @param {Lines} lines @param {number} marks */
  constructor(lines, marks) {
    this.lines = lines;
    this.marks = marks;
    this.counts = new Uint8Array(lines.cells.length * marks);
  }

  /** @param {number} cell @param {number} mark @param {number} by */
  add(cell, mark, by) {
    for (const line of this.lines.through[cell]) this.counts[line * this.marks + mark] += by;
  }

  /** @param {Int8Array} cells */
  recount(cells) {
    this.counts.fill(0);
    cells.forEach((mark, cell) => mark !== NOBODY && this.add(cell, mark, 1));
  }

  /** Return true if a line is complete. @param {number} line @param {number} mark @param {Int8Array | null} exact */
  isComplete(line, mark, exact) {
    if (this.counts[line * this.marks + mark] < this.lines.k) return false;
    return !exact || this.lines.ends[line].every((cell) => exact[cell] !== mark);
  }

  /**
   * Return the complete lines of a mark through a cell.
   * @param {number} cell
   * @param {number} mark
   * @param {Int8Array | null} exact the cells, if longer lines do not count
   */
  complete(cell, mark, exact) {
    const found = this.lines.through[cell].filter((line) => this.isComplete(line, mark, exact));
    return distinct(found.map((line) => this.lines.cells[line]));
  }

  /** Return all complete lines of a mark. @param {number} mark */
  all(mark) {
    return this.lines.cells.filter((_, line) => this.isComplete(line, mark, null));
  }
}

/** Return lines of the same cells once. @param {number[][]} lines */
const distinct = (lines) =>
  lines.length < 2 ? lines : [...new Map(lines.map((line) => [[...line].sort().join(), line])).values()];

/** A game that lines decide. */
export class LineGame {
  /** @param {LineRules} rules @param {Start | null} start */
  constructor(rules, start = null) {
    this.rules = rules;
    this.size = product(rules.shape);
    this.width = rules.gravity ? this.size / rules.shape[0] : this.size;
    this.choices = rules.turns.length || (rules.wild ? rules.marks.length : 1);
    this.cells = new Int8Array(this.size).fill(NOBODY);
    const { lines, avoided } = tablesOf(rules);
    this.counts = new LineCounts(lines, rules.marks.length);
    this.avoided = avoided && new LineCounts(avoided, rules.marks.length);
    this.turn = start?.side ?? 0;
    this.free = this.size;
    start?.cells.forEach((mark, cell) => mark !== NOBODY && this.put(cell, mark));
    this.before = this.size - this.free;
    this.ages = rules.sides.map((_, side) => [...(start?.ages?.[side] ?? [])]);
    /** @type {Map<string, number>} The positions and their numbers of occurrences, if marks vanish. */
    this.seen = new Map([[this.key, 1]]);
    /** @type {{move: number, turn: number, gone: number, cells: Int8Array<ArrayBuffer> | null}[]} */ this
      .played = [];
    /** @type {Outcome | null} */ this.outcome = null;
  }

  /** The position and its future, if marks vanish. */
  get key() {
    return `${this.turn}:${this.ages.join(";")}`;
  }

  /** @param {number} cell @param {number} mark */
  put(cell, mark) {
    this.cells[cell] = mark;
    this.free--;
    this.counts.add(cell, mark, 1);
    this.avoided?.add(cell, mark, 1);
  }

  /** @param {number} cell */
  lift(cell) {
    const mark = this.cells[cell];
    this.cells[cell] = NOBODY;
    this.free++;
    this.counts.add(cell, mark, -1);
    this.avoided?.add(cell, mark, -1);
  }

  /** Return the cells that a mark can be put on, in the order of moves. */
  open() {
    const { cells, width, size } = this;
    const found = [];
    for (let column = 0; column < width; column++) {
      let cell = column + size - width;
      while (cell >= 0 && cells[cell] !== NOBODY) cell -= width;
      if (cell >= 0) found.push(cell);
    }
    if (!this.isRestricted) return found;
    const forbidden = this.forbidden();
    return found.filter((cell) => !forbidden.has(cell));
  }

  get isRestricted() {
    return this.rules.renju && this.turn === 0;
  }

  /** Return the forbidden cells with the reasons. */
  forbidden() {
    const isPlaying = this.isRestricted && !this.outcome;
    return isPlaying ? forbiddenPoints(this.rules.shape, this.cells) : new Map();
  }

  /** Return true if no cell is left for a mark. */
  isClosed() {
    if (!this.free || !this.isRestricted) return !this.free;
    return this.cells.every((mark, cell) =>
      mark !== NOBODY || isForbidden(this.rules.shape, this.cells, cell)
    );
  }

  /** Return the legal moves. */
  moves() {
    if (this.outcome) return [];
    const { choices } = this;
    if (choices === 1) return this.open();
    return this.open().flatMap((cell) =>
      Array.from({ length: choices }, (_, choice) => cell * choices + choice)
    );
  }

  /** @param {number} move */
  cellOf(move) {
    return Math.floor(move / this.choices);
  }

  /** Return the mark that a move of the side to move places. @param {number} move */
  markOf(move) {
    if (this.rules.wild) return move % this.choices;
    return this.rules.marks.length === 1 ? 0 : this.turn;
  }

  /** Make a legal move. @param {number} move */
  play(move) {
    const { rules, turn } = this;
    const [cell, mark] = [this.cellOf(move), this.markOf(move)];
    const made = {
      move,
      turn,
      gone: NOBODY,
      cells: /** @type {Int8Array<ArrayBuffer> | null} */ (null),
    };
    this.played.push(made);
    this.put(cell, mark);
    this.turn = this.sideAt(this.before + this.played.length, turn);
    if (rules.vanish) {
      this.ages[turn].push(cell);
      if (this.ages[turn].length > rules.vanish) {
        made.gone = this.ages[turn].shift() ?? NOBODY;
        this.lift(made.gone);
      }
    }
    const lines = this.counts.complete(cell, mark, rules.exact[mark] ? this.cells : null);
    if (lines.length) this.outcome = { winner: rules.winners[turn], lines, termination: "line" };
    else if (rules.turns.length) this.turnPart(made, rules.turns[move % this.choices].to);
    else this.endWithoutLine(cell, mark, turn);
  }

  /** Return the side to move after a number of marks. @param {number} ply @param {number} last */
  sideAt(ply, last) {
    const { place, sides } = this.rules;
    return place > 1 ? Math.floor((ply + place - 1) / place) % sides.length : (last + 1) % sides.length;
  }

  /** @param {number} cell @param {number} mark @param {number} side */
  endWithoutLine(cell, mark, side) {
    const { rules } = this;
    const avoided = this.avoided?.complete(cell, mark, null) ?? [];
    if (avoided.length) this.outcome = { winner: 1 - side, lines: avoided, termination: "line" };
    else if (this.isClosed()) this.outcome = { winner: rules.at_full, lines: [], termination: rules.full };
    else if (rules.vanish) {
      const times = (this.seen.get(this.key) ?? 0) + 1;
      this.seen.set(this.key, times);
      if (times >= 3) this.outcome = { winner: null, lines: [], termination: "repetition" };
    }
  }

  /** Turn a part of the board, which may complete lines of all sides. @param {{cells: Int8Array<ArrayBuffer> | null}} made @param {number[]} to */
  turnPart(made, to) {
    made.cells = this.cells;
    this.cells = new Int8Array(this.size);
    to.forEach((target, cell) => (this.cells[target] = made.cells?.[cell] ?? NOBODY));
    this.counts.recount(this.cells);
    const lines = this.rules.sides.map((_, side) => this.counts.all(side));
    const winners = lines.flatMap((own, side) => (own.length ? [side] : []));
    if (winners.length > 1) this.outcome = { winner: null, lines: lines.flat(), termination: "both" };
    else if (winners.length) {
      this.outcome = { winner: winners[0], lines: lines[winners[0]], termination: "line" };
    } else if (!this.free) this.outcome = { winner: null, lines: [], termination: this.rules.full };
  }

  /** Take the last move back. */
  undo() {
    const made = this.played.pop();
    if (!made) return;
    const cell = this.cellOf(made.move);
    if (made.cells) {
      this.cells = made.cells;
      this.counts.recount(this.cells);
    }
    if (this.rules.vanish) {
      if (!this.outcome?.lines.length) this.seen.set(this.key, (this.seen.get(this.key) ?? 0) - 1);
      this.ages[made.turn].pop();
      if (made.gone !== NOBODY) {
        this.ages[made.turn].unshift(made.gone);
        this.put(made.gone, this.cells[cell]);
      }
    }
    this.lift(cell);
    this.turn = made.turn;
    this.outcome = null;
  }

  /** Return the text of a move. @param {number} move */
  textOf(move) {
    const { rules } = this;
    const cell = this.cellOf(move);
    const place = String(cell % this.width + 1);
    if (rules.turns.length) return `${place}/${rules.turns[move % this.choices].name}`;
    return rules.wild ? `${rules.marks[move % this.choices]}${place}` : place;
  }

  /** Return the parts of a move in the order in which a player enters them. @param {number} move */
  partsOf(move) {
    const { rules } = this;
    const choice = move % this.choices;
    const cell = this.cellOf(move);
    if (rules.turns.length) return [cell, rules.turns[choice].name];
    return rules.wild ? [cell, rules.marks[choice]] : [cell];
  }

  /** Return the mark of each cell. */
  marks() {
    return Array.from(this.cells, (mark) => this.rules.marks[mark] ?? null);
  }
}

/** A game in which marks between two marks of the other side turn over. */
export class FlipGame {
  /** @param {FlipRules} rules @param {Start | null} start */
  constructor(rules, start = null) {
    this.rules = rules;
    this.size = product(rules.shape);
    this.cells = Int8Array.from(start?.cells ?? rules.first);
    this.turn = start?.side ?? 0;
    this.rays = raysOf(rules);
    /** @type {{move: number, turned: number[]}[]} */ this.played = [];
    /** @type {Outcome | null} */ this.outcome = this.ended();
  }

  /** The move that places nothing. */
  get pass() {
    return this.size;
  }

  /** Return the cells that a mark turns over. @param {number} cell @param {number} side */
  turned(cell, side) {
    const { cells } = this;
    /** @type {number[]} */ const found = [];
    for (const ray of this.rays[cell]) {
      let length = 0;
      while (length < ray.length && cells[ray[length]] === 1 - side) length++;
      if (length && length < ray.length && cells[ray[length]] === side) found.push(...ray.slice(0, length));
    }
    return found;
  }

  /** Return the cells where a side can place. @param {number} side */
  placements(side) {
    const found = [];
    for (let cell = 0; cell < this.size; cell++) {
      if (this.cells[cell] === NOBODY && this.turned(cell, side).length) found.push(cell);
    }
    return found;
  }

  moves() {
    if (this.outcome) return [];
    const found = this.placements(this.turn);
    return found.length ? found : [this.pass];
  }

  /** @returns {Outcome | null} */
  ended() {
    if (this.placements(0).length || this.placements(1).length) return null;
    const [one, two] = [0, 1].map((side) => this.cells.filter((mark) => mark === side).length);
    const winner = one === two ? null : Number(one < two);
    return { winner, lines: [], termination: "count" };
  }

  /** @param {number} move */
  play(move) {
    const turned = move === this.pass ? [] : this.turned(move, this.turn);
    this.played.push({ move, turned });
    if (move !== this.pass) this.cells[move] = this.turn;
    for (const cell of turned) this.cells[cell] = this.turn;
    this.turn = 1 - this.turn;
    this.outcome = this.ended();
  }

  undo() {
    const made = this.played.pop();
    if (!made) return;
    for (const cell of made.turned) this.cells[cell] = this.turn;
    if (made.move !== this.pass) this.cells[made.move] = NOBODY;
    this.turn = 1 - this.turn;
    this.outcome = null;
  }

  /** @param {number} move */
  textOf(move) {
    return move === this.pass ? "pass" : String(move + 1);
  }

  /** @param {number} move */
  partsOf(move) {
    return move === this.pass ? ["pass"] : [move];
  }

  marks() {
    return Array.from(this.cells, (mark) => this.rules.sides[mark] ?? null);
  }
}

/** @type {WeakMap<FlipRules, number[][][]>} */ const rays = new WeakMap();

/** Return the rays from each cell to the edge. @param {FlipRules} rules */
function raysOf(rules) {
  const found = rays.get(rules);
  if (found) return found;
  const walk = walker(rules.shape, []);
  const made = Array.from({ length: product(rules.shape) }, (_, cell) =>
    rules.steps.map((step) => {
      const ray = [];
      for (let at = walk(cell, step, 1); at !== NOBODY; at = walk(at, step, 1)) ray.push(at);
      return ray;
    }));
  rays.set(rules, made);
  return made;
}

const DRAWN = 2;

/** A game on fields of cells: the place of a move in its field names the field of the next move. */
export class FieldGame {
  /** @param {FieldRules} rules @param {Start | null} start */
  constructor(rules, start = null) {
    this.rules = rules;
    this.size = product(rules.shape);
    this.cells = Int8Array.from(start?.cells ?? Array(this.size).fill(NOBODY));
    this.turn = start?.side ?? 0;
    /** @type {number | null} */ this.field = start?.field ?? null;
    /** The field and the place of each cell. */
    this.places = Array.from(this.cells, (_, cell) => {
      const field = rules.fields.findIndex((cells) => cells.includes(cell));
      return [field, rules.fields[field].indexOf(cell)];
    });
    /** The side that has each field, NOBODY, or DRAWN. */
    this.owners = rules.fields.map((_, field) => this.decide(field));
    /** @type {{move: number, field: number | null, owner: number}[]} */ this.played = [];
    /** @type {Outcome | null} */ this.outcome = this.ended();
  }

  /** Return the complete line of a field, or undefined. @param {number} field */
  lineIn(field) {
    const cells = this.rules.fields[field];
    return this.rules.lines.find(([first, ...rest]) =>
      this.cells[cells[first]] !== NOBODY &&
      rest.every((place) => this.cells[cells[place]] === this.cells[cells[first]])
    )?.map((place) => cells[place]);
  }

  /** @param {number} field */
  decide(field) {
    const line = this.lineIn(field);
    if (line) return this.cells[line[0]];
    return this.rules.fields[field].some((cell) => this.cells[cell] === NOBODY) ? NOBODY : DRAWN;
  }

  moves() {
    if (this.outcome) return [];
    const found = [];
    for (let cell = 0; cell < this.size; cell++) {
      const [field] = this.places[cell];
      const isOpen = this.field === null ? this.owners[field] === NOBODY : this.field === field;
      if (isOpen && this.cells[cell] === NOBODY) found.push(cell);
    }
    return found;
  }

  /** @returns {Outcome | null} */
  ended() {
    for (const side of [0, 1]) {
      const row = this.rules.lines.find((fields) => fields.every((field) => this.owners[field] === side));
      if (row) {
        return { winner: side, lines: row.map((field) => this.lineIn(field) ?? []), termination: "line" };
      }
    }
    return this.owners.includes(NOBODY) ? null : { winner: null, lines: [], termination: "full" };
  }

  /** @param {number} move */
  play(move) {
    const [field, place] = this.places[move];
    this.played.push({ move, field: this.field, owner: this.owners[field] });
    this.cells[move] = this.turn;
    this.owners[field] = this.decide(field);
    this.field = this.owners[place] === NOBODY ? place : null;
    this.turn = 1 - this.turn;
    this.outcome = this.ended();
  }

  undo() {
    const made = this.played.pop();
    if (!made) return;
    this.cells[made.move] = NOBODY;
    this.owners[this.places[made.move][0]] = made.owner;
    this.field = made.field;
    this.turn = 1 - this.turn;
    this.outcome = null;
  }

  /** @param {number} move */
  textOf(move) {
    return String(move + 1);
  }

  /** @param {number} move */
  partsOf(move) {
    return [move];
  }

  marks() {
    return Array.from(this.cells, (mark) => this.rules.sides[mark] ?? null);
  }
}

/** Return a new game, or a game from a position. @param {Rules} rules @param {Start | null} start @returns {Game} */
export function newGame(rules, start = null) {
  if (rules.kind === "lines") return new LineGame(rules, start);
  return rules.kind === "flips" ? new FlipGame(rules, start) : new FieldGame(rules, start);
}
