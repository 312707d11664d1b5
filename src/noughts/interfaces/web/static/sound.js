// Sounds of a pen for moves, wins, questions and the last seconds. Browsers allow sounds only after the
// first press.

import { readStored, writeStored } from "./i18n.js";

/** @typedef {"move" | "other" | "win" | "asked" | "tick"} Sound */

const STORAGE_KEY = "noughts-sound";
/**
 * The strokes of each sound: start and length in seconds, pitch in hertz, and loudness.
 * @type {Record<Sound, [number, number, number, number][]>}
 */
const STROKES = {
  move: [[0, 0.06, 2600, 0.5]],
  other: [[0, 0.06, 1500, 0.5]],
  win: [[0, 0.34, 2200, 0.5]],
  asked: [[0, 0.03, 3200, 0.35], [0.14, 0.03, 3200, 0.35]],
  tick: [[0, 0.02, 3800, 0.25]],
};

/** @type {AudioContext | null} */ let context = null;

export const hasSounds = () => readStored(STORAGE_KEY) !== "no";

/** @param {boolean} is */
export function switchSounds(is) {
  writeStored(STORAGE_KEY, is ? "yes" : "no");
}

/** Enable sounds after the first press. */
export function listenForFirst() {
  const begin = () => (context ??= new AudioContext());
  for (const kind of ["pointerup", "keydown"]) addEventListener(kind, begin, { once: true });
}

/** Play a sound. @param {Sound} sound */
export function sound(sound) {
  if (!context || !hasSounds()) return;
  for (const [start, length, pitch, loudness] of STROKES[sound]) {
    stroke(context, context.currentTime + start, length, pitch, loudness);
  }
}

/**
 * Play a stroke on paper: noise around a pitch that swells and fades.
 * @param {AudioContext} context
 * @param {number} start
 * @param {number} length
 * @param {number} pitch
 * @param {number} loudness
 */
function stroke(context, start, length, pitch, loudness) {
  const samples = Math.ceil(length * context.sampleRate);
  const buffer = context.createBuffer(1, samples, context.sampleRate);
  const noise = buffer.getChannelData(0);
  for (let at = 0; at < samples; at++) {
    noise[at] = (Math.random() * 2 - 1) * Math.sin((Math.PI * at) / samples);
  }
  const source = new AudioBufferSourceNode(context, { buffer });
  const filter = new BiquadFilterNode(context, { type: "bandpass", frequency: pitch, Q: 0.8 });
  const gain = new GainNode(context, { gain: loudness });
  source.connect(filter).connect(gain).connect(context.destination);
  source.start(start);
}
