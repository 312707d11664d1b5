// The player with a key: requests that a key signs, and the session.

import { ApiError, ask } from "./api.js";
import { readStored, writeStored } from "./i18n.js";
import { deviceKey, forgetKeys, signText } from "./keys.js";

const FLAG = "noughts-signed-in";
const RENEW = 25 * 24 * 60 * 60 * 1000; // milliseconds after which a session of 30 days is renewed

/** @typedef {import("./keys.js").OwnKey} OwnKey */

/** Note in this browser that it is signed in, so that other pages know when to renew the session. */
export const noteSession = () => writeStored(FLAG, String(Date.now()));

/** Return true if this browser was signed in. */
export const isSignedIn = () => Boolean(readStored(FLAG));

/** Note in this browser that nobody is signed in. */
export const noteGuest = () => writeStored(FLAG, "");

/** Return a nonce of the server. */
export const newNonce = async () => (await ask("/api/identities/nonce")).nonce;

/**
 * Return the signed fields of a request that the key of this device signs.
 * @param {OwnKey} own
 * @param {string} action
 * @param {...string} facts
 */
export async function signed(own, action, ...facts) {
  const nonce = await newNonce();
  return { nonce, signature: await signText(own, action, nonce, facts) };
}

/**
 * Return the signed fields of a request that the key of the words and a new device sign.
 * @param {"register" | "restore"} action
 * @param {OwnKey} words
 * @param {OwnKey} device
 * @param {...string} first further facts
 */
export async function signedTwice(action, words, device, ...first) {
  const [nonce, label] = [await newNonce(), deviceLabel()];
  const facts = [...first, words.key, device.key, label];
  const [signature, own] = [
    await signText(words, action, nonce, facts),
    await signText(device, action, nonce, facts),
  ];
  return { key: words.key, nonce, signature, device: { key: device.key, label, signature: own } };
}

/** Sign in with the key of this device. @param {OwnKey} own */
export async function signIn(own) {
  const session = await ask("/api/identities/session", {
    key: own.key,
    ...(await signed(own, "sign-in", own.key)),
  });
  noteSession();
  return session;
}

/** Return the player of this browser, or null. A session that has ended is renewed with the key. */
export async function whoAmI() {
  const me = await ask("/api/identities/me");
  if (me.identity) {
    noteSession();
    return me;
  }
  const own = isSecureContext ? await deviceKey() : undefined;
  if (!own) return null;
  try {
    return await signIn(own);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "key-refused") throw error;
    await forgetKeys(); // another device has removed this one
    noteGuest();
    return null;
  }
}

let known = "";

/** Return the name of the player who is signed in, once `loadOwnName` has ended. It is empty for a guest. */
export const ownName = () => known;

/** Request the name of the player, if this browser was signed in. Without an answer it is a guest. */
export async function loadOwnName() {
  if (!isSignedIn()) return;
  const me = await ask("/api/identities/me").catch(() => null);
  known = me?.identity?.name ?? "";
}

/** Show the name of the player with a key in *field*, which can't be changed then. @param {HTMLInputElement} field */
export async function showOwnName(field) {
  await loadOwnName();
  if (!known) return;
  field.value = known;
  field.readOnly = true;
}

/** Renew the session if this browser was signed in long ago. */
export async function renewSession() {
  const since = Number(readStored(FLAG) || Infinity);
  if (Date.now() - since > RENEW) {
    noteSession();
    const own = isSecureContext ? await deviceKey() : undefined;
    if (own) await signIn(own);
  }
}

/** Return a text by which the reader recognises this browser. */
export function deviceLabel() {
  const agent = navigator.userAgent;
  const browsers = { Edg: "Edge", OPR: "Opera", Firefox: "Firefox", Chrome: "Chrome", Safari: "Safari" };
  const systems = {
    Android: "Android",
    iPhone: "iPhone",
    iPad: "iPad",
    Windows: "Windows",
    "Mac OS": "Mac",
    Linux: "Linux",
  };
  const find = (/** @type {Record<string, string>} */ names) =>
    Object.entries(names).find(([sign]) => agent.includes(sign))?.[1];
  return [find(browsers) ?? "Browser", find(systems)].filter(Boolean).join(", ");
}
