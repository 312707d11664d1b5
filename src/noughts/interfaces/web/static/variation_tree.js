// A tree of moves with variations and a present position. It knows no rules.

/**
 * @typedef {object} Node a position: the move that led here, and its continuations, the main line first
 * @property {string} move
 * @property {Node | null} parent
 * @property {Node[]} next
 */

/**
 * @typedef {[move: string, next: Lines][]} Lines a tree in the form in which it is stored
 */

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
  /** @param {string[]} moves the moves of the shown line @param {Lines} lines the stored tree */
  constructor(moves = [], lines = []) {
    /** @type {Node} */ this.root = { move: "", parent: null, next: [] };
    this.root.next = nodesOf(lines, this.root);
    this.here = this.root;
    for (const move of moves) this.play(move);
  }

  /** The tree in the form in which it is stored. */
  get lines() {
    return linesAfter(this.root);
  }

  /** Play a move along an existing line, or add a new one. @param {string} move */
  play(move) {
    let found = this.here.next.find((node) => node.move === move);
    if (!found) this.here.next.push(found = { move, parent: this.here, next: [] });
    this.here = found;
  }

  /**
   * Return the positions from the start to a given one, without the start.
   * @param {Node} node
   * @returns {Node[]}
   */
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

  /** The last position of the line that continues from here. */
  get end() {
    let at = this.here;
    while (at.next.length) at = at.next[0];
    return at;
  }

  /** Step along the line. @param {"start" | "back" | "forward" | "end"} step */
  step(step) {
    const { here } = this;
    this.here =
      { start: this.root, back: here.parent ?? here, forward: here.next[0] ?? here, end: this.end }[step];
  }

  /** Whether the present position is in a variation. */
  get isAside() {
    return Tree.lineTo(this.here).some((node) => node.parent?.next[0] !== node);
  }

  /** Delete the last move with its continuations, and return to the position before it. */
  remove() {
    const { parent } = this.here;
    if (!parent) return;
    parent.next = parent.next.filter((node) => node !== this.here);
    this.here = parent;
  }

  /** Make the present line the main line. */
  promote() {
    for (const node of Tree.lineTo(this.here)) {
      const { parent } = node;
      if (parent) parent.next = [node, ...parent.next.filter((other) => other !== node)];
    }
  }
}
