// Ed25519 keys of this browser. IndexedDB holds them in a form that scripts can use but not read.

/** @typedef {{key: string, privateKey: CryptoKey}} OwnKey the public key as text, and the private key */
/** @typedef {{box: ArrayBuffer, start: Uint8Array<ArrayBuffer>, lock: CryptoKey, until: number}} WaitingWords */

const DATABASE = "noughts-keys";
const STORE = "keys";
const ED25519 = { name: "Ed25519" };
const WEEK = 7 * 24 * 60 * 60 * 1000;
/** The beginning of an Ed25519 private key in the format PKCS 8. */
const PKCS8 = [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20];

/** @param {ArrayBuffer | Uint8Array} bytes */
function toBase64(bytes) {
  const text = String.fromCharCode(...new Uint8Array(bytes));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Return why this browser can have no key: `insecure` or `old`, or an empty text if it can. */
export async function whyNoKeys() {
  if (!isSecureContext) return "insecure";
  try {
    await crypto.subtle.generateKey(ED25519, false, ["sign", "verify"]);
    return "";
  } catch {
    return "old";
  }
}

/** Make a key for this device, which no script can read. @returns {Promise<OwnKey>} */
export async function makeDeviceKey() {
  const pair = /** @type {CryptoKeyPair} */ (await crypto.subtle.generateKey(ED25519, false, [
    "sign",
    "verify",
  ]));
  return { key: toBase64(await crypto.subtle.exportKey("raw", pair.publicKey)), privateKey: pair.privateKey };
}

/** Return the key that 16 random bytes stand for. @param {Uint8Array<ArrayBuffer>} entropy @returns {Promise<OwnKey>} */
export async function keyOfEntropy(entropy) {
  const info = new TextEncoder().encode("noughts identity 1");
  const secret = await crypto.subtle.importKey("raw", entropy, "HKDF", false, ["deriveBits"]);
  const how = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(0), info };
  const seed = new Uint8Array(await crypto.subtle.deriveBits(how, secret, 256));
  const packed = new Uint8Array([...PKCS8, ...seed]);
  const readable = await crypto.subtle.importKey("pkcs8", packed, ED25519, true, ["sign"]);
  const { x } = await crypto.subtle.exportKey("jwk", readable);
  return {
    key: x ?? "",
    privateKey: await crypto.subtle.importKey("pkcs8", packed, ED25519, false, ["sign"]),
  };
}

/**
 * Sign an action with all its facts. The server makes the same text.
 * @param {OwnKey} own
 * @param {string} action
 * @param {string} nonce
 * @param {string[]} facts
 */
export async function signText(own, action, nonce, facts) {
  const text = JSON.stringify(["noughts", action, location.origin, nonce, ...facts]);
  return toBase64(await crypto.subtle.sign(ED25519, own.privateKey, new TextEncoder().encode(text)));
}

/**
 * Run a request on the keys in IndexedDB.
 * @param {IDBTransactionMode} mode
 * @param {(store: IDBObjectStore) => IDBRequest} request
 * @returns {Promise<unknown>}
 */
function withStore(mode, request) {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(DATABASE, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const change = opening.result.transaction(STORE, mode);
      const asked = request(change.objectStore(STORE));
      change.oncomplete = () => {
        opening.result.close();
        resolve(asked.result);
      };
      change.onabort = () => reject(change.error);
    };
  });
}

/** @param {string} name @param {unknown} value */
const store = (name, value) => withStore("readwrite", (keys) => keys.put(value, name));

/** @param {string} name */
const remove = (name) => withStore("readwrite", (keys) => keys.delete(name));

/** Return the key of this device, or undefined. */
export async function deviceKey() {
  return /** @type {OwnKey | undefined} */ (await withStore("readonly", (keys) => keys.get("device")));
}

/** @param {OwnKey} own */
export const storeDeviceKey = (own) => store("device", own);

/** Delete everything that this browser has of a key. */
export async function forgetKeys() {
  await remove("device");
  await remove("words");
}

/** Store the bytes of the words for a week, locked by a key that no script can read. @param {Uint8Array<ArrayBuffer>} entropy */
export async function storeWords(entropy) {
  const lock = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, [
    "encrypt",
    "decrypt",
  ]);
  const start = crypto.getRandomValues(new Uint8Array(12));
  const box = await crypto.subtle.encrypt({ name: "AES-GCM", iv: start }, lock, entropy);
  await store("words", { box, start, lock, until: Date.now() + WEEK });
}

/** Return the bytes of the words that wait, or null if there are none. */
export async function waitingWords() {
  const kept = /** @type {WaitingWords | undefined} */ (await withStore(
    "readonly",
    (keys) => keys.get("words"),
  ));
  if (!kept) return null;
  if (kept.until < Date.now()) {
    await forgetWords();
    return null;
  }
  return new Uint8Array(
    await crypto.subtle.decrypt({ name: "AES-GCM", iv: kept.start }, kept.lock, kept.box),
  );
}

/** Delete the words that wait. */
export const forgetWords = () => remove("words");
