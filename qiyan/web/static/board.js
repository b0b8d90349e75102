// The board as SVG: lines, pieces, last move, marks. Points are named a0..i9; Red is at the bottom unless turned.
const NS = "http://www.w3.org/2000/svg";
const CELL = 100;
const RIM = 70;
const GLYPHS = {
  K: "帅", A: "仕", B: "相", N: "马", R: "车", C: "炮", P: "兵",
  k: "将", a: "士", b: "象", n: "马", r: "车", c: "炮", p: "卒",
};
export const FILES = "abcdefghi";
const RED_FILES = "九八七六五四三二一"; // from a to i: each side counts from its own right
// How far outside the board's edge room is made for the files' and points' names: above, below, left.
const NAMES_ROOM = { top: 26, bottom: 58, side: 30 };

export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

export function glyph(letter) {
  return GLYPHS[letter] ?? "?";
}

// "rnbak.../..." -> Map of point -> piece letter.
export function piecesOf(fen) {
  const pieces = new Map();
  if (!fen) return pieces;
  fen.split(" ")[0].split("/").forEach((row, index) => {
    let file = 0;
    for (const sign of row) {
      if (/\d/.test(sign)) file += Number(sign);
      else pieces.set(FILES[file++] + (9 - index), sign);
    }
  });
  return pieces;
}

export function placementOf(pieces) {
  const rows = [];
  for (let rank = 9; rank >= 0; rank--) {
    let row = "";
    let empty = 0;
    for (const file of FILES) {
      const piece = pieces.get(file + rank);
      if (!piece) { empty++; continue; }
      row += (empty || "") + piece;
      empty = 0;
    }
    rows.push(row + (empty || ""));
  }
  return rows.join("/");
}

export class Board {
  // `bottom`: the side shown at the bottom. `onPoint(point)`: called when a point is clicked or chosen by keyboard.
  // `named`: whether files and ranks are named at the edge, as players count them and as points are written.
  constructor(bottom = "red", onPoint = null, named = false) {
    this.bottom = bottom;
    this.pieces = new Map();
    const room = named ? NAMES_ROOM : { top: 0, bottom: 0, side: 0 };
    const width = 8 * CELL + 2 * RIM + 2 * room.side;
    const height = 9 * CELL + 2 * RIM + room.top + room.bottom;
    const [x, y] = [-room.side, -room.top];
    this.element = svg("svg", { viewBox: `${x} ${y} ${width} ${height}`, class: "board" });
    this.element.append(svg("rect", { class: "wood", x, y, width, height, rx: 16 }), this.#lines());
    if (named) this.element.append(this.#names());
    this.marks = svg("g");
    this.discs = svg("g");
    this.top = svg("g");
    this.element.append(this.marks, this.discs, this.top);
    if (onPoint) this.element.append(this.#touchables(onPoint));
  }

  xy(point) {
    const file = FILES.indexOf(point[0]);
    const rank = Number(point[1]);
    const red = this.bottom === "red";
    return [RIM + (red ? file : 8 - file) * CELL, RIM + (red ? 9 - rank : rank) * CELL];
  }

  // `move`: "h2e2" or null; `marked`: points to ring.
  show(fen, move = null, marked = []) {
    this.fen = fen;
    this.showPieces(piecesOf(fen), move, marked);
  }

  showPieces(pieces, move = null, marked = []) {
    this.pieces = pieces;
    this.discs.replaceChildren(...[...pieces].map(([point, letter]) => this.#disc(point, letter)));
    this.marks.replaceChildren();
    this.top.replaceChildren();
    if (move) {
      const [cx, cy] = this.xy(move.slice(0, 2));
      this.marks.append(svg("circle", { class: "last from", cx, cy, r: 15 }), this.#corners(move.slice(2, 4)));
    }
    for (const point of marked) {
      const [cx, cy] = this.xy(point);
      this.top.append(svg("circle", { class: "ring", cx, cy, r: 49 }));
    }
    this.element.dataset.placement = placementOf(pieces);
  }

  #disc(point, letter) {
    const [cx, cy] = this.xy(point);
    const side = letter === letter.toUpperCase() ? "red" : "black";
    const group = svg("g", { class: `piece ${side}`, "data-point": point, "data-piece": letter });
    group.append(
      svg("circle", { class: "face", cx, cy, r: 44 }),
      svg("circle", { class: "rim", cx, cy, r: 37 }),
    );
    const text = svg("text", { x: cx, y: cy + 19, "text-anchor": "middle" });
    text.textContent = glyph(letter);
    group.append(text);
    return group;
  }

  #corners(point) {
    const [x, y] = this.xy(point);
    const a = 46, b = 26;
    const path = [[-1, -1], [1, -1], [1, 1], [-1, 1]]
      .map(([i, j]) => `M${x + i * a} ${y + j * b}V${y + j * a}H${x + i * b}`).join("");
    return svg("path", { class: "last to", d: path });
  }

  #lines() {
    const left = RIM, right = RIM + 8 * CELL, top = RIM, bottom = RIM + 9 * CELL;
    let path = "";
    for (let rank = 0; rank < 10; rank++) path += `M${left} ${top + rank * CELL}H${right}`;
    for (let file = 0; file < 9; file++) {
      const x = left + file * CELL;
      path += file === 0 || file === 8
        ? `M${x} ${top}V${bottom}` : `M${x} ${top}V${top + 4 * CELL}M${x} ${top + 5 * CELL}V${bottom}`;
    }
    for (const y of [top, top + 7 * CELL]) {
      const a = left + 3 * CELL, b = left + 5 * CELL;
      path += `M${a} ${y}L${b} ${y + 2 * CELL}M${b} ${y}L${a} ${y + 2 * CELL}`;
    }
    const group = svg("g", { class: "lines" }, svg("path", { d: path }));
    for (const [x, word] of [[RIM + 2 * CELL, "楚河"], [RIM + 6 * CELL, "漢界"]]) {
      const text = svg("text", { x, y: top + 4.5 * CELL + 17, "text-anchor": "middle", class: "river" });
      text.textContent = word;
      group.append(text);
    }
    return group;
  }

  // Red's files in Chinese numerals on Red's side, Black's in digits on Black's, and the letters and digits of points.
  #names() {
    const group = svg("g", { class: "names", "aria-hidden": "true" });
    const write = (kind, x, y, word) => {
      const text = svg("text", { x, y, "text-anchor": "middle", class: kind });
      text.textContent = word;
      group.append(text);
    };
    const red = this.bottom === "red";
    const [above, below] = [RIM - 62, RIM + 9 * CELL + 84];
    [...FILES].forEach((file, index) => {
      const [x] = this.xy(`${file}0`);
      write("red", x, red ? below : above, RED_FILES[index]);
      write("black", x, red ? above : below, String(index + 1));
      write("point", x, below + 32, file);
    });
    for (let rank = 0; rank < 10; rank++) write("point", RIM - 74, this.xy(`a${rank}`)[1] + 9, String(rank));
    return group;
  }

  #touchables(onPoint) {
    const group = svg("g", { class: "touchables" });
    for (let rank = 9; rank >= 0; rank--) {
      for (const file of FILES) {
        const point = file + rank;
        const [cx, cy] = this.xy(point);
        const spot = svg("circle", {
          cx, cy, r: 48, class: "touchable", tabindex: -1, role: "button", "aria-label": point, "data-touch": point,
        });
        spot.addEventListener("click", () => onPoint(point));
        spot.addEventListener("keydown", (event) => this.#key(event, point, onPoint));
        group.append(spot);
      }
    }
    group.querySelector('[data-touch="e0"]').setAttribute("tabindex", 0);
    return group;
  }

  // Where the arrow keys begin, and the whole board in view.
  focus() {
    this.element.scrollIntoView({ block: "nearest" });
    this.element.querySelector('[data-touch][tabindex="0"]')?.focus({ preventScroll: true });
  }

  // Arrow keys walk over the points, Enter or Space chooses one.
  #key(event, point, onPoint) {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      onPoint(point);
      return;
    }
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (!step) return;
    event.preventDefault();
    const turn = this.bottom === "red" ? 1 : -1;
    const file = FILES.indexOf(point[0]) + turn * step[0];
    const rank = Number(point[1]) + turn * step[1];
    const next = this.element.querySelector(`[data-touch="${FILES[file]}${rank}"]`);
    if (!next) return;
    event.target.setAttribute("tabindex", -1);
    next.setAttribute("tabindex", 0);
    next.focus();
  }
}
