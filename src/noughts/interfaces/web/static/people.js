// The pages of tournaments of people, which the server renders: they are updated when the tournament changes.

import { ask, copy, errorSentence, followEvents, serverNow, sharedOrigin } from "./api.js";
import { at, inputAt, selectAt } from "./dom.js";
import {
  begin as beginToSpeak,
  language,
  loadAgainInLanguage,
  onLanguage,
  readStored,
  say,
  timeOfDay,
  writeStored,
} from "./i18n.js";
import { patch } from "./dom_patch.js";
import { begin } from "./page.js";
import { clockText } from "./clocks.js";
import { ownName, showOwnName } from "./identity.js";
import { storeSeat } from "./stored_seats.js";

/** @type {Record<string, Api.OpenRoomRequest["clock"]>} */
const CLOCKS = {
  "1+0": { base: 60000, increment: 0 },
  "3+2": { base: 180000, increment: 2000 },
  "5+3": { base: 300000, increment: 3000 },
  "10+0": { base: 600000, increment: 0 },
  "30": { per_move: 30000 },
};
const TURN_AFTER = 8000; // milliseconds until a projector shows its next page
/** @type {Record<string, number>} Milliseconds between updates without news. */
const EVERY = { screen: 2000, organiser: 5000, player: 15_000 };
/** @type {Record<string, number>} The longest delay after news, so that not all phones ask at once. */
const SPREAD = { screen: 100, organiser: 100, player: 1000 };
const DAY = 24 * 60 * 60 * 1000;

const content = document.getElementById("people-content");
const code = content?.dataset.code ?? "";
const kind = content?.dataset.kind ?? "";
const path = /** @type {const} */ (`/api/tournaments/${code}`);

let loadedAt = performance.now();
let page = 0;

/** Show the sentence about an error. @param {string} sentence */
function complain(sentence) {
  at("people-error").textContent = sentence;
}

/** Do something, and show the sentence if it fails. @param {() => Promise<unknown>} work */
async function attempt(work) {
  complain("");
  try {
    await work();
  } catch (error) {
    complain(errorSentence(error));
  }
}

/** Return a new idempotency key. */
const newKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

// Updates

/** Request the page again and change what is different. */
async function look() {
  const answer = await fetch(location.href).catch(() => null);
  if (!answer?.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const id of ["people-content", "people-margin"]) {
    const [now, old] = [fresh.getElementById(id), document.getElementById(id)];
    if (!now || !old) continue;
    if (kind === "screen") turnPages(now);
    keepChoices(old, now);
    patch(old, now);
  }
  document.title = fresh.title;
  loadedAt = performance.now();
  show();
}

/** Let the lists with focus keep their options, so that an open one does not close. @param {Element} old @param {Element} now */
function keepChoices(old, now) {
  const held = old.contains(document.activeElement) ? document.activeElement : null;
  if (!(held instanceof HTMLSelectElement) || !held.dataset.pairing) return;
  const again = now.querySelector(`select[data-pairing="${held.dataset.pairing}"]`);
  again?.replaceWith(held.cloneNode(true));
}

/** @type {number | undefined} */ let soon;

/** Update the page a little later, once for several pieces of news. */
function lookSoon() {
  soon ??= setTimeout(() => {
    soon = undefined;
    look();
  }, 50 + Math.random() * (SPREAD[kind] ?? 0));
}

/** Follow the tournament. A new connection hears of the present version. */
function follow() {
  followEvents(
    () => `${path}/events`,
    (event, version) => {
      if (event === "change" && version !== content?.dataset.version) lookSoon();
    },
    () => undefined,
  );
}

// Times and links

/** @param {string} attribute @param {(element: HTMLElement, value: number) => string} text */
function fillTimes(attribute, text) {
  for (const element of document.querySelectorAll(`[data-${attribute}]`)) {
    if (!(element instanceof HTMLElement)) continue;
    const shown = text(element, Number(element.getAttribute(`data-${attribute}`)));
    if (element.textContent !== shown) element.textContent = shown;
  }
}

/** Show all times in the language and the time zone of the reader. */
function show() {
  const passed = performance.now() - loadedAt;
  fillTimes("starts", (_, time) => say("people-starts", { time: timeOfDay(time) }));
  fillTimes("starts-short", (_, time) => timeOfDay(time));
  fillTimes("at", (_, time) => timeOfDay(time));
  fillTimes("left", (element, left) => clockText(element.dataset.still ? left : left - passed, true));
  const link = `${sharedOrigin}/t`.replace(/^https?:\/\//, "");
  const url = document.getElementById("people-url");
  if (url) url.textContent = say("people-or-open", { link });
  const late = document.getElementById("people-late");
  if (late) late.textContent = say("people-late", { link, code });
  const qr = document.getElementById("people-qr");
  const picture = `/qr.svg?link=${encodeURIComponent(`${sharedOrigin}/t/${code}`)}`;
  if (qr && qr.getAttribute("src") !== picture) qr.setAttribute("src", picture);
}

/** Show the present page of each list on a projector. @param {Element} within */
function turnPages(within) {
  for (const box of within.querySelectorAll(".turning")) {
    const pages = [...box.children];
    pages.forEach((one, number) => one.toggleAttribute("hidden", number !== page % pages.length));
  }
}

/** Keep the own screen awake, if the browser can. */
function stayAwake() {
  const request = () => navigator.wakeLock?.request("screen").catch(() => undefined);
  request();
  document.addEventListener("visibilitychange", () => document.hidden || request());
}

// Questions

/** @type {(() => Promise<unknown>) | null} */ let asked = null;
/** @type {HTMLElement | null} */ let asker = null;

/**
 * Ask a question in the strip. The answer yes does the work.
 * @param {string} question @param {string} consequence @param {string} yes @param {() => Promise<unknown>} work
 */
function question(question, consequence, yes, work) {
  asked = work;
  asker = document.activeElement instanceof HTMLElement ? document.activeElement : null;
  at("people-question").textContent = question;
  at("people-consequence").textContent = consequence;
  at("people-yes").textContent = yes;
  at("people-ask").hidden = false;
  at("people-yes").focus();
}

/** End the question. @param {boolean} isYes */
async function answer(isYes) {
  const work = asked;
  asked = null;
  at("people-ask").hidden = true;
  if (isYes && work) await attempt(work);
  if (asker instanceof HTMLSelectElement) asker.value = asker.dataset.before ?? "";
  asker?.focus();
  await look();
}

// Links of players

/** Show the link with which a player comes from another device. @param {Api.EnteredTournament} entered */
function handOut({ name, token }) {
  const link = `${sharedOrigin}/t/${code}#${token}`;
  at("people-link-of").textContent = say("people-link-of", { name });
  at("people-link-qr").setAttribute("src", `/qr.svg?link=${encodeURIComponent(link)}`);
  at("people-handed").hidden = false;
  inputAt("people-link").value = link;
  inputAt("people-link").select();
  asker = null; // so that an answered question leaves the focus here
}

/** Hide the link again. */
function putAway() {
  at("people-handed").hidden = true;
  inputAt("people-link").value = "";
  at("people-link-qr").removeAttribute("src");
}

// Commands

/** @param {Api.OrganiserRequest["command"]} command */
const order = (command) => ask(`${path}/commands`, { command });

/** @param {string | number} entry @param {Api.EntryChange} change */
const change = (entry, change) => ask(`${path}/entries/${entry}`, change);

/** Return the number of the own entry. */
async function ownNumber() {
  const { you } = await ask(path);
  return you ?? 0;
}

/** @type {Record<string, (element: HTMLElement) => Promise<unknown>>} The work of the buttons. */
const ACTS = {
  seat: async () => {
    const seat = await ask(`${path}/seat`, {});
    if (!seat.room) return;
    storeSeat({ room: seat.room, game: seat.game });
    location.assign(`/r/${seat.room}?t=${code}`);
  },
  practise: async (button) => {
    const entry = await ask("/api/rooms", {
      game: button.dataset.game ?? "",
      opponent: "level:3",
      name: button.dataset.name ?? "",
      place: 0,
      counts: false,
      key: newKey(),
    });
    storeSeat({ room: entry.room, game: entry.state.game.name });
    location.assign(`/r/${entry.room}?t=${code}`);
  },
  start: () => order({ type: "start" }),
  pause: () => order({ type: "pause" }),
  resume: () => order({ type: "resume" }),
  rest: async () => change(await ownNumber(), { state: "resting" }),
  back: async () => change(await ownNumber(), { state: "in" }),
  "rest-of": (button) => change(button.dataset.entry ?? "", { state: "resting" }),
  "back-of": (button) => change(button.dataset.entry ?? "", { state: "in" }),
  "copy-link": () => copy(inputAt("people-link").value),
  "hide-link": () => Promise.resolve(putAway()),
  copy: () => copy(`${sharedOrigin}/t/${code}/organiser#${readStored(`noughts-organiser-${code}`) ?? ""}`),
};

/** @type {Record<string, (element: HTMLElement) => void>} The buttons that ask first. */
const QUESTIONS = {
  leave: () =>
    question(
      say("people-leave-asked"),
      say("people-leave-about"),
      say("people-leave"),
      async () => change(await ownNumber(), { state: "removed" }),
    ),
  remove: (button) =>
    question(
      say("people-remove-asked", { name: button.dataset.name ?? "" }),
      say("people-remove-about"),
      say("people-remove"),
      () => change(button.dataset.entry ?? "", { state: "removed" }),
    ),
  "new-link": (button) =>
    question(
      say("people-new-link-asked", { name: button.dataset.name ?? "" }),
      say("people-new-link-about"),
      say("people-new-link"),
      async () => handOut(await ask(`${path}/entries/${button.dataset.entry}/token`, {})),
    ),
  end: () =>
    question(
      say("people-end-asked"),
      say("people-end-about"),
      say("people-end-now"),
      () => order({ type: "end" }),
    ),
};

/** @type {Record<string, string>} */ const RESULT_TEXTS = { "1-0": "1 : 0", draw: "½ : ½", "0-1": "0 : 1" };

/** Ask whether a result is to be corrected. @param {HTMLSelectElement} select */
function askToCorrect(select) {
  const { pairing, table, before, again } = select.dataset;
  const result = /** @type {"1-0" | "draw" | "0-1"} */ (select.value);
  const points = before ? "people-correct-points" : "people-correct-running";
  question(
    say("people-correct-asked", {
      number: table ?? "",
      before: RESULT_TEXTS[before ?? ""] ?? select.options[0].text,
      after: RESULT_TEXTS[result],
    }),
    say(again === "1" ? "people-correct-pairs" : points),
    say("people-correct"),
    () => order({ type: "correct", pairing: Number(pairing), result }),
  );
}

/** Return the instant of a time of day, today or tomorrow. @param {string} time */
function instantOf(time) {
  if (!time) return null;
  const [hours, minutes] = time.split(":").map(Number);
  const then = new Date(serverNow()).setHours(hours, minutes, 0, 0);
  return then < serverNow() - DAY / 2 ? then + DAY : then;
}

/** @type {Record<string, (form: HTMLFormElement, data: FormData) => Promise<unknown>>} The work of the forms. */
const FORMS = {
  enter: async (_, data) => {
    const name = String(data.get("name"));
    await ask(`${path}/entries`, { name, key: newKey() });
    if (!ownName()) writeStored("noughts-name", name);
    await look();
  },
  rename: async (_, data) => change(await ownNumber(), { name: String(data.get("name")) }),
  late: async (form, data) => {
    handOut(await ask(`${path}/late`, { name: String(data.get("name")), key: newKey() }));
    form.reset();
  },
  code: async (_, data) => {
    const typed = String(data.get("code")).replace(/[\s-]/g, "").toUpperCase();
    const state = await ask(`/api/tournaments/${encodeURIComponent(typed)}`);
    location.assign(`/t/${state.code}`);
  },
  new: async (_, data) => {
    const opened = await ask("/api/tournaments", {
      title: String(data.get("title")),
      game: String(data.get("game")),
      system: /** @type {"swiss" | "arena" | "knockout"} */ (data.get("system")),
      rounds: Number(data.get("rounds")),
      minutes: Number(data.get("minutes")),
      clock: CLOCKS[String(data.get("clock"))] ?? { base: 180000, increment: 2000 },
      computer: data.get("system") === "knockout" ? "" : String(data.get("computer")),
      starts: instantOf(String(data.get("starts") ?? "")),
      visibility: data.get("public") ? "public" : "link",
      key: newKey(),
    });
    writeStored(`noughts-organiser-${opened.code}`, opened.token);
    location.assign(`${opened.link}/organiser`);
  },
};

/** Listen to all buttons, lists and forms, also to those that an update adds. */
function listen() {
  document.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest("button[data-act]") : null;
    if (!(button instanceof HTMLElement)) return;
    const act = button.dataset.act ?? "";
    if (act in QUESTIONS) QUESTIONS[act](button);
    else if (act in ACTS) attempt(() => ACTS[act](button)).then(code ? look : undefined);
  });
  document.addEventListener("change", (event) => {
    const changed = event.target;
    if (changed instanceof HTMLSelectElement && changed.dataset.act === "correct") askToCorrect(changed);
    else if (changed instanceof HTMLInputElement && changed.dataset.act === "entry") {
      attempt(() => order({ type: "entry", is_open: changed.checked }));
    } else if (changed instanceof HTMLSelectElement && ["system", "computer"].includes(changed.name)) {
      showSystem();
    }
  });
  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || !form.dataset.act || !(form.dataset.act in FORMS)) return;
    event.preventDefault();
    const button = form.querySelector("button");
    button?.setAttribute("disabled", "");
    await attempt(() => FORMS[form.dataset.act ?? ""](form, new FormData(form)));
    button?.removeAttribute("disabled");
    if (code) await look();
  });
  document.getElementById("people-yes")?.addEventListener("click", () => answer(true));
  document.getElementById("people-no")?.addEventListener("click", () => answer(false));
}

/** Show the fields of the chosen system. */
function showSystem() {
  const system = selectAt("new-system").value;
  const computer = selectAt("new-odd").value ? "computer" : "none";
  at("system-about").textContent = say(`people-about-${system}`);
  at("odd-about").textContent = say(
    system === "knockout" ? "people-how-odd-knockout" : `people-how-odd-${system}-${computer}`,
  );
  for (const field of document.querySelectorAll("[data-for]")) {
    field.toggleAttribute("hidden", !field.getAttribute("data-for")?.split(" ").includes(system));
  }
}

/** Store the secret of the address, with which a player or organiser comes from another device. */
async function useSecret() {
  const secret = location.hash.slice(1);
  if (!/^[\w-]{20,64}$/.test(secret)) return;
  history.replaceState(null, "", location.pathname + location.search);
  await attempt(async () => {
    const state = await ask(`${path}/token`, { token: secret });
    if (state.is_organiser) writeStored(`noughts-organiser-${code}`, secret);
    await look();
  });
}

await (kind === "screen" ? beginToSpeak() : begin());
listen();
if (document.getElementById("new-system")) {
  showSystem();
  loadAgainInLanguage();
}
if (code) {
  const name = document.getElementById("name");
  if (name instanceof HTMLInputElement) {
    name.value ||= readStored("noughts-name") ?? "";
    showOwnName(name);
  }
  const made = language();
  onLanguage(() => language() !== made && look());
  await useSecret();
  follow();
  show();
  setInterval(show, 500);
  setInterval(() => document.hidden || look(), EVERY[kind] ?? EVERY.player);
  document.addEventListener("visibilitychange", () => document.hidden || look());
}
if (kind === "screen") {
  stayAwake();
  setInterval(() => {
    page += 1;
    turnPages(at("people-content"));
  }, TURN_AFTER);
}
