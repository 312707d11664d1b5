// A tree of moves that are tried out: lines and side lines, and where in it one is. It knows no game.

/**
 * @typedef {object} Node a position: the move that led here, and what was tried next, the main line first
 * @property {string} move
 * @property {Node | null} parent
 * @property {Node[]} next
 */

/** @typedef {[move: string, next: Lines][]} Lines what was tried, as it can be kept */

/** @param {Lines} lines @param {Node | null} parent @returns {Node[]} */
function nodesOf(lines, parent) {
  return lines.map(([move, next]) => {
    /** @type {Node} */ const node = { move, parent, next: [] };
    node.next = nodesOf(next, node);
    return node;
  });
}

/** @param {Node} node @returns {Lines} */
const linesAfter = (node) => node.next.map((one) => [one.move, linesAfter(one)]);

export class Tree {
  /** @param {string[]} moves of the line that is shown @param {Lines} lines all that was tried before */
  constructor(moves = [], lines = []) {
    /** @type {Node} */ this.root = { move: "", parent: null, next: [] };
    this.root.next = nodesOf(lines, this.root);
    this.here = this.root;
    for (const move of moves) this.play(move);
  }

  /** All that was tried. */
  get lines() {
    return linesAfter(this.root);
  }

  /** Goes on with a move: along a line where it was tried already, else as a new one. @param {string} move */
  play(move) {
    let found = this.here.next.find((node) => node.move === move);
    if (!found) this.here.next.push(found = { move, parent: this.here, next: [] });
    this.here = found;
  }

  /** The positions from the start to one, without the start. @param {Node} node @returns {Node[]} */
  static lineTo(node) {
    const line = [];
    for (let at = node; at.parent; at = at.parent) line.unshift(at);
    return line;
  }

  /** The moves that led here. */
  get moves() {
    return Tree.lineTo(this.here).map((node) => node.move);
  }

  get ply() {
    return Tree.lineTo(this.here).length;
  }

  /** The last position of the line that goes on from here. */
  get end() {
    let at = this.here;
    while (at.next.length) at = at.next[0];
    return at;
  }

  /** Goes a step along the line. @param {"start" | "back" | "forward" | "end"} step */
  step(step) {
    const { here } = this;
    this.here =
      { start: this.root, back: here.parent ?? here, forward: here.next[0] ?? here, end: this.end }[step];
  }

  /** True if the way here leaves the main line. */
  get isAside() {
    return Tree.lineTo(this.here).some((node) => node.parent?.next[0] !== node);
  }

  /** Takes away the move that led here, with all that follows; goes back to before it. */
  remove() {
    const { parent } = this.here;
    if (!parent) return;
    parent.next = parent.next.filter((node) => node !== this.here);
    this.here = parent;
  }

  /** Makes the way here the main line. */
  promote() {
    for (const node of Tree.lineTo(this.here)) {
      const { parent } = node;
      if (parent) parent.next = [node, ...parent.next.filter((other) => other !== node)];
    }
  }
}
