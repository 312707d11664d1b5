// The service worker: it stores the page for playing without a network, and shows it if the server cannot
// be reached. The server puts two constants before this text: SHELL lists the stored files, and KEYS has functions of
// keys.js, since a service worker imports no modules.
//
// Only files of SHELL and that one page are stored. Other pages and all answers of the API are never stored.
// A changed file changes SHELL. Its new service worker waits until no page uses the old one, so a page gets
// all its files from one version.

const scope = /** @type {Background.Scope} */ (/** @type {unknown} */ (self));
const PREFIX = "noughts-shell-";
const CACHE = PREFIX + SHELL.version;
/** @type {Set<string>} The addresses of stored files, with a hash of their content. */
const FILES = new Set(SHELL.files.map(({ address }) => address));

/** @param {BufferSource} content */
async function digestOf(content) {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", content));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Load a file of this version. Throws an error for another version. @param {Background.File} file */
async function load({ address, digest }) {
  const answer = await fetch(address);
  const content = await answer.clone().arrayBuffer();
  if (!answer.ok || await digestOf(content) !== digest) throw new Error(`another version of ${address}`);
  return answer;
}

/** Load the page of this version, which names it. */
async function loadPage() {
  const answer = await fetch(SHELL.page, { cache: "no-cache" });
  const text = await answer.clone().text();
  if (!answer.ok || !text.includes(`data-shell="${SHELL.version}"`)) throw new Error("another version");
  return answer;
}

/** Store all files and the page, or throw an error. The browser tries again later then. */
async function store() {
  const [page, ...files] = await Promise.all([loadPage(), ...SHELL.files.map(load)]);
  const cache = await caches.open(CACHE);
  await Promise.all([
    cache.put(SHELL.page, page),
    ...files.map((file, number) => cache.put(SHELL.files[number].address, file)),
  ]);
}

/** Remove the files of earlier versions, which no page uses any more. */
async function activate() {
  const names = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  await Promise.all(names.map((name) => caches.delete(name)));
  await scope.registration.navigationPreload?.enable(); // the start of this worker delays no page then
}

/** @param {string} address */
const stored = async (address) => (await caches.open(CACHE)).match(address);

/** Return a page of the server, or the stored page without a network. @param {Background.Request} event */
async function answerPage(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    return (await stored(SHELL.page)) ?? Response.error();
  }
}

/** Return a stored file, or that of the server if the browser has lost it. @param {Request} request */
const answerFile = async (request) => (await stored(new URL(request.url).pathname)) ?? fetch(request);

/**
 * Return the sentences of a language from the server, or the stored ones without a network.
 * @param {Request} request
 * @param {string} address
 */
async function answerSentences(request, address) {
  try {
    return await fetch(request);
  } catch {
    return (await stored(address)) ?? Response.error();
  }
}

scope.addEventListener("install", (event) => event.waitUntil(store()));
scope.addEventListener("activate", (event) => event.waitUntil(activate()));
scope.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin || pathname.startsWith("/api/")) return;
  if (request.mode === "navigate") event.respondWith(answerPage(event));
  else if (FILES.has(pathname)) event.respondWith(answerFile(request));
  else if (pathname in SHELL.sentences) {
    event.respondWith(answerSentences(request, SHELL.sentences[pathname]));
  }
});

// Calls with the page closed.

/** Show a call, unless the reader looks at a page of the server. @param {Background.PushEvent} event */
async function showCall(event) {
  const { title, body, link, tag } = event.data.json();
  const pages = await scope.clients.matchAll({ type: "window" });
  if (pages.some((page) => page.visibilityState === "visible" && page.focused)) return;
  await scope.registration.showNotification(title, {
    body,
    tag,
    icon: "/static/icon-180.png",
    data: { link },
  });
}

/** Open the page of a call, in a page that is there if possible. @param {string} link */
async function openCall(link) {
  const address = new URL(link, location.origin).href;
  const pages = await scope.clients.matchAll({ type: "window" });
  const same = pages.find((page) => page.url === address);
  if (same) await same.focus();
  else await scope.clients.openWindow(address);
}

/**
 * Subscribe again, since the push service has ended the old subscription, and name the new one to the server.
 * @param {Background.SubscriptionEvent} event
 */
async function renewCalls({ newSubscription }) {
  if (Notification.permission !== "granted") return;
  const { key } = await (await fetch("/api/push")).json();
  const subscription = newSubscription ??
    (await scope.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }));
  const { p256dh, auth } = subscription.toJSON().keys ?? {};
  const own = await KEYS.deviceKey();
  if (!own || !p256dh || !auth) return;
  const { nonce } = await (await fetch("/api/identities/nonce")).json();
  const { endpoint } = subscription;
  const signature = await KEYS.signText(own, "subscribe", nonce, [endpoint, p256dh, auth]);
  await fetch("/api/push", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ endpoint, key: p256dh, auth, nonce, signature }),
  });
}

scope.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renewCalls(event)));
scope.addEventListener("push", (event) => event.waitUntil(showCall(event)));
scope.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openCall(event.notification.data.link));
});
