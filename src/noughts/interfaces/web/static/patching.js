// Bringing a part of the page up to date: what has not changed stays, with its focus, its selection and where
// it was scrolled to.

/** @param {Node} node */
const keyOf = (node) => (node instanceof Element ? node.getAttribute("data-key") : null);

/** True if one node can become the other. @param {Node} one @param {Node} other */
const isAlike = (one, other) => one.nodeName === other.nodeName && keyOf(one) === keyOf(other);

/**
 * Makes an element like another one, of which it takes what is new. Children with a key are known by it.
 * @param {Element} old
 * @param {Element} now
 */
export function patch(old, now) {
  if (old.isEqualNode(now)) return;
  for (const { name } of [...old.attributes]) if (!now.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of now.attributes) {
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  const children = [...now.childNodes];
  const keys = new Set(children.map(keyOf));
  for (const child of [...old.childNodes]) if (!keys.has(keyOf(child))) child.remove();
  let place = old.firstChild;
  for (const child of children) {
    if (!place || !isAlike(place, child)) {
      old.insertBefore(child, place);
      continue;
    }
    if (place instanceof Element && child instanceof Element) patch(place, child);
    else if (place.nodeValue !== child.nodeValue) place.nodeValue = child.nodeValue;
    place = place.nextSibling;
  }
  while (place) {
    const next = place.nextSibling;
    place.remove();
    place = next;
  }
}
