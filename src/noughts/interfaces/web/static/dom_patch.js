// Update of a part of the page: unchanged elements keep their focus, selection and scroll position.

/** @param {Node} node */
const keyOf = (node) => (node instanceof Element ? node.getAttribute("data-key") : null);

/** Return true if one node can be changed into the other. @param {Node} one @param {Node} other */
const isAlike = (one, other) => one.nodeName === other.nodeName && keyOf(one) === keyOf(other);

/**
 * Change an element into a new one with few replacements. Children with a key are matched by it.
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
