// @ts-check
// A QR code of a short text: byte mode, error correction M, versions 1 to 10 (ISO/IEC 18004).

import { s } from "./dom.js";

/** Per version: error correction codewords a block, blocks and data codewords of the first group, of the second. */
const BLOCKS = [[], [10, 1, 16], [16, 1, 28], [26, 1, 44], [18, 2, 32], [24, 2, 43], [16, 4, 27], [18, 4, 31], [22, 2, 38, 2, 39], [22, 3, 36, 2, 37], [26, 4, 43, 1, 44]];
const ALIGNMENT = [[], [], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50]];
const LEVEL_M = 0;
/** @type {((row: number, column: number) => boolean)[]} */
const MASKS = [
  (r, c) => (r + c) % 2 === 0,
  r => r % 2 === 0,
  (r, c) => c % 3 === 0,
  (r, c) => (r + c) % 3 === 0,
  (r, c) => (Math.floor(r / 2) + Math.floor(c / 3)) % 2 === 0,
  (r, c) => ((r * c) % 2) + ((r * c) % 3) === 0,
  (r, c) => (((r * c) % 2) + ((r * c) % 3)) % 2 === 0,
  (r, c) => (((r + c) % 2) + ((r * c) % 3)) % 2 === 0,
];

/** @type {number[]} */ const EXPONENTS = [];
/** @type {number[]} */ const LOGARITHMS = [];
for (let power = 0, value = 1; power < 255; power++) {
  EXPONENTS[power] = value;
  LOGARITHMS[value] = power;
  value = value & 128 ? (value << 1) ^ 0x11d : value << 1;
}
const times = (/** @type {number} */ a, /** @type {number} */ b) => (a && b ? EXPONENTS[(LOGARITHMS[a] + LOGARITHMS[b]) % 255] : 0);

/** The error correction of a block. @param {number[]} data @param {number} count */
function correction(data, count) {
  let generator = [1];
  for (let power = 0; power < count; power++) {
    const next = [...generator, 0];
    generator.forEach((factor, place) => (next[place + 1] ^= times(factor, EXPONENTS[power])));
    generator = next;
  }
  const rest = [...data, ...new Array(count).fill(0)];
  for (let place = 0; place < data.length; place++) {
    const lead = rest[place];
    generator.forEach((factor, offset) => (rest[place + offset] ^= times(factor, lead)));
  }
  return rest.slice(data.length);
}

/** @param {number} version */
function capacity(version) {
  const [, one, data, two = 0, more = 0] = BLOCKS[version];
  return one * data + two * more;
}

/** The codewords of a text, data and correction in the order in which they are laid out. @param {number[]} bytes @param {number} version */
function codewords(bytes, version) {
  const lengthBits = version < 10 ? 8 : 16;
  let bits = `0100${bytes.length.toString(2).padStart(lengthBits, "0")}${bytes.map(byte => byte.toString(2).padStart(8, "0")).join("")}`;
  const most = capacity(version) * 8;
  bits += "0".repeat(Math.min(4, most - bits.length));
  bits += "0".repeat((8 - (bits.length % 8)) % 8);
  const data = (bits.match(/.{8}/g) ?? []).map(byte => parseInt(byte, 2));
  for (let pad = 0; data.length < capacity(version); pad++) data.push(pad % 2 ? 17 : 236);
  const [count, one, size, two = 0, larger = 0] = BLOCKS[version];
  /** @type {number[][]} */ const blocks = [];
  for (let number = 0, start = 0; number < one + two; number++) {
    const length = number < one ? size : larger;
    blocks.push(data.slice(start, start + length));
    start += length;
  }
  const corrections = blocks.map(block => correction(block, count));
  const woven = (/** @type {number[][]} */ rows) => Array.from({ length: Math.max(...rows.map(row => row.length)) }, (_, place) => rows.map(row => row[place]).filter(word => word !== undefined)).flat();
  return [...woven(blocks), ...woven(corrections)];
}

/** The remainder of a code that protects itself, after its data. @param {number} data @param {number} bits @param {number} generator */
function protectedBits(data, bits, generator) {
  let rest = data << bits;
  for (let bit = 31 - Math.clz32(rest); bit >= bits; bit = 31 - Math.clz32(rest)) rest ^= generator << (bit - bits);
  return (data << bits) | rest;
}

/** @typedef {(boolean | null)[][]} Modules true is dark, null is free for data */

/** The patterns by which a reader finds its way. @param {number} version @returns {Modules} */
function patterns(version) {
  const size = 17 + 4 * version;
  /** @type {Modules} */ const modules = Array.from({ length: size }, () => new Array(size).fill(null));
  const put = (/** @type {number} */ r, /** @type {number} */ c, /** @type {boolean} */ dark) => {
    if (r >= 0 && c >= 0 && r < size && c < size) modules[r][c] = dark;
  };
  for (const [row, column] of [[3, 3], [3, size - 4], [size - 4, 3]])
    for (let r = -4; r <= 4; r++) for (let c = -4; c <= 4; c++) put(row + r, column + c, [0, 1, 3].includes(Math.max(Math.abs(r), Math.abs(c))));
  const places = ALIGNMENT[version];
  const last = places.at(-1);
  for (const row of places)
    for (const column of places) {
      if ((row === 6 && (column === 6 || column === last)) || (column === 6 && row === last)) continue;
      for (let r = -2; r <= 2; r++) for (let c = -2; c <= 2; c++) put(row + r, column + c, Math.max(Math.abs(r), Math.abs(c)) !== 1);
    }
  for (let place = 8; place < size - 8; place++) {
    modules[6][place] = place % 2 === 0;
    modules[place][6] = place % 2 === 0;
  }
  if (version >= 7) {
    const bits = protectedBits(version, 12, 0x1f25);
    for (let bit = 0; bit < 18; bit++) {
      const dark = ((bits >> bit) & 1) === 1;
      modules[Math.floor(bit / 3)][size - 11 + (bit % 3)] = dark;
      modules[size - 11 + (bit % 3)][Math.floor(bit / 3)] = dark;
    }
  }
  writeFormat(modules, 0);
  return modules;
}

/** @param {Modules} modules @param {number} mask */
function writeFormat(modules, mask) {
  const size = modules.length;
  const bits = protectedBits((LEVEL_M << 3) | mask, 10, 0x537) ^ 0x5412;
  for (let bit = 0; bit < 15; bit++) {
    const dark = ((bits >> bit) & 1) === 1;
    modules[bit < 6 ? bit : bit < 8 ? bit + 1 : size - 15 + bit][8] = dark;
    modules[8][bit < 8 ? size - 1 - bit : bit < 9 ? 7 : 14 - bit] = dark;
  }
  modules[size - 8][8] = true;
}

/** @param {Modules} modules @param {number[]} words @param {number} mask */
function writeData(modules, words, mask) {
  const size = modules.length;
  let bit = 0;
  for (let right = size - 1, isUp = true; right > 0; right -= 2, isUp = !isUp) {
    if (right === 6) right--;
    for (let step = 0; step < size; step++)
      for (const column of [right, right - 1]) {
        const row = isUp ? size - 1 - step : step;
        if (modules[row][column] !== null) continue;
        const dark = ((words[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1;
        modules[row][column] = (dark === 1) !== MASKS[mask](row, column);
        bit++;
      }
  }
}

/** How hard a picture is to read. @param {Modules} modules */
function penalty(modules) {
  const size = modules.length;
  const columns = modules.map((_, place) => modules.map(row => row[place]));
  let sum = 0;
  for (const line of [...modules, ...columns]) {
    const text = line.map(dark => (dark ? "1" : "0")).join("");
    for (const run of text.match(/0{5,}|1{5,}/g) ?? []) sum += run.length - 2;
    for (const finder of ["10111010000", "00001011101"]) for (let at = text.indexOf(finder); at >= 0; at = text.indexOf(finder, at + 1)) sum += 40;
  }
  for (let r = 1; r < size; r++)
    for (let c = 1; c < size; c++) if (modules[r][c] === modules[r - 1][c] && modules[r][c] === modules[r][c - 1] && modules[r][c] === modules[r - 1][c - 1]) sum += 3;
  const dark = modules.flat().filter(Boolean).length / (size * size);
  return sum + Math.floor(Math.abs(dark - 0.5) * 20) * 10;
}

/** The modules of a text, row by row; null for a text that is too long. @param {string} text */
export function modulesOf(text) {
  const bytes = [...new TextEncoder().encode(text)];
  const version = BLOCKS.findIndex((_, number) => number > 0 && bytes.length + (number < 10 ? 2 : 3) <= capacity(number));
  if (version < 0) return null;
  const words = codewords(bytes, version);
  const drawn = MASKS.map((_, mask) => {
    const modules = patterns(version);
    writeData(modules, words, mask);
    writeFormat(modules, mask);
    return modules;
  });
  return drawn.reduce((best, one) => (penalty(one) < penalty(best) ? one : best));
}

/** A picture to scan. @param {string} text @param {string} label */
export function qrOf(text, label) {
  const modules = modulesOf(text);
  if (!modules) return null;
  const path = modules.flatMap((row, r) => row.map((dark, c) => (dark ? `M${c} ${r}h1v1h-1z` : ""))).join("");
  const side = modules.length + 8;
  return s("svg", { class: "qr", viewBox: `-4 -4 ${side} ${side}`, role: "img", "aria-label": label }, s("rect", { class: "qrp", x: -4, y: -4, width: side, height: side }), s("path", { d: path, "shape-rendering": "crispEdges" }));
}
