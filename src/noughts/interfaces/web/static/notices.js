// News for readers who look at another tab: a notification of the browser if the reader has allowed it, and a
// dot in the title.

import { readStored, writeStored } from "./i18n.js";

const FLAG = "noughts-notices";

/** Return true if this browser has notifications. Plain HTTP has none. */
export const hasNotices = () => isSecureContext && "Notification" in globalThis;

/** Return true if the reader wants notifications and has allowed them. */
export const wantsNotices = () =>
  hasNotices() && readStored(FLAG) === "yes" && Notification.permission === "granted";

/** Switch notifications. The browser asks the reader at first, so call it for a click only. @param {boolean} is */
export async function switchNotices(is) {
  writeStored(FLAG, is ? "yes" : "");
  if (is && hasNotices() && Notification.permission === "default") await Notification.requestPermission();
}

/** Put a dot before the title until the reader looks at the page. */
function markTitle() {
  document.title = `• ${document.title.replace(/^• /, "")}`;
  const clear = () => {
    if (document.hidden) return;
    document.title = document.title.replace(/^• /, "");
    document.removeEventListener("visibilitychange", clear);
  };
  document.addEventListener("visibilitychange", clear);
}

/**
 * Tell a reader who looks elsewhere about something. A newer notice replaces the last one of this page.
 * @param {string} title
 * @param {string} body
 */
export async function showNotice(title, body) {
  if (!document.hidden) return;
  markTitle();
  if (!wantsNotices()) return;
  const data = { link: location.pathname };
  const options = { body, tag: location.pathname, icon: "/static/icon-180.png", data };
  const worker = await navigator.serviceWorker?.getRegistration().catch(() => undefined);
  if (worker) return worker.showNotification(title, options); // phones have no other way
  const notice = new Notification(title, options);
  notice.addEventListener("click", () => {
    globalThis.focus();
    notice.close();
  });
}
