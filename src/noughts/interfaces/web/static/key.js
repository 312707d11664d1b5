// The page of a player's key: claim a name, write twelve words down, add devices, and leave.

import { ApiError, ask, errorSentence } from "./api.js";
import { at, h } from "./dom.js";
import { dayOf, language, onLanguage, say } from "./i18n.js";
import {
  deviceLabel,
  isSignedIn,
  newNonce,
  noteGuest,
  noteSession,
  signed,
  signedTwice,
  signIn,
  whoAmI,
} from "./identity.js";
import {
  deviceKey,
  forgetKeys,
  forgetWords,
  keyOfEntropy,
  makeDeviceKey,
  signText,
  storeDeviceKey,
  storeWords,
  waitingWords,
  whyNoKeys,
} from "./keys.js";
import { begin } from "./page.js";
import { entropyOf, newEntropy, splitWords, unknownWord, wordsOf, WordsRefused } from "./words.js";

/** @typedef {import("./keys.js").OwnKey} OwnKey */

const CHECK_AFTER = 300; // milliseconds of silence after which a name is checked
const FOLLOW_EVERY = 2000; // milliseconds between questions of a new device
const MAX_WRONG = 3; // wrong words after which new words are made
const WORDS = 12;

/** @type {() => Promise<void> | void} */ let view = () => undefined;
let turn = 0; // counts the views, so that late answers change no later view

/** Show a view now, and again in each new language. @param {() => Promise<void> | void} next */
function show(next) {
  turn++;
  view = next;
  return next();
}

/**
 * Fill the page.
 * @param {string} title the id of the title
 * @param {string} about the sentence below it
 * @param {import("./dom.js").Child[]} parts
 * @param {import("./dom.js").Child[]} notes the parts of the margin
 */
function lay(title, about, parts, notes = []) {
  for (const [id, text] of [["key-title", say(title)], ["key-about", about]]) {
    at(id).removeAttribute("data-say");
    at(id).textContent = text;
  }
  at("key-without").hidden = isSignedIn();
  at("key").replaceChildren(...parts.filter((part) => part instanceof Node));
  at("key-margin").replaceChildren(...notes.filter((part) => part instanceof Node));
}

/** @param {string} text @param {() => unknown} act @param {string} kind */
function button(text, act, kind = "") {
  return h("button", { type: "button", class: kind, click: () => void guarded(act) }, text);
}

/** Do something, and show its error below the title. @param {() => unknown} act */
async function guarded(act) {
  try {
    await act();
  } catch (error) {
    const note = h("p", { class: "fact bad", role: "alert", id: "key-error" }, errorSentence(error));
    document.getElementById("key-error")?.remove();
    at("key").prepend(note);
  }
}

/** @param {string} heading @param {...import("./dom.js").Child} parts */
const section = (heading, ...parts) => h("section", {}, h("h2", {}, heading), ...parts);

/** @param {...import("./dom.js").Child} parts */
const acts = (...parts) => h("div", { class: "acts" }, ...parts);

/** Return the steps of making a key. @param {number} now */
function progress(now) {
  const steps = [
    say("web-identity-step-name"),
    say("web-identity-step-words"),
    say("web-identity-step-check"),
  ];
  const items = steps.map((step, place) =>
    h("li", { class: place < now ? "done" : "", "aria-current": place === now && "step" }, step)
  );
  return h("ol", { class: "progress", "aria-label": say("web-identity-steps") }, ...items);
}

/**
 * Return a field with a label and a note.
 * @param {string} id
 * @param {string} label
 * @param {import("./dom.js").Attributes} attributes
 */
function field(id, label, attributes) {
  const input = h("input", {
    id,
    autocomplete: "off",
    spellcheck: "false",
    "aria-describedby": `${id}-note`,
    ...attributes,
  });
  const note = h("p", { class: "fact", id: `${id}-note`, role: "status" });
  return { box: h("div", { class: "field" }, h("label", { for: id }, label), input, note), input, note };
}

/** Show a fault at a field. @param {{input: HTMLElement, note: HTMLElement}} at @param {string} fault */
function complain({ input, note }, fault) {
  input.toggleAttribute("aria-invalid", Boolean(fault));
  note.className = fault ? "fact bad" : "fact";
  note.textContent = fault;
}

/** @param {HTMLFormElement} form @param {() => unknown} act */
function onSubmit(form, act) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void guarded(act);
  });
  return form;
}

// A new key

function showNew() {
  const name = field("key-name", say("web-identity-name"), {
    autocomplete: "nickname",
    maxlength: 40,
    required: true,
  });
  const make = h("button", { type: "submit", class: "primary", disabled: true }, say("web-identity-make"));
  /** @type {number | undefined} */ let later;
  const check = async () => {
    const [mine, text] = [turn, name.input.value.trim()];
    if (!text) return;
    const answer = await ask(`/api/identities/names?name=${encodeURIComponent(text)}`);
    if (mine !== turn || text !== name.input.value.trim()) return;
    complain(name, answer.sentence);
    make.disabled = !answer.is_free;
    if (answer.is_free) {
      name.note.className = "fact ok";
      name.note.textContent = say("web-identity-free");
    }
  };
  name.input.addEventListener("input", () => {
    make.disabled = true;
    complain(name, "");
    clearTimeout(later);
    later = setTimeout(() => void guarded(check), CHECK_AFTER);
  });
  const form = onSubmit(h("form", { class: "form" }, name.box, acts(make)), async () => {
    if (make.disabled) return;
    make.disabled = true;
    try {
      await register(name.input.value.trim());
    } catch (error) {
      make.disabled = false;
      if (error instanceof ApiError && error.code === "name-refused") complain(name, error.sentence);
      else throw error;
    }
  });
  const gains = ["web-identity-gain-name", "web-identity-gain-ratings", "web-identity-gain-devices"];
  lay("web-identity-new", say("web-identity-about"), [
    progress(0),
    form,
    section(
      say("web-identity-have"),
      acts(
        button(say("web-identity-scan"), () => show(showMove)),
        button(say("web-identity-type"), () => show(showMove)),
      ),
    ),
  ], [
    section(
      say("web-identity-gains"),
      h("ul", { class: "plain" }, ...gains.map((id) => h("li", {}, say(id)))),
    ),
  ]);
}

/** @param {string} name */
async function register(name) {
  const entropy = newEntropy();
  const [words, device] = [await keyOfEntropy(entropy), await makeDeviceKey()];
  // The keys are stored first: if the answer is lost, the device can sign in.
  await storeDeviceKey(device);
  await storeWords(entropy);
  try {
    await ask("/api/identities", { name, ...(await signedTwice("register", words, device, name)) });
  } catch (error) {
    if (error instanceof ApiError) await forgetKeys();
    throw error;
  }
  noteSession();
  await show(showWords);
}

// Twelve words

let wordLanguage = "";

async function showWords() {
  const mine = turn;
  const entropy = await waitingWords();
  if (!entropy) return show(showMine);
  const chosen = wordLanguage || language();
  const words = await wordsOf(entropy, chosen);
  if (mine !== turn) return;
  const items = words.map((word, place) => h("li", {}, h("span", {}, place + 1), h("b", {}, word)));
  const options = [...document.querySelectorAll("#languages a[hreflang]")].map((link) => {
    const code = link.getAttribute("hreflang");
    return h("option", { value: code, lang: code, selected: code === chosen }, link.textContent);
  });
  const choose = h("select", {
    "aria-label": say("web-identity-language"),
    change: (event) => {
      if (event.target instanceof HTMLSelectElement) wordLanguage = event.target.value;
      void guarded(() => show(showWords));
    },
  }, ...options);
  lay("web-identity-write", say("web-identity-write-about"), [
    progress(1),
    h("ol", { class: "twelve", translate: "no", lang: chosen }, ...items),
    acts(
      button(say("web-identity-written"), () => show(() => showCheck(chosen)), "primary"),
      button(say("web-identity-print"), () => print()),
    ),
  ], [
    section(
      say("web-identity-why"),
      h(
        "ul",
        { class: "plain" },
        ...["web-identity-why-play", "web-identity-why-lost", "web-identity-why-photo"].map((id) =>
          h("li", {}, say(id))
        ),
      ),
    ),
    section(say("web-identity-language"), choose),
    section(
      say("web-identity-later-title"),
      h("p", { class: "fact" }, say("web-identity-later-about")),
      acts(
        button(say("web-identity-later"), () => show(showMine)),
      ),
    ),
  ]);
}

/** Check two words. @param {string} chosen the language of the words */
async function showCheck(chosen) {
  const mine = turn;
  const entropy = await waitingWords();
  if (!entropy) return show(showMine);
  const words = await wordsOf(entropy, chosen);
  if (mine !== turn) return;
  const first = Math.floor(Math.random() * WORDS);
  const places = [first, (first + 1 + Math.floor(Math.random() * (WORDS - 1))) % WORDS].sort((a, b) => a - b);
  const fields = places.map((place) =>
    field(`key-word-${place}`, say("web-identity-word", { number: place + 1 }), {
      autocapitalize: "none",
      required: true,
    })
  );
  let wrong = 0;
  const check = h("button", { type: "submit", class: "primary" }, say("web-identity-check"));
  const form = onSubmit(
    h(
      "form",
      { class: "form", autocomplete: "off" },
      ...fields.map(({ box }) => box),
      acts(
        check,
        button(say("web-identity-again"), makeNewWords),
      ),
    ),
    async () => {
      const isRight = fields.map((one, at) => {
        const is = splitWords(one.input.value).join("") === splitWords(words[places[at]]).join("");
        complain(one, is ? "" : say("web-identity-different", { number: places[at] + 1 }));
        return is;
      });
      if (!isRight.includes(false)) {
        await ask("/api/identities/me/words/checked", {});
        await forgetWords();
        return show(showMine);
      }
      wrong++;
      if (wrong >= MAX_WRONG) await makeNewWords();
      else fields[isRight.indexOf(false)].input.focus();
    },
  );
  lay("web-identity-check-title", say("web-identity-check-about"), [progress(2), form], [
    section(say("web-identity-afterwards"), h("p", { class: "fact" }, say("web-identity-afterwards-about"))),
  ]);
  fields[0].input.focus();
}

/** Replace the words by new ones, and show them. */
async function makeNewWords() {
  const own = await deviceKey();
  if (!own) return show(showNew);
  const entropy = newEntropy();
  const words = await keyOfEntropy(entropy);
  const nonce = await newNonce();
  const [signature, words_signature] = [
    await signText(own, "new-words", nonce, [words.key]),
    await signText(words, "new-words", nonce, [words.key]),
  ];
  await ask("/api/identities/me/words", { key: words.key, nonce, signature, words_signature });
  await storeWords(entropy);
  await show(showWords);
}

// A further device

/** @type {{code: string, secret: string, expires: number, own: OwnKey} | null} */ let asked = null;

async function showMove() {
  const mine = turn;
  if (!asked || asked.expires < Date.now()) {
    const own = await makeDeviceKey();
    const label = deviceLabel();
    const answer = await ask("/api/identities/requests", {
      key: own.key,
      label,
      ...(await signed(own, "ask-to-be-added", own.key, label)),
    });
    asked = { ...answer, own };
  }
  if (mine !== turn || !asked) return;
  const { code } = asked;
  const link = `${location.origin}/key#${code}`;
  const status = h("p", { class: "fact", role: "status", id: "key-waiting" }, say("web-identity-waiting"));
  lay("web-identity-move", say("web-identity-move-about"), [
    h(
      "div",
      { class: "two" },
      section(
        say("web-identity-move-scan"),
        h("p", {}, say("web-identity-move-scan-about")),
        h("img", {
          class: "qr",
          src: `/qr.svg?link=${encodeURIComponent(link)}`,
          alt: say("web-identity-qr"),
          width: 220,
          height: 220,
        }),
        h(
          "p",
          {},
          say("web-identity-move-digits"),
          " ",
          h("b", { class: "digits" }, `${code.slice(0, 3)} ${code.slice(3)}`),
        ),
        status,
      ),
      section(say("web-identity-move-words"), wordsForm()),
    ),
    acts(button(say("web-identity-back"), () => {
      asked = null;
      return show(showNew);
    })),
  ], [section(say("web-identity-other"), h("p", { class: "fact" }, say("web-identity-other-about")))]);
  void follow(mine, status);
}

/** Ask the server until the other device has answered. @param {number} mine @param {HTMLElement} status */
async function follow(mine, status) {
  while (mine === turn && asked) {
    await new Promise((go) => setTimeout(go, FOLLOW_EVERY));
    if (mine !== turn || !asked) return;
    let state;
    try {
      ({ state } = await ask("/api/identities/requests/state", { secret: asked.secret }));
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "key-refused") continue;
      state = "expired";
    }
    if (state === "waiting") continue;
    const { own } = asked;
    asked = null;
    if (state === "added") {
      await storeDeviceKey(own);
      await signIn(own);
      return show(showMine);
    }
    status.className = "fact bad";
    status.replaceChildren(
      say(state === "refused" ? "web-identity-refused" : "web-identity-expired"),
      " ",
      button(say("web-identity-new-code"), () => show(showMove)),
    );
    return;
  }
}

function wordsForm() {
  const text = h("textarea", {
    id: "key-words",
    rows: 4,
    autocapitalize: "none",
    spellcheck: "false",
    autocomplete: "off",
    "aria-describedby": "key-words-note",
  });
  const note = h(
    "p",
    { class: "fact", id: "key-words-note", role: "status" },
    say("web-identity-count", { count: 0 }),
  );
  const go = h("button", { type: "submit", class: "primary", disabled: true }, say("web-identity-continue"));
  const state = { input: text, note };
  /** @type {number | undefined} */ let later;
  const look = async () => {
    const words = splitWords(text.value);
    go.disabled = words.length !== WORDS;
    const isOpen = /[\p{L}]$/u.test(text.value) && words.length < WORDS &&
      !/[\u3400-\u9fff]$/.test(text.value);
    const wrong = await unknownWord(isOpen ? words.slice(0, -1) : words);
    complain(state, wrong ? say("words-unknown", wrong) : "");
    if (!wrong) note.textContent = say("web-identity-count", { count: words.length });
    go.disabled ||= wrong !== null;
  };
  text.addEventListener("input", () => {
    clearTimeout(later);
    later = setTimeout(() => void guarded(look), CHECK_AFTER);
  });
  return onSubmit(
    h(
      "form",
      { class: "form" },
      h(
        "div",
        { class: "field" },
        h("label", { for: "key-words" }, say("web-identity-words-label")),
        text,
        note,
      ),
      acts(go),
    ),
    async () => {
      try {
        const own = asked?.own ?? await makeDeviceKey();
        const words = await keyOfEntropy(await entropyOf(splitWords(text.value)));
        await ask("/api/identities/devices", await signedTwice("restore", words, own));
        text.value = "";
        await storeDeviceKey(own);
        asked = null;
        await signIn(own);
        await show(showMine);
      } catch (error) {
        if (error instanceof WordsRefused) {
          complain(
            state,
            error.reason === "unknown"
              ? say("words-unknown", { word: error.word, near: error.near })
              : say("words-checksum"),
          );
        } else if (error instanceof ApiError) complain(state, error.sentence);
        else throw error;
      }
    },
  );
}

// The player's own page

async function showMine() {
  const mine = turn;
  const [me, own] = [await whoAmI(), await deviceKey()];
  if (!me?.identity || !own) return show(showNew);
  const { devices } = await ask("/api/identities/me/devices");
  const { blocked } = await ask("/api/identities/me/blocks");
  const moderation = await ask("/api/reports");
  const hasWords = await waitingWords() !== null;
  if (mine !== turn) return;
  const player = me.identity;
  const others = devices.filter(({ number }) => number !== me.device);
  const rows = devices.map(({ number, label, seen }) =>
    h(
      "li",
      {},
      h("span", {}, number === me.device ? h("b", {}, label) : label, h("small", {}, dayOf(seen))),
      number === me.device
        ? h("span", { class: "fact" }, say("web-identity-this"))
        : button(say("web-identity-sign-out"), () => removeDevices(own, [number])),
    )
  );
  const checked = player.words_checked;
  const wordsAbout = hasWords
    ? say("web-identity-words-wait")
    : checked === null
    ? say("web-identity-words-unchecked")
    : say("web-identity-words-checked", { day: dayOf(checked) });
  const renewed = h("span", {});
  renewed.append(button(say("web-identity-new-words"), () => {
    renewed.replaceChildren(
      h("span", {}, say("web-identity-new-words-ask")),
      button(say("web-identity-new-words"), makeNewWords, "primary"),
      button(say("web-identity-keep"), () => show(showMine)),
    );
  }));
  lay("web-identity", say("web-identity-since", { name: player.name ?? "", day: dayOf(player.created) }), [
    h("div", { id: "key-question" }),
    ...moderationLists(moderation),
    section(
      say("web-identity-devices"),
      h("ul", { class: "rows" }, ...rows),
      codeForm(own),
      others.length > 0 && acts(
        button(
          say("web-identity-sign-out-others"),
          () => removeDevices(own, others.map(({ number }) => number)),
        ),
      ),
    ),
    section(
      say("web-identity-words-title"),
      h("p", {}, wordsAbout),
      acts(
        hasWords && button(say("web-identity-words-show"), () => show(showWords), "primary"),
        renewed,
      ),
    ),
    section(
      say("web-identity-stored"),
      h("p", {}, say("web-identity-stored-about")),
      acts(
        button(say("web-identity-download"), () => download(own)),
      ),
    ),
    forgetForm(own, player.name ?? ""),
  ], [nameForm(own, player), askedByForm(player), blockedList(blocked)]);
  const code = /^#(\d{6})$/.exec(location.hash)?.[1];
  if (code) {
    history.replaceState(history.state, "", location.pathname);
    await guarded(() => askAbout(own, code));
  }
}

/** Return the field for the six digits of a new device. @param {OwnKey} own */
function codeForm(own) {
  const code = field("key-digits", say("web-identity-digits"), {
    inputmode: "numeric",
    maxlength: 8,
    required: true,
  });
  const form = h(
    "form",
    { class: "form" },
    code.box,
    acts(h("button", { type: "submit" }, say("web-identity-add"))),
  );
  return onSubmit(form, async () => {
    const digits = code.input.value.replaceAll(/\D/g, "");
    if (digits.length !== 6) return complain(code, say("web-identity-digits-about"));
    try {
      await askAbout(own, digits);
      complain(code, "");
      code.input.value = "";
    } catch (error) {
      complain(code, errorSentence(error));
    }
  });
}

/** Ask if the device with a code may be added. @param {OwnKey} own @param {string} code */
async function askAbout(own, code) {
  const waiting = await ask(`/api/identities/me/requests/${code}`);
  const answer = async (/** @type {boolean} */ is_approved) => {
    const action = is_approved ? "add-device" : "refuse-device";
    await ask(`/api/identities/me/requests/${code}/answer`, {
      key: waiting.key,
      is_approved,
      ...(await signed(own, action, code, waiting.key)),
    });
    return show(showMine);
  };
  const yes = button(say("web-identity-add-yes"), () => answer(true), "primary");
  at("key-question").replaceChildren(
    h(
      "div",
      { class: "question", role: "group", "aria-label": say("web-identity-asks") },
      h("p", { role: "alert" }, h("b", {}, say("web-identity-add-ask", { label: waiting.label }))),
      h("span", {}, yes, button(say("web-identity-add-no"), () => answer(false))),
    ),
  );
  yes.focus();
}

/** @param {OwnKey} own @param {number[]} devices */
async function removeDevices(own, devices) {
  const proof = await signed(own, "remove-devices", ...devices.map(String));
  await ask("/api/identities/me/devices/remove", { devices, ...proof });
  await show(showMine);
}

/** Let the reader save all stored data as a file. @param {OwnKey} own */
async function download(own) {
  const data = await ask("/api/identities/me/export", await signed(own, "export"));
  const url = URL.createObjectURL(new Blob([JSON.stringify(data, null, 1)], { type: "application/json" }));
  h("a", { href: url, download: "noughts.json" }).click();
  URL.revokeObjectURL(url);
}

/** @param {OwnKey} own @param {string} name */
function forgetForm(own, name) {
  const typed = field("key-forget", say("web-identity-forget-type"), { placeholder: name, required: true });
  const go = h("button", { type: "submit", disabled: true }, say("web-identity-forget"));
  typed.input.addEventListener("input", () => {
    go.disabled = typed.input.value.trim().toLowerCase() !== name.toLowerCase();
  });
  const form = onSubmit(h("form", { class: "form" }, typed.box, acts(go)), async () => {
    if (go.disabled) return;
    const text = typed.input.value.trim();
    await ask("/api/identities/me/forget", { name: text, ...(await signed(own, "forget", text)) });
    await forgetKeys();
    noteGuest();
    await show(() =>
      lay("web-identity-forgotten", say("web-identity-forgotten-about"), [acts(
        h("a", { class: "button", href: "/" }, say("web-choose-game")),
      )])
    );
  });
  const box = section(say("web-identity-forget"), h("p", {}, say("web-identity-forget-about")), form);
  box.className = "danger";
  return box;
}

/** @param {OwnKey} own @param {Api.IdentityMessage} player */
function nameForm(own, player) {
  const name = field("key-name", say("web-identity-name"), {
    value: player.name ?? "",
    maxlength: 40,
    required: true,
  });
  const isLate = Date.now() >= player.can_rename_at || player.name === null;
  name.note.textContent = isLate
    ? say("web-identity-rename-now")
    : say("web-identity-rename-at", { day: dayOf(player.can_rename_at) });
  const save = h("button", { type: "submit", disabled: !isLate }, say("web-identity-save"));
  return section(
    say("web-identity-your-name"),
    onSubmit(h("form", { class: "form" }, name.box, acts(save)), async () => {
      try {
        const text = name.input.value.trim();
        await ask("/api/identities/me/name", { name: text, ...(await signed(own, "rename", text)) });
        await show(showMine);
      } catch (error) {
        complain(name, errorSentence(error));
      }
    }),
  );
}

/** @param {Api.IdentityMessage} player */
function askedByForm(player) {
  const wishes = /** @type {const} */ ([
    ["everybody", "web-identity-asked-everybody"],
    ["played", "web-identity-asked-played"],
    ["nobody", "web-identity-asked-nobody"],
  ]);
  const choices = wishes.map(([people, id]) =>
    h(
      "label",
      { class: "choice" },
      h("input", {
        type: "radio",
        name: "asked-by",
        checked: player.asked_by === people,
        change: () => void guarded(() => ask("/api/identities/me/wishes", { asked_by: people })),
      }),
      h("span", {}, say(id)),
    )
  );
  return section(say("web-identity-asked-by"), ...choices);
}

/** @param {Api.BlockedPlayer[]} blocked */
function blockedList(blocked) {
  if (!blocked.length) return null;
  const rows = blocked.map(({ number, name, created }) =>
    h(
      "li",
      {},
      h("span", {}, name ?? say("former-player"), h("small", {}, dayOf(created))),
      button(say("web-identity-unblock"), async () => {
        await ask("/api/identities/me/block", { identity: number, is_blocked: false });
        await show(showMine);
      }),
    )
  );
  return section(say("web-identity-blocked"), h("ul", { class: "rows" }, ...rows));
}

/** Return the sections about bans and decisions, and about own reports. @param {Api.OwnReports} moderation */
function moderationLists({ bans, decisions, reports }) {
  const banned = bans.map(({ ends, scope }) => {
    if (ends === null) return say("web-identity-ban-forever");
    const time = new Date(ends).toLocaleString(language(), { dateStyle: "medium", timeStyle: "short" });
    return say(scope === "rated" ? "web-identity-ban-rated" : "web-identity-ban", { time });
  });
  const told = [...banned, ...decisions].map((text) => h("li", {}, h("span", {}, text)));
  const sent = reports.map(({ name, created, is_decided }) =>
    h(
      "li",
      {},
      h("span", {}, name, h("small", {}, dayOf(created))),
      h(
        "span",
        { class: "fact" },
        say(is_decided ? "web-identity-report-decided" : "web-identity-report-open"),
      ),
    )
  );
  return [
    told.length > 0 && section(say("web-identity-decided"), h("ul", { class: "rows" }, ...told)),
    sent.length > 0 && section(say("web-identity-reports"), h("ul", { class: "rows" }, ...sent)),
  ];
}

/** Show why this browser can have no key. @param {string} why */
function showNoKeys(why) {
  const about = {
    insecure: "web-identity-none-insecure",
    old: "web-identity-none-old",
    off: "web-identity-none-off",
  }[why];
  lay(why === "off" ? "web-identity-off" : "web-identity-none", say(about ?? ""), [
    section(
      say("web-identity-none-do"),
      h("p", {}, say("web-identity-without-about")),
      acts(
        h("a", { class: "button", href: "/" }, say("web-choose-game")),
      ),
    ),
  ]);
  at("key-without").hidden = true; // The same sentence is above.
}

await begin();
const why = at("key").hasAttribute("data-off") ? "off" : await whyNoKeys();
const isGuest = why !== "" || !await deviceKey();
await guarded(() => show(why ? () => showNoKeys(why) : isGuest ? showNew : showMine));
addEventListener("hashchange", () => view === showMine && show(showMine));
onLanguage(() => void guarded(view));
