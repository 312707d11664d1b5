// Twelve words that hold a key: the words of BIP-39 in four languages.

const BITS = 11;
const COUNT = 12;

const WORD_LANGUAGES = ["en", "ru", "zh-Hans", "zh-Hant"];

/** @type {Map<string, Promise<string[]>>} */ const lists = new Map();

/** Words that hold no key: the reason, and the unknown word with the nearest one. */
export class WordsRefused extends Error {
  /** @param {"unknown" | "checksum"} reason @param {string} word @param {string} near */
  constructor(reason, word = "", near = "") {
    super(reason);
    this.reason = reason;
    this.word = word;
    this.near = near;
  }
}

/** Load the words of a language. @param {string} language @returns {Promise<string[]>} */
function wordList(language) {
  let list = lists.get(language);
  if (!list) {
    list = fetch(`/words/${language}.json`).then((answer) => answer.json());
    lists.set(language, list);
  }
  return list;
}

/** @param {Uint8Array<ArrayBuffer>} entropy */
async function checksum(entropy) {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", entropy))[0] >> 4;
}

/** Return 16 random bytes. */
export const newEntropy = () => crypto.getRandomValues(new Uint8Array(16));

/** Return the twelve words for 16 bytes. @param {Uint8Array<ArrayBuffer>} entropy @param {string} language */
export async function wordsOf(entropy, language) {
  const bits = [...entropy].map((byte) => byte.toString(2).padStart(8, "0")).join("") +
    (await checksum(entropy)).toString(2).padStart(4, "0");
  const list = await wordList(language);
  return Array.from({ length: COUNT }, (_, at) => list[parseInt(bits.slice(BITS * at, BITS * (at + 1)), 2)]);
}

/** Return the words in a text in small letters, each Chinese character as a word. @param {string} text */
export function splitWords(text) {
  const plain = text.normalize("NFC").toLowerCase().replaceAll("ё", "е");
  return plain.match(/[\u3400-\u9fff]|(?:(?![\u3400-\u9fff])\p{L})+/gu) ?? [];
}

/** Return the numbers of all words of all languages. */
async function allNumbers() {
  /** @type {Map<string, number>} */ const numbers = new Map();
  for (const list of await Promise.all(WORD_LANGUAGES.map(wordList))) {
    list.forEach((word, number) => numbers.set(word, number));
  }
  return numbers;
}

/** Return the unknown word and the nearest known one, or null. @param {string[]} words the words so far */
export async function unknownWord(words) {
  const numbers = await allNumbers();
  const word = words.find((one) => !numbers.has(one));
  return word === undefined ? null : { word, near: nearest(word, [...numbers.keys()]) };
}

/** Return the 16 bytes that twelve words hold. @param {string[]} words @returns {Promise<Uint8Array<ArrayBuffer>>} */
export async function entropyOf(words) {
  const wrong = await unknownWord(words);
  if (wrong) throw new WordsRefused("unknown", wrong.word, wrong.near);
  const numbers = await allNumbers();
  const bits = words.map((word) => (numbers.get(word) ?? 0).toString(2).padStart(BITS, "0")).join("");
  const entropy = Uint8Array.from({ length: 16 }, (_, at) => parseInt(bits.slice(8 * at, 8 * at + 8), 2));
  if (await checksum(entropy) !== parseInt(bits.slice(128), 2)) throw new WordsRefused("checksum");
  return entropy;
}

/** @param {string} word @param {string[]} known */
function nearest(word, known) {
  const shared = (/** @type {string} */ other) => [...word].findIndex((letter, at) => letter !== other[at]);
  const ranked = known.map((other) => ({ other, far: distance(word, other), shared: shared(other) }));
  ranked.sort((one, two) => one.far - two.far || two.shared - one.shared || (one.other < two.other ? -1 : 1));
  return ranked[0].other;
}

/** Return the number of letters to add, remove or exchange. @param {string} one @param {string} two */
function distance(one, two) {
  let row = Array.from({ length: two.length + 1 }, (_, at) => at);
  for (let place = 1; place <= one.length; place++) {
    const next = [place];
    for (let at = 1; at <= two.length; at++) {
      next[at] = Math.min(
        row[at] + 1,
        next[at - 1] + 1,
        row[at - 1] + Number(one[place - 1] !== two[at - 1]),
      );
    }
    row = next;
  }
  return row[two.length];
}
