// Return the words of this page that are covered, struck through, cut or off the page.
(() => {
  const found = new Set();
  const UNHEARD = ".visually-hidden, .skip, noscript, script, style, option, symbol, defs, .owner";
  const PRESSED = "button, a, label, summary, th, h1, h2";

  const isSeen = (one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const styleOf = (one) => getComputedStyle(one);

  // Texts with common ancestors share the results of these.
  const askedOnce = (ask) => {
    const known = new Map();
    return (one) => {
      if (!known.has(one)) known.set(one, ask(one));
      return known.get(one);
    };
  };

  // Elements on top of the page, such as an open menu, may cover it.
  const layerOf = askedOnce((at) => {
    if (!(at instanceof Element)) return null;
    const { position, zIndex } = styleOf(at);
    const isOnTop = ["fixed", "sticky"].includes(position) || (position === "absolute" && Number(zIndex) > 0);
    return isOnTop ? at : layerOf(at.parentElement);
  });

  const meet = (one, other) => ({
    left: Math.max(one.left, other.left),
    right: Math.min(one.right, other.right),
    top: Math.max(one.top, other.top),
    bottom: Math.min(one.bottom, other.bottom),
  });

  // Return the visible part of an element inside its ancestors that hide overflow.
  const EVERYWHERE = { left: -Infinity, right: Infinity, top: -Infinity, bottom: Infinity };
  const clipOf = askedOnce((at) => {
    if (!(at instanceof Element) || at === document.body) return EVERYWHERE;
    const around = clipOf(at.parentElement);
    const isBox = !(at instanceof SVGElement) || at instanceof SVGSVGElement;
    return isBox && styleOf(at).overflow !== "visible" ? meet(around, at.getBoundingClientRect()) : around;
  });

  const textsIn = (node) => {
    const [holder, words] = [node.parentElement, node.data.trim().slice(0, 30)];
    if (!words || !isSeen(holder) || holder.closest(UNHEARD)) return [];
    const [range, clip, layer] = [document.createRange(), clipOf(holder), layerOf(holder)];
    range.selectNodeContents(node);
    return [...range.getClientRects()].flatMap((rect) => {
      const seen = meet(rect, clip);
      const [wide, high] = [seen.right - seen.left, seen.bottom - seen.top];
      if (wide < 2 || high < 2) return [];
      const isCut = rect.right > clip.right + 1 || rect.left < clip.left - 1;
      if (isCut && holder.closest(PRESSED) && !styleOf(holder).textOverflow.includes("ellipsis")) {
        found.add(`cut: ${words}`);
      }
      if (rect.left < -1) found.add(`off the page: ${words}`);
      const slack = high * 0.2; // lines are higher than letters
      return [{
        holder,
        words,
        layer,
        left: seen.left + 1,
        right: seen.right - 1,
        top: seen.top + slack,
        bottom: seen.bottom - slack,
      }];
    });
  };

  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) found.add(`the page is ${scrollWidth} wide in a window of ${clientWidth}`);

  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) texts.push(...textsIn(walker.currentNode));
  texts.sort((one, other) => one.top - other.top);
  texts.forEach((one, place) => {
    for (const other of texts.slice(place + 1)) {
      if (other.top >= one.bottom) break;
      const isBeside = one.left >= other.right || other.left >= one.right;
      if (!isBeside && one.layer === other.layer && one.holder !== other.holder) {
        found.add(`${one.words} / ${other.words}`);
      }
    }
  });

  const isUnder = (label, stroke) => {
    const [box, { fill, stroke: line }] = [label.getBBox(), styleOf(stroke)];
    const turn = stroke.getScreenCTM().inverse().multiply(label.getScreenCTM());
    const points = [0.2, 0.5, 0.8].flatMap((across) => [0.3, 0.5, 0.7].map((down) => [across, down]));
    return points.some(([across, down]) => {
      const point = new DOMPoint(box.x + box.width * across, box.y + box.height * down).matrixTransform(turn);
      return (fill !== "none" && stroke.isPointInFill(point)) ||
        (line !== "none" && stroke.isPointInStroke(point));
    });
  };
  for (const label of document.querySelectorAll("svg .coord")) {
    const strokes = label.ownerSVGElement.querySelectorAll(".strike, path.pen");
    if (isSeen(label) && [...strokes].some((stroke) => isUnder(label, stroke))) {
      found.add(`under a stroke: ${label.textContent}`);
    }
  }
  return [...found].slice(0, 8);
});
