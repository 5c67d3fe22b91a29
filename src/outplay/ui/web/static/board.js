// A board that can be played on, with mouse, finger or keyboard. The picture comes from the server; a move is
// known by its path, the cells it goes through, so that this works for every game. A move is shown at once: the
// server's picture follows.

import { h, s } from './dom.js';
import { marked } from './marks.js';
import { middle, settle, slide } from './motion.js';
import { face, picture, piece } from './picture.js';
import { Plays } from './plays.js';

const same = (a, b) => a[0] === b[0] && a[1] === b[1];
const parse = (text) => text.split(',').map(Number);

/** @typedef {{action: string, text: string, path: number[][]}} Move a legal move, and the cells it goes through */
/** @typedef {{at: number[], was?: boolean | number, piece: Element | null, from: string, x: number, y: number, moving?: boolean}} Held a piece in the hand */

export class BoardView {
  /**
   * @param {HTMLElement} place
   * @param {(move: Move) => void} play is called when the user has chosen a move
   */
  constructor(place, play) {
    this.place = place;
    this.play = play;
    /** @type {any} */
    this.view = null; // what the server says of the position
    this.free = false; // whether the user may move
    this.side = -1; // whose pieces may be moved ahead of time
    /** @type {number[][]} */
    this.chosen = []; // cells chosen so far
    this.focus = ''; // the cell where the keyboard enters the board
    /** @type {SVGSVGElement | null} */
    this.svg = null;
    /** @type {Map<string, SVGElement>} */
    this.cells = new Map();
    /** @type {Held | null} */
    this.held = null;
    this.performed = false; // whether a move is on its way
    /** @type {{path: number[][], rank: number, kind?: string}[]} */
    this.arrows = [];
    /** @type {number[][] | null} */
    this.premove = null; // [from, to], played when it is possible
    this.own = new Set(); // arrows and circles that the user has drawn
    this.plays = new Plays(this);
    this.frame = h('div', { class: 'board-frame' });
    this.beside = h('div', { class: 'board-beside' });
    this.place.append(this.frame, this.beside);
  }

  /**
   * Show a position; `free`: the user may move; `side`: whose pieces may be moved ahead of time; `path`: of the move.
   * @param {any} view
   * @param {boolean} free
   * @param {{side?: number, path?: number[][]}} [more]
   */
  show(view, free, { side = -1, path = [] } = {}) {
    const before = this.svg;
    const shown = this.performed;
    Object.assign(this, { view, free, side, chosen: [], performed: false, held: null });
    this.plays.begin();
    const focused = before?.contains(document.activeElement);
    this.pressing ||= this.place.contains(document.activeElement) && !focused; // a move's button, which goes now
    this.svg = null;
    if (this.drawn !== view.text) this.own.clear();
    this.drawn = view.text;
    if (view.svg) this.draw(before, path, shown, focused);
    else this.frame.replaceChildren(h('p', { class: 'words' }, view.note || view.text));
    this.buttons();
    if (free && this.premove) this.playAhead(this.premove);
  }

  draw(before, path, shown, focused) {
    const svg = picture(this.view.svg);
    for (const name of ['width', 'height']) svg.removeAttribute(name);
    const { width, height } = svg.viewBox.baseVal;
    this.place.style.setProperty('--ratio', String(width / height));
    const table = svg.querySelector('.table');
    const [top, high] = table ? ['y', 'height'].map((name) => Number(table.getAttribute(name)) / height) : [0, 1];
    const [left, wide] = table ? ['x', 'width'].map((name) => Number(table.getAttribute(name)) / width) : [0, 1];
    for (const [name, value] of Object.entries({ top, high, left, wide })) this.place.style.setProperty(`--table-${name}`, value.toFixed(4));
    /** @type {NodeListOf<SVGElement>} */
    const cells = svg.querySelectorAll('.cell');
    this.cells = new Map([...cells].map((cell) => [cell.dataset.at ?? '', cell]));
    this.overlay = s('g', { class: 'overlay' });
    svg.append(this.overlay);
    this.svg = svg;
    this.frame.replaceChildren(svg);
    this.listen(svg);
    this.paint();
    if (this.view.style === 'points') settle(shown ? null : before, svg, [[-1, -1]], false, false); // several checkers move
    else settle(before, svg, path, shown, this.view.style === 'frame');
    if (focused) this.cells.get(this.focus)?.focus();
  }

  /** Moves that are not on the board: passes, rolls, and all moves of a game without one. */
  buttons() {
    const loose = this.plays.candidates().filter((move) => !move.path.length || !this.svg);
    const offered = loose.length > 0 && this.free;
    const buttons = offered ? loose.map((move) => h('button', { onclick: () => this.play(move) }, move.text)) : [];
    this.beside.replaceChildren(...(offered ? [h('div', { class: 'moves-as-buttons', role: 'group', 'aria-label': 'Moves' }, buttons)] : []));
    if (!offered) return;
    if (this.pressing && (document.activeElement ?? document.body) === document.body) buttons[0].focus({ preventScroll: true });
    this.pressing = false;
  }

  /** @param {SVGSVGElement} svg */
  listen(svg) {
    svg.setAttribute('role', 'group');
    svg.setAttribute('aria-label', `Board. ${this.view.note}`);
    if (!this.cells.size) return;
    for (const [at, cell] of this.cells) {
      cell.setAttribute('role', 'button');
      cell.setAttribute('tabindex', '-1');
      cell.addEventListener('focus', () => { this.focus = at; });
    }
    if (!this.cells.has(this.focus)) [this.focus] = this.cells.keys();
    this.cells.get(this.focus)?.setAttribute('tabindex', '0');
    svg.addEventListener('keydown', (event) => this.key(event));
    svg.addEventListener('pointerdown', (event) => this.down(event));
    svg.addEventListener('pointermove', (event) => this.drag(event));
    svg.addEventListener('pointerup', (event) => this.up(event));
    svg.addEventListener('pointercancel', () => this.drop());
    svg.addEventListener('contextmenu', (event) => event.preventDefault());
  }

  // --- choosing a move ---

  /** The moves whose path begins with the chosen cells. */
  candidates(chosen = this.chosen) {
    return this.view.legal.filter((move) => move.path.length && chosen.every((at, i) => same(move.path[i] ?? [-1, -1], at)));
  }

  /** A cell was chosen: begin a move, go on with it, or end it. Whether that made a move. */
  choose(at) {
    if (this.performed) return false; // a move is on its way
    if (this.plays.active) return this.free && this.plays.choose(at);
    if (!this.free) return this.chooseAhead(at);
    if (this.chosen.length) {
      const ends = this.candidates().filter((move) => same(move.path.at(-1), at));
      if (ends.length && !same(this.chosen.at(-1), at)) return this.finish(ends, at);
      if (this.candidates([...this.chosen, at]).length) {
        this.chosen.push(at);
        this.paint();
        return false;
      }
    }
    const again = this.chosen.length === 1 && same(this.chosen[0], at);
    this.chosen = [];
    if (!again) {
      const drops = this.view.legal.filter((move) => move.path.length === 1 && this.hits(move.path[0], at));
      if (drops.length) return this.finish(drops, at);
      if (this.candidates([at]).length) this.chosen = [at];
    }
    this.paint();
    return false;
  }

  /** Whether a click there means a move to this cell: in a frame the whole column does. */
  hits(target, at) {
    return this.view.style === 'frame' ? target[1] === at[1] : same(target, at);
  }

  finish(moves, at) {
    if (moves.length > 1) { this.ask(moves, at); return false; }
    this.perform(moves[0]);
    this.play(moves[0]);
    return true;
  }

  /** Which of several moves to the same cell: a row of choices on that cell. */
  ask(moves, at) {
    const menu = h('dialog', { class: 'chooser', 'aria-label': 'Which move?' },
      moves.toReversed().map((move) => h('button', { 'aria-label': move.text, onclick: () => { menu.close(); this.perform(move); this.play(move); } }, // chess lists the queen last
        this.glyph(move), h('span', {}, move.text))));
    menu.addEventListener('close', () => { menu.remove(); if (!this.performed) { this.chosen = []; this.drop(); this.paint(); } });
    menu.addEventListener('click', (event) => { if (event.target === menu) menu.close(); });
    this.place.append(menu);
    menu.showModal();
    const [cell, box] = [(this.cells.get(at.join()) ?? this.place).getBoundingClientRect(), menu.getBoundingClientRect()];
    menu.style.setProperty('left', `${Math.max(4, Math.min(cell.left, innerWidth - box.width - 4))}px`);
    menu.style.setProperty('top', `${Math.max(4, Math.min(cell.top, innerHeight - box.height - 4))}px`);
  }

  /** The piece that a move puts on the board, as a small picture. */
  glyph(move) {
    const told = this.view.glyphs[move.action];
    return told ? face(told) : '';
  }

  /** Show a move before the server has answered: the piece goes where it is put. */
  perform(move) {
    this.performed = true;
    this.chosen = [];
    this.arrows = [];
    const { svg } = this;
    if (!svg) return;
    const [from, to] = [move.path[0], move.path.at(-1)];
    let piece = svg.querySelector(`.piece[data-at="${from}"]`);
    if (move.path.length === 1) piece = this.dropped(svg, move);
    else if (piece) {
      svg.querySelector(`.piece[data-at="${to}"]`)?.remove();
      const places = move.path.map((cell) => middle(svg, cell));
      piece.setAttribute('data-at', to.join());
      piece.setAttribute('transform', `translate(${places.at(-1).x} ${places.at(-1).y})`);
      if (!this.held?.moving) slide(piece, places);
      piece.classList.remove('held');
    }
    for (const cell of this.cells.values()) cell.classList.remove('last', 'taken', 'chosen', 'free');
    for (const cell of move.path) this.cells.get(cell.join())?.classList.add('last');
    this.held = null;
    this.overlay.replaceChildren();
    svg.append(this.overlay);
  }

  /**
   * The piece that a move puts on the board; null where it cannot be told.
   * @param {SVGSVGElement} svg
   * @param {Move} move
   */
  dropped(svg, move) {
    const told = this.view.glyphs[move.action] ?? Object.values(this.view.glyphs)[0];
    const place = middle(svg, move.path[0]);
    if (!told || !place || svg.querySelector(`.piece[data-at="${move.path[0]}"]`)) return null;
    const made = piece(told, { 'data-at': move.path[0].join(), transform: `translate(${place.x} ${place.y})` });
    svg.append(made);
    if (this.view.style === 'frame') slide(made, [{ x: place.x, y: 10 }, place]);
    return made;
  }

  // --- moving ahead of time ---

  /** While the other side thinks: a piece and where it shall go, or where one shall be put; the same again forgets it. */
  chooseAhead(at) {
    if (this.side < 0) return false;
    const puts = this.view.legal.some((move) => move.path.length === 1);
    const mine = this.svg?.querySelector(`.piece.${this.side ? 'min' : 'max'}[data-at="${at}"]`);
    if (this.chosen.length && !same(this.chosen[0], at)) {
      this.premove = [this.chosen[0], at];
      this.chosen = [];
    } else if (puts) {
      this.premove = this.premove && same(this.premove[0], at) ? null : [at];
    } else {
      this.premove = null;
      this.chosen = mine && !this.chosen.length ? [at] : [];
    }
    this.paint();
    return false;
  }

  /** @param {number[][]} premove */
  playAhead(premove) {
    this.premove = null;
    const fits = (path) => (premove.length === 1 ? path.length === 1 && this.hits(path[0], premove[0]) : path.length > 1 && same(path[0], premove[0]) && same(path.at(-1), premove[1]));
    const moves = this.view.legal.filter((move) => fits(move.path));
    this.paint();
    if (moves.length) setTimeout(() => { if (this.free && !this.performed) this.finish(moves.slice(-1), premove.at(-1)); }, 60);
  }

  // --- mouse, finger, keyboard ---

  /** The cell under a pointer, whichever pieces still slide across it. */
  cellAt(event) {
    /** @type {SVGElement | null | undefined} */
    const under = document.elementsFromPoint(event.clientX, event.clientY).map((one) => /** @type {SVGElement | null} */ (one.closest('.cell'))).find(Boolean);
    return under && this.svg?.contains(under) ? parse(under.dataset.at) : null;
  }

  down(event) {
    const at = this.cellAt(event);
    if (event.button === 2) { this.drawing = at; return; }
    const { svg } = this;
    if (!svg || !at || event.button) return;
    event.preventDefault();
    if (svg.contains(document.activeElement)) /** @type {SVGElement} */ (document.activeElement).blur(); // arrow keys go through the moves again
    if (this.own.size) { this.own.clear(); this.paint(); }
    this.focusOn(at.join());
    const was = this.chosen.length && same(this.chosen[0], at);
    if (!was) this.choose(at);
    if (this.chosen.length === 1 && same(this.chosen[0], at)) {
      this.hold(svg, at, svg.querySelector(`.piece[data-at="${at}"]`), event, was);
    }
  }

  /**
   * Take a piece into the hand.
   * @param {SVGSVGElement} svg
   * @param {number[]} at
   * @param {Element | null} piece
   * @param {PointerEvent} event
   * @param {boolean | number} [was]
   */
  hold(svg, at, piece, event, was) {
    this.held = { at, was, piece, from: piece?.getAttribute('transform') ?? '', x: event.clientX, y: event.clientY };
    svg.setPointerCapture?.(event.pointerId);
  }

  drag(event) {
    const { held, svg } = this;
    const shown = svg?.getScreenCTM();
    if (!held || !svg || !shown) return;
    if (!held.moving && Math.hypot(event.clientX - held.x, event.clientY - held.y) < 6) return;
    held.moving = true;
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(shown.inverse());
    if (held.piece) {
      svg.append(held.piece);
      held.piece.classList.add('held');
      held.piece.setAttribute('transform', `translate(${point.x} ${point.y})`);
    }
  }

  up(event) {
    if (event.button === 2) return this.mark(this.cellAt(event));
    const { held } = this;
    if (!held) return;
    const at = this.cellAt(event);
    if (held.moving) {
      const made = at && !same(at, held.at) && this.choose(at);
      if (!made && !this.place.querySelector('.chooser')) this.drop();
    } else {
      this.drop();
      if (held.was) this.choose(held.at);
    }
  }

  drop() {
    const { held } = this;
    this.held = null;
    if (!held?.piece) return;
    held.piece.classList.remove('held');
    held.piece.setAttribute('transform', held.from);
    this.svg?.append(this.overlay);
  }

  /** An arrow or a circle of the user's own, by the right button; the same again takes it away. */
  mark(to) {
    if (!this.drawing || !to) return;
    const key = JSON.stringify(same(this.drawing, to) ? [to] : [this.drawing, to]);
    if (!this.own.delete(key)) this.own.add(key);
    this.paint();
  }

  key(event) {
    const steps = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      this.choose(parse(this.focus));
    } else if (steps[event.key]) {
      event.preventDefault();
      event.stopPropagation();
      this.step(...steps[event.key]);
    }
  }

  /** Forget what was chosen, also for later, and take back a play that is only begun. */
  letGo() {
    if (this.plays.made.length) return this.plays.reset();
    this.chosen = [];
    this.plays.from = '';
    this.premove = null;
    this.drop();
    this.paint();
  }

  /** Move the focus to the nearest cell in a direction, as the board is drawn. */
  step(dx, dy) {
    const here = this.middle(parse(this.focus));
    let best = '';
    let least = Infinity;
    for (const at of this.cells.keys()) {
      const there = this.middle(parse(at));
      const along = (there.x - here.x) * dx + (there.y - here.y) * dy;
      const aside = Math.abs((there.x - here.x) * dy) + Math.abs((there.y - here.y) * dx);
      if (along > 1 && along + 3 * aside < least) [best, least] = [at, along + 3 * aside];
    }
    if (!best) return;
    this.focusOn(best);
    this.cells.get(best)?.focus();
  }

  /** The cell where the keyboard enters the board. */
  focusOn(at) {
    this.cells.get(this.focus)?.setAttribute('tabindex', '-1');
    this.cells.get(at)?.setAttribute('tabindex', '0');
    this.focus = at;
  }

  // --- what is drawn on top ---

  middle(at) {
    return middle(this.svg, at) ?? { x: 0, y: 0 };
  }

  paint() {
    if (!this.svg) return;
    const going = this.chosen.length && this.free ? this.candidates() : [];
    const moves = this.free ? this.view.legal.filter((m) => m.path.length) : [];
    const starts = this.free && this.plays.active ? this.plays.starts() : new Set(moves.map((m) => m.path[0].join()));
    const ends = this.plays.from ? new Set(this.plays.targets().keys()) : new Set(going.map((move) => move.path.at(-1).join()));
    const next = new Set(going.map((move) => move.path[this.chosen.length]?.join()).filter(Boolean));
    const drops = this.view.style !== 'lines' && this.view.legal.some((m) => m.path.length === 1); // a Go board would be all dots
    const dots = [];
    for (const [at, cell] of this.cells) {
      const chosen = this.chosen.some((c) => c.join() === at) || this.plays.from === at;
      const target = ends.has(at) || next.has(at);
      cell.classList.toggle('chosen', chosen);
      cell.classList.toggle('free', starts.has(at) && !this.chosen.length);
      const can = chosen ? ', chosen' : target ? ', target' : starts.has(at) ? ', can move' : '';
      cell.setAttribute('aria-label', cell.dataset.says + can);
      const { x, y } = this.middle(parse(at));
      if (target) {
        const full = this.svg.querySelector(`.piece[data-at="${at}"]`);
        dots.push(s('circle', { class: full ? 'target full' : 'target', cx: x, cy: y, r: full ? 27 : 9 }));
      } else if (starts.has(at) && !this.chosen.length && drops) {
        dots.push(s('circle', { class: 'drop', cx: x, cy: y, r: this.view.style === 'pits' ? 27 : 6 }));
      }
    }
    const arrows = [...this.arrows, ...(this.premove ? [{ path: this.premove, rank: 0, kind: 'ahead' }] : []),
      ...[...this.own].map((text) => ({ path: JSON.parse(text), rank: 0, kind: 'own' }))];
    this.overlay.replaceChildren(...dots, ...arrows.map((arrow) => marked(arrow, (at) => this.middle(at))).filter(Boolean));
  }

  /** Arrows: [{path, rank}], the best has rank 0. */
  point(arrows) {
    this.arrows = arrows;
    this.paint();
  }
}
