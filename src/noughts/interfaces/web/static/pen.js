// @ts-check
// A broad pen: turns the course of a stroke into the outline that it leaves on paper.
// The same pen as noughts.drawing.pen and marks; a test compares what they draw.

/** @typedef {[number, number]} Point */

const THIN = 0.6;
const FIRM = 0.9;
const SAMPLE = 90;
const VARIANTS = 3;

/**
 * Points from start to end, off the straight line by up to `bow`, as a hand draws it.
 * @param {Point} start @param {Point} end @param {number} bow @param {number} seed @returns {Point[]}
 */
export function course([x, y], [right, down], bow = 0, seed = 0) {
  const length = Math.hypot(right - x, down - y) || 1;
  const across = [(y - down) / length, (right - x) / length];
  const parts = Math.min(24, Math.max(4, Math.ceil(length / SAMPLE)));
  return Array.from({ length: parts + 1 }, (_, step) => {
    const t = step / parts;
    const off = bow * (Math.sin(Math.PI * t) + 0.25 * Math.sin(3 * Math.PI * t + seed));
    return [x + (right - x) * t + across[0] * off, y + (down - y) * t + across[1] * off];
  });
}

/** @param {Point} centre @param {Point} radii @param {number} first @param {number} sweep @param {number} parts @returns {Point[]} */
function arc(centre, radii, first, sweep, parts = 15) {
  return Array.from({ length: parts + 1 }, (_, step) => {
    const t = step / parts;
    const angle = ((first + sweep * t) * Math.PI) / 180;
    const drift = 1.03 - 0.06 * t;
    return [centre[0] + radii[0] * drift * Math.cos(angle), centre[1] + radii[1] * drift * Math.sin(angle)];
  });
}

/**
 * The outline of a stroke through points, as path data.
 * @param {Point[]} points @param {number} width @param {Point} ends @param {number} thin
 */
export function outline(points, width, ends, thin = THIN) {
  const last = points.length - 1;
  /** @type {Point[]} */ const left = [];
  /** @type {Point[]} */ const right = [];
  points.forEach(([x, y], number) => {
    const [dx, dy] = direction(points[Math.max(0, number - 1)], points[Math.min(last, number + 1)]);
    const firm = thin + ((1 - thin) * Math.abs(dx + dy)) / Math.SQRT2;
    const half = (width / 2) * firm * pressure(number / last, ends);
    left.push([x + dy * half, y - dx * half]);
    right.push([x - dy * half, y + dx * half]);
  });
  const before = beyond(left[0], right[0], points[0], points[1]);
  const after = beyond(left[last], right[last], points[last], points[last - 1]);
  return smooth([before, ...left, after, ...right.reverse()]);
}

/** A ruling of a board. @param {Point} start @param {Point} end @param {number} width @param {number} seed */
export function ruled(start, end, width, seed) {
  const bow = seed % 2 ? 1.2 : -1.4;
  return outline(course(start, end, bow, seed), width, [0.95, 0.55], FIRM);
}

/** A stroke through a won line. @param {Point} start @param {Point} end @param {number} seed */
export function struck(start, end, seed) {
  return outline(course(start, end, 1.5, seed), 7, [0.8, 0.55], FIRM);
}

/** @param {Point[]} points */
function smooth(points) {
  const count = points.length;
  const at = (/** @type {number} */ number) => points[(number + count) % count];
  const parts = [`M${pair(points[0])}`];
  for (let number = 0; number < count; number++) {
    const [a, b, c, d] = [at(number - 1), at(number), at(number + 1), at(number + 2)];
    parts.push(`C${pair(handle(b, a, c, c))} ${pair(handle(c, d, b, b))} ${pair(c)}`);
  }
  return `${parts.join("")}Z`;
}

/** @param {Point} point @param {Point} behind @param {Point} ahead @param {Point} other @returns {Point} */
function handle(point, behind, ahead, other) {
  const [dx, dy] = [(ahead[0] - behind[0]) / 6, (ahead[1] - behind[1]) / 6];
  const most = Math.hypot(other[0] - point[0], other[1] - point[1]) / 3;
  const part = Math.min(1, most / (Math.hypot(dx, dy) || 1));
  return [point[0] + dx * part, point[1] + dy * part];
}

/** @param {number} number */
export function plain(number) {
  const text = number.toFixed(1);
  return text === "-0.0" ? "0" : text.replace(/\.0$/, "");
}

/** @param {Point} point */
function pair(point) {
  return `${plain(point[0])} ${plain(point[1])}`;
}

/** @param {Point} start @param {Point} end @returns {Point} */
function direction(start, end) {
  const [dx, dy] = [end[0] - start[0], end[1] - start[1]];
  const length = Math.hypot(dx, dy) || 1;
  return [dx / length, dy / length];
}

/** @param {number} t @param {Point} ends */
function pressure(t, [start, end]) {
  if (t < 0.2) return start + (1 - start) * Math.sin(((t / 0.2) * Math.PI) / 2);
  return t < 0.5 ? 1 : end + (1 - end) * Math.cos((((t - 0.5) / 0.5) * Math.PI) / 2);
}

/** @param {Point} left @param {Point} right @param {Point} tip @param {Point} inner @returns {Point} */
function beyond(left, right, tip, inner) {
  const [dx, dy] = direction(inner, tip);
  const half = Math.hypot(left[0] - right[0], left[1] - right[1]) / 2;
  return [tip[0] + dx * half, tip[1] + dy * half];
}

const WIDTH = 13;
const RING_WIDTH = 14.5;
/** @type {Point} */ const ENDS = [0.8, 0.62];

/** @type {Record<string, [Point, Point][]>} From where to where the straight strokes of a mark run. */
const LINES = {
  X: [[[19.5, 18.5], [81, 83.5]], [[82, 17], [17, 83]]],
  Z: [[[20, 23], [80, 22]], [[77, 24], [23, 76]], [[21, 77.5], [82, 77]]],
  Y: [[[20, 18], [57, 54]], [[81, 17], [39, 85]]],
  V: [[[19, 17], [50, 83]], [[82, 17], [50, 83]]],
  W: [[[13, 20], [31, 82]], [[50, 32], [31, 82]], [[50, 32], [69, 82]], [[88, 19], [69, 82]]],
  T: [[[17, 22], [83, 21]], [[50, 26], [49, 85]]],
};

/** The path of a mark in a cell of 100; empty for one that the pen has not learned. @param {string} mark @param {number} variant */
export function markPath(mark, variant) {
  if (mark === "O") return ring(variant);
  if (mark === "U") {
    const bowl = arc([50, 53], [30, 30], 180 - 3 * variant, -180);
    return outline([[20, 18], [20, 34], ...bowl, [80, 34], [80, 18]], WIDTH, ENDS);
  }
  return (LINES[mark] ?? []).map(([start, end], number) => line(start, end, 3 * number + variant)).join("");
}

/** Which variant the cell of an index has, so that no two neighbours look stamped. @param {number} index */
export function variantOf(index) {
  return (index + Math.floor(index / VARIANTS)) % VARIANTS;
}

/** @param {Point} start @param {Point} end @param {number} seed */
function line(start, end, seed) {
  /** @type {Point} */
  const near = [start[0] + 2.2 * Math.sin(2.1 * seed), start[1] + 2 * Math.sin(3.3 * seed + 1)];
  /** @type {Point} */
  const far = [end[0] + 2 * Math.sin(4.7 * seed + 2), end[1] + 2.2 * Math.sin(1.9 * seed + 3)];
  return outline(course(near, far, 1.6 * Math.sin(2.7 * seed + 0.6), seed), WIDTH, ENDS);
}

/** @param {number} variant */
function ring(variant) {
  /** @type {Point} */
  const centre = [49.5 + 0.8 * Math.sin(5 * variant), 50.5 + 0.8 * Math.sin(3 * variant + 1)];
  /** @type {Point} */
  const radii = [32 + 0.8 * Math.sin(2 * variant), 31.5 + 0.9 * Math.sin(4 * variant + 2)];
  return outline(arc(centre, radii, -62 - 14 * variant, -380), RING_WIDTH, [0.5, 0.4]);
}
