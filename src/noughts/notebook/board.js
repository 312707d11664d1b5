// The board of a game in a notebook: a picture, a button over each cell, and arrow keys from cell to cell.

/**
 * @typedef {object} Traits the state of the board, from the kernel
 * @property {string} svg
 * @property {string} status
 * @property {Record<string, [number, number, number, number]>} places the left, top, width and height of each cell
 * @property {Record<string, string[]>} moves the moves by cell; the empty key has those without a cell
 * @property {string[]} may the cells with a ring
 * @property {Record<string, string>} names the names of cells
 * @property {Record<string, string>} words the texts of the buttons
 * @property {boolean} values
 * @property {boolean} is_busy
 */
/**
 * @typedef {object} Model
 * @property {<Name extends keyof Traits>(name: Name) => Traits[Name]} get
 * @property {<Name extends keyof Traits>(name: Name, value: Traits[Name]) => void} set
 * @property {() => void} save_changes
 * @property {(message: {do: string, text?: string}) => void} send
 * @property {(event: string, act: () => void) => void} on
 * @property {(event: string, act: () => void) => void} off
 */
/** @typedef {[number, number]} Point */

/**
 * @template {keyof HTMLElementTagNameMap} Kind
 * @param {Kind} kind
 * @param {Record<string, string>} attributes
 * @param {string} text
 */
function element(kind, attributes = {}, text = "") {
  const node = document.createElement(kind);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.textContent = text;
  return node;
}

/**
 * Returns the nearest button in the direction of an arrow. Distance to the side counts three times.
 * @param {Iterable<HTMLElement>} buttons
 * @param {HTMLElement} from
 * @param {Point} direction
 */
function neighbour(buttons, from, [dx, dy]) {
  const middle = (/** @type {HTMLElement} */ button) => {
    const box = button.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const [x, y] = middle(from);
  let best = from;
  let least = Infinity;
  for (const button of buttons) {
    const [right, down] = middle(button);
    const ahead = (right - x) * dx + (down - y) * dy;
    const aside = Math.abs((right - x) * dy) + Math.abs((down - y) * dx);
    if (ahead > 1 && ahead + 3 * aside < least) [best, least] = [button, ahead + 3 * aside];
  }
  return best;
}

/** @type {Record<string, Point>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Shows a board. @param {{model: Model, el: HTMLElement}} options */
function render({ model, el }) {
  // Jupyter's own shortcuts must not use the arrow keys.
  const root = element("div", { class: "noughts", "data-lm-suppress-shortcuts": "true" });
  const board = element("div", { class: "noughts-board", role: "group" });
  const picture = element("div");
  const bar = element("div", { class: "noughts-bar" });
  const status = element("span", { role: "status" });
  const choices = element("span");
  board.append(picture);
  bar.append(status, choices);
  root.append(board, bar);
  el.append(root);

  /** @type {Map<string, HTMLButtonElement>} */ let buttons = new Map();
  const play = (/** @type {string} */ text) => {
    choices.replaceChildren();
    if (!model.get("is_busy")) model.send({ do: "play", text });
  };
  const chooseCell = (/** @type {string} */ cell) => {
    const texts = model.get("moves")[cell] ?? [];
    if (texts.length === 1) return play(texts[0]);
    offerMoves(texts);
    choices.querySelector("button")?.focus();
  };
  const offerMoves = (/** @type {string[]} */ texts) => {
    choices.replaceChildren(
      ...texts.map((text) => {
        const button = element("button", { type: "button" }, text);
        button.onclick = () => play(text);
        return button;
      }),
    );
  };
  const focusButton = (/** @type {HTMLElement} */ button) => {
    for (const other of buttons.values()) other.tabIndex = -1;
    button.tabIndex = 0;
    button.focus();
  };

  root.addEventListener("keydown", (event) => {
    event.stopPropagation();
    const { key, target } = event;
    if (!(key in ARROWS) || !(target instanceof HTMLElement) || target.parentNode !== board) return;
    event.preventDefault();
    focusButton(neighbour(buttons.values(), target, ARROWS[key]));
  });

  const placeButtons = () => {
    const focused = [...buttons].find(([, button]) => button === document.activeElement)?.[0];
    for (const button of buttons.values()) button.remove();
    const percent = (/** @type {number} */ part) => `${100 * part}%`;
    buttons = new Map(
      Object.entries(model.get("places")).map(([cell, [left, top, width, height]]) => {
        const button = element("button", { type: "button", tabindex: "-1", "data-cell": cell });
        const box = {
          left: percent(left),
          top: percent(top),
          width: percent(width),
          height: percent(height),
        };
        Object.assign(button.style, box);
        button.onclick = () => chooseCell(cell);
        return [cell, button];
      }),
    );
    board.append(...buttons.values());
    const first = buttons.get(focused ?? "") ?? buttons.values().next().value;
    if (first) first.tabIndex = 0;
    if (focused !== undefined) first?.focus();
    labelButtons();
  };
  const labelButtons = () => {
    const moves = model.get("moves");
    for (const [cell, button] of buttons) {
      button.setAttribute("aria-label", model.get("names")[cell] ?? cell);
      button.setAttribute("aria-disabled", String(!(cell in moves)));
      button.classList.toggle("noughts-legal", model.get("may").includes(cell));
    }
    offerMoves(moves[""] ?? []);
  };

  /** @type {Record<string, HTMLButtonElement>} */ const controls = {};
  for (const name of ["undo", "again", "values", "draw", "resign", "accept", "decline"]) {
    const button = element("button", { type: "button" });
    controls[name] = button;
    bar.append(button);
    button.onclick = () => {
      if (model.get("is_busy")) return;
      if (name !== "values") return model.send({ do: name });
      model.set("values", !model.get("values"));
      model.save_changes();
    };
  }
  const updates = {
    svg: () => (picture.innerHTML = model.get("svg")),
    places: placeButtons,
    moves: labelButtons,
    may: labelButtons,
    names: labelButtons,
    status: () => (status.textContent = model.get("status")),
    values: () => controls.values.setAttribute("aria-pressed", String(model.get("values"))),
    words: () => {
      const words = model.get("words");
      for (const [name, button] of Object.entries(controls)) {
        button.textContent = words[name] ?? "";
        button.hidden = !(name in words);
      }
    },
  };
  for (const [trait, show] of Object.entries(updates)) {
    model.on(`change:${trait}`, show);
    show();
  }
  return () => {
    for (const [trait, show] of Object.entries(updates)) model.off(`change:${trait}`, show);
  };
}

export default { render };
