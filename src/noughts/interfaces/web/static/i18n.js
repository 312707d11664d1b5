// The sentences of the page, from the message catalogues of all interfaces.

/** @typedef {string | string[]} Message one sentence, or its forms by number */
/** @typedef {Record<string, string | number | string[] | null | undefined>} Data */

const STORAGE_KEY = "noughts-language";
const YEAR = 365 * 24 * 60 * 60;
/** The plural categories in the order of the forms in catalogues. */
const KINDS = ["one", "few", "many", "other"];
const HAN = /[\u4e00-\u9fff]/;
const FROM_RIGHT =
  /^[^\u2066-\u2068]*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** @type {Record<string, Message>} */ let messages = {};
/** @type {(() => void)[]} */ const followers = [];
let current = document.documentElement.lang;
const initial = { language: current, sentences: document.documentElement.dataset.sentences };

export const language = () => current;

/** Call a function now and after each change of the language. @param {() => void} follow */
export function onLanguage(follow) {
  followers.push(follow);
  follow();
}

/**
 * Return the sentence of an id with its placeholders filled. `count` selects the plural form.
 * @param {string} id
 * @param {Data} data
 * @returns {string}
 */
export function say(id, data = {}) {
  const message = messages[id];
  if (message === undefined) return id;
  const sentence = typeof message === "string"
    ? message
    : message[pluralForm(Number(data.count ?? 1), message.length)];
  const parts = sentence.split(/\{(\w+)\}/);
  const filled = parts.map((part, number) => (number % 2 ? shown(data[part]) : part)).filter((part) =>
    part !== ""
  );
  return current.startsWith("zh") ? joinChinese(filled) : filled.join("");
}

/** Return true if there is a sentence with this id. @param {string} id */
export const has = (id) => id in messages;

/** Join sentences to a paragraph. @param {string[]} sentences */
export const paragraph = (sentences) => sentences.filter(Boolean).join(bare("between-sentences"));

/** Return an instant as a time of day. @param {number} instant milliseconds */
export function timeOfDay(instant) {
  return new Date(instant).toLocaleTimeString(current, { hour: "2-digit", minute: "2-digit" });
}

/** Return an instant as a day. @param {number} instant milliseconds */
export function dayOf(instant) {
  const day = new Date(instant).toLocaleDateString(current, {
    year: "numeric",
    month: "short",
    day: "numeric",
  });
  return day.replace(/\sг\.$/, ""); // The period of the Russian word for *year* would end the sentence twice.
}

/** @param {string} id @returns {string} */
const bare = (id) => say(id).replace(/^\||\|$/g, "");

/** @param {Data[string]} value @returns {string} */
function shown(value) {
  if (Array.isArray(value)) return value.map(isolate).join(bare("between-items"));
  return isolate(String(value ?? ""));
}

/** Isolate a right-to-left text, so that it does not reorder the text around it. @param {string} text */
const isolate = (text) => (FROM_RIGHT.test(text) ? `\u2068${text}\u2069` : text);

/**
 * Return the index of the plural form for a number.
 * @param {number} count
 * @param {number} forms the number of forms
 */
function pluralForm(count, forms) {
  const rules = new Intl.PluralRules(current);
  const { pluralCategories } = rules.resolvedOptions();
  const kinds = KINDS.filter((kind) => pluralCategories.some((one) => one === kind));
  return Math.min(kinds.indexOf(rules.select(count)), forms - 1);
}

/**
 * Join the parts of a Chinese sentence, with a space between Han characters and other words or numbers.
 * @param {string[]} parts
 */
function joinChinese(parts) {
  let text = "";
  for (const part of parts) {
    const ends = [text.at(-1) ?? "", part[0]];
    const isMixed = ends.some((end) => HAN.test(end)) &&
      ends.some((end) => /[\p{L}\p{N}]/u.test(end) && end < "\u0530");
    text += isMixed ? ` ${part}` : part;
  }
  return text;
}

/** @param {string} wanted */
async function speak(wanted) {
  const answer = await fetch((wanted === initial.language && initial.sentences) || `/i18n/${wanted}.json`);
  if (!answer.ok) return;
  messages = await answer.json();
  current = wanted;
  document.documentElement.lang = wanted;
  for (const element of document.querySelectorAll("[data-say]")) {
    element.textContent = say(element.getAttribute("data-say") ?? "");
  }
  for (const element of document.querySelectorAll("[data-say-label]")) {
    element.setAttribute("aria-label", say(element.getAttribute("data-say-label") ?? ""));
  }
  for (const element of document.querySelectorAll("[data-say-hint]")) {
    element.setAttribute("placeholder", say(element.getAttribute("data-say-hint") ?? ""));
  }
  const title = document.querySelector("[data-say-title]");
  if (title) {
    document.title = say("web-page-title", { title: say(title.getAttribute("data-say-title") ?? "") });
  }
  showMenu();
  for (const follow of followers) follow();
}

function showMenu() {
  for (const link of document.querySelectorAll("#languages a[hreflang]")) {
    link.setAttribute("aria-current", String(link.getAttribute("hreflang") === current));
  }
  const summary = document.querySelector("#languages .spoken");
  if (summary) {
    summary.textContent = document.querySelector("#languages a[hreflang][aria-current=true]")?.textContent ??
      "";
  }
  summary?.setAttribute("lang", current);
}

let isWrittenByServer = false;

/** Load the page again when another language is chosen, since the server writes its texts. */
export function loadAgainInLanguage() {
  isWrittenByServer = true;
}

/** Load the sentences of the stored language, or of the language of the page. */
export async function begin() {
  const menu = document.getElementById("languages");
  menu?.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a[hreflang]") : null;
    if (!link) return;
    event.preventDefault();
    const wanted = link.getAttribute("hreflang") ?? "en";
    storeLanguage(wanted);
    const address = new URL(location.href);
    address.searchParams.delete("lang");
    history.replaceState(history.state, "", address);
    menu.removeAttribute("open");
    menu.querySelector("summary")?.focus();
    if (isWrittenByServer) location.reload();
    else speak(wanted);
  });
  menu?.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    menu.removeAttribute("open");
    menu.querySelector("summary")?.focus();
  });
  addEventListener("click", (event) => {
    if (menu && event.target instanceof Node && !menu.contains(event.target)) menu.removeAttribute("open");
  });
  const requested = new URLSearchParams(location.search).get("lang");
  const languages = [...(menu?.querySelectorAll("a[hreflang]") ?? [])].map((link) =>
    link.getAttribute("hreflang")
  );
  const wanted =
    [requested, readStored(STORAGE_KEY), document.documentElement.lang].find((tag) =>
      tag && (!menu || languages.includes(tag))
    ) ?? "en";
  if (requested && languages.includes(requested)) storeLanguage(requested);
  await speak(wanted);
}

/** Store the language in this browser and in a cookie for the server. @param {string} wanted */
function storeLanguage(wanted) {
  writeStored(STORAGE_KEY, wanted);
  document.cookie = `${STORAGE_KEY}=${wanted}; path=/; max-age=${YEAR}; samesite=lax`;
}

/**
 * Return a text that this browser stores, or null if there is none or storage is forbidden.
 * @param {string} name
 * @returns {string | null}
 */
export function readStored(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** @param {string} name @param {string} value */
export function writeStored(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // Without storage, only preferences are lost.
  }
}
