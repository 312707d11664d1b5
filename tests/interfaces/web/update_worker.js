// Runs two versions of the service worker in an imitated browser with one server, and prints the answers as JSON.

const text = await Deno.readTextFile(Deno.args[0]);
/** The content of each address at the server. */
let server = {};
/** @type {Map<string, Map<string, Response>>} */ const stores = new Map();
let isOnline = true;

const caches = {
  keys: () => Promise.resolve([...stores.keys()]),
  delete: (name) => Promise.resolve(stores.delete(name)),
  open(name) {
    const store = stores.get(name) ?? new Map();
    stores.set(name, store);
    return Promise.resolve({
      put: (address, answer) => Promise.resolve(store.set(address, answer)),
      match: (address) => Promise.resolve(store.get(address)?.clone()),
    });
  },
};

function fetch(request) {
  if (!isOnline) return Promise.reject(new TypeError("no network"));
  const path = new URL(typeof request === "string" ? request : request.url, "http://here/").pathname;
  return Promise.resolve(path in server ? new Response(server[path]) : new Response("", { status: 404 }));
}

async function digestOf(content) {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(content));
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Start a version of the worker. The result sends it an event, and resolves to its answer, or to null. */
async function worker(version, address, content) {
  const shell = {
    version,
    page: "/offline",
    files: [{ address, digest: await digestOf(content) }],
    sentences: { "/i18n/en.json": address },
  };
  const listeners = {};
  const self = { registration: {}, addEventListener: (kind, listen) => (listeners[kind] = listen) };
  const run = new Function("SHELL", "self", "caches", "fetch", "location", text);
  run(shell, self, caches, fetch, { origin: "http://here" });
  return (kind, path = "/", mode = "cors", method = "GET", origin = "http://here") => {
    let work = null;
    const keep = (promise) => (work = promise);
    const request = { url: origin + path, mode, method };
    listeners[kind]({ request, waitUntil: keep, respondWith: keep, preloadResponse: Promise.resolve() });
    if (work === null) return Promise.resolve(null);
    return work.then((answer) => (answer ? answer.text() : "done"), (error) => `failed: ${error.message}`);
  };
}

const page = (version) => `<div data-shell="${version}">`;
const [one, two] = [["/static/1/x.js", "one"], ["/static/2/x.js", "two"]];
const old = { "/offline": page("v1"), [one[0]]: one[1] };
// The server sends the present file for an outdated address.
const fresh = { "/offline": page("v2"), [one[0]]: two[1], [two[0]]: two[1], "/r/room": "a room" };
const [first, second] = [await worker("v1", ...one), await worker("v2", ...two)];
const answers = {};

server = old;
answers.installed = [await first("install"), await first("activate")];
server = fresh;
const late = await worker("v1", ...one);
answers.late = await late("install"); // it is of another version than the page
answers.mixed = await (await worker("v2", two[0], "other"))("install");
answers.updated = await second("install");
answers.before = [...stores.keys()];
answers.online = [await first("fetch", "/r/room", "navigate"), await first("fetch", one[0])];
isOnline = false;
answers.offline = [await first("fetch", "/r/room", "navigate"), await first("fetch", "/i18n/en.json")];
answers.untouched = [
  await first("fetch", "/api/rooms"),
  await first("fetch", "/api/games/1/record", "navigate"),
  await first("fetch", "/r/room", "navigate", "POST"),
  await first("fetch", one[0], "cors", "GET", "http://elsewhere"),
  await first("fetch", "/qr.svg"),
];
answers.activated = await second("activate");
answers.after = [...stores.keys()];
answers.then = [await second("fetch", "/", "navigate"), await second("fetch", two[0])];
console.log(JSON.stringify(answers));
