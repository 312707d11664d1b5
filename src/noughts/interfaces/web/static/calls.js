// Calls of this browser with the page closed: permission, the push subscription, and the setting of a player.

import { ask } from "./api.js";
import { fill, h } from "./dom.js";
import { onLanguage, say } from "./i18n.js";
import { isSignedIn, signed } from "./identity.js";
import { deviceKey } from "./keys.js";

/** Return the registered service worker, or null. */
const worker = async () =>
  "serviceWorker" in navigator && "PushManager" in globalThis
    ? (await navigator.serviceWorker.getRegistration()) ?? null
    : null;

/**
 * Subscribe this browser. Return false if the reader does not allow notifications.
 * @param {ServiceWorkerRegistration} registration
 * @param {string} key
 */
async function subscribe(registration, key) {
  if (await Notification.requestPermission() !== "granted") return false;
  const { pushManager } = registration;
  await (await pushManager.getSubscription())?.unsubscribe(); // one that the server has lost
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { p256dh, auth } = subscription.toJSON().keys ?? {};
  const own = await deviceKey();
  if (!own || !p256dh || !auth) throw new Error("no key");
  const { endpoint } = subscription;
  const proof = await signed(own, "subscribe", endpoint, p256dh, auth);
  await ask("/api/push", { endpoint, key: p256dh, auth, ...proof });
  return true;
}

/** End the subscription of this browser. @param {PushSubscription | null} subscription */
async function unsubscribe(subscription) {
  await ask("/api/push/remove", {});
  await subscription?.unsubscribe();
}

/**
 * Fill an element with the setting, if the browser, the server and the player allow calls.
 * @param {HTMLElement} box
 */
export async function showCalls(box) {
  const registration = isSignedIn() && !box.hasAttribute("data-off") ? await worker() : null;
  const key = registration ? (await ask("/api/push").catch(() => null))?.key : undefined;
  if (!registration || !key) return;
  const isOn = async () => {
    const subscription = await registration.pushManager.getSubscription();
    if (Notification.permission !== "granted" || !subscription) return false;
    return (await ask("/api/push").catch(() => null))?.endpoint === subscription.endpoint;
  };
  let is = await isOn();
  let problem = "";
  const change = async () => {
    try {
      if (is) await unsubscribe(await registration.pushManager.getSubscription());
      else problem = (await subscribe(registration, key)) ? "" : "calls-denied";
    } catch {
      problem = "calls-failed";
    }
    is = await isOn();
    show();
  };
  const show = () =>
    fill(
      box,
      h("h2", {}, say("calls-title")),
      h(
        "label",
        { class: "tick" },
        h("input", { type: "checkbox", "data-key": "calls", checked: is, change }),
        h("span", {}, say("calls-on"), h("small", {}, say("calls-on-about"))),
      ),
      problem && h("p", { class: "fact", role: "alert" }, say(problem)),
    );
  box.hidden = false;
  onLanguage(show);
}
