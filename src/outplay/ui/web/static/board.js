// A board that can be played on, with mouse, finger or keyboard. The picture comes from the server; a move is
// known by its path, the cells it goes through, so that this works for every game.

import { h, s, picture } from './dom.js';

const LARGEST = 2.4; // how much a picture is enlarged
const same = (a, b) => a[0] === b[0] && a[1] === b[1];
const parse = (text) => text.split(',').map(Number);

export class BoardView {
  /** `play(move)` is called when the user has chosen one. */
  constructor(place, play) {
    this.place = place;
    this.play = play;
    this.chosen = []; // cells chosen so far
    this.focus = null;
    this.arrows = [];
  }

  /** Show a position; `free` says whether the user may move. */
  show(view, free) {
    this.view = view;
    this.free = free;
    this.chosen = [];
    const focused = this.svg?.contains(document.activeElement);
    this.pressing ||= this.place.contains(document.activeElement) && !focused; // a move's button, which goes now
    this.place.replaceChildren();
    this.svg = null;
    if (view.svg) {
      this.svg = picture(view.svg);
      this.svg.removeAttribute('width');
      this.svg.removeAttribute('height');
      this.svg.style.setProperty('max-width', `${LARGEST * Number(this.svg.getAttribute('viewBox').split(' ')[2])}px`);
      this.place.append(this.svg);
      this.cells = new Map([...this.svg.querySelectorAll('.cell')].map((cell) => [cell.dataset.at, cell]));
      this.overlay = s('g', { class: 'overlay' });
      this.svg.append(this.overlay);
      this.listen();
      this.paint();
      if (focused) this.cells.get(this.focus)?.focus();
    }
    if (!view.svg) this.place.append(h('p', { class: 'words' }, view.note || view.text));
    this.buttons();
  }

  /** Moves that are not on the board: passes, rolls, and all moves of a game without one. */
  buttons() {
    const loose = this.view.legal.filter((move) => !move.path.length || !this.svg);
    if (!loose.length || !this.free) return;
    const buttons = loose.map((move) => h('button', { onclick: () => this.play(move) }, move.text));
    this.place.append(h('div', { class: 'moves-as-buttons', role: 'group', 'aria-label': 'Moves' }, buttons));
    if (this.pressing && [document.body, null].includes(document.activeElement)) buttons[0].focus({ preventScroll: true });
    this.pressing = false;
  }

  listen() {
    const { svg } = this;
    svg.setAttribute('role', 'group');
    svg.setAttribute('aria-label', `Board. ${this.view.note}`);
    if (!this.cells.size) return;
    for (const [at, cell] of this.cells) {
      cell.setAttribute('role', 'button');
      cell.setAttribute('tabindex', '-1');
      cell.addEventListener('focus', () => { this.focus = at; });
    }
    if (!this.cells.has(this.focus)) this.focus = this.cells.keys().next().value;
    this.cells.get(this.focus).setAttribute('tabindex', '0');
    svg.addEventListener('keydown', (event) => this.key(event));
    svg.addEventListener('pointerdown', (event) => this.down(event));
    svg.addEventListener('pointermove', (event) => this.drag(event));
    svg.addEventListener('pointerup', (event) => this.up(event));
    svg.addEventListener('pointercancel', () => this.drop());
  }

  // --- choosing a move ---

  /** The moves whose path begins with the chosen cells. */
  candidates(chosen = this.chosen) {
    return this.view.legal.filter((move) => move.path.length && chosen.every((at, i) => same(move.path[i] ?? [-1, -1], at)));
  }

  /** A cell was chosen: begin a move, go on with it, or end it. */
  choose(at) {
    if (!this.free) return;
    if (this.chosen.length) {
      const going = this.candidates();
      const ends = going.filter((move) => same(move.path.at(-1), at));
      if (ends.length && !same(this.chosen.at(-1), at)) return this.finish(ends);
      const longer = this.candidates([...this.chosen, at]);
      if (longer.length) {
        this.chosen.push(at);
        return this.paint();
      }
    }
    const again = this.chosen.length === 1 && same(this.chosen[0], at);
    this.chosen = [];
    if (!again) {
      const drops = this.view.legal.filter((move) => move.path.length === 1 && this.hits(move.path[0], at));
      if (drops.length) return this.finish(drops);
      if (this.candidates([at]).length) this.chosen = [at];
    }
    this.paint();
  }

  /** Whether a click there means a move to this cell: in a frame the whole column does. */
  hits(target, at) {
    return this.view.style === 'frame' ? target[1] === at[1] : same(target, at);
  }

  finish(moves) {
    if (moves.length === 1) return this.play(moves[0]);
    const menu = h('dialog', { class: 'chooser', 'aria-label': 'Which move?' },
      h('p', {}, 'Which move?'),
      moves.toReversed().map((move) => h('button', { onclick: () => { menu.close(); this.play(move); } }, move.text))); // chess lists the queen last
    menu.addEventListener('close', () => { menu.remove(); this.chosen = []; this.paint(); });
    this.place.append(menu);
    menu.showModal();
  }

  // --- mouse, finger, keyboard ---

  cellAt(event) {
    const under = document.elementFromPoint(event.clientX, event.clientY)?.closest('[data-at]');
    return under && this.svg.contains(under) ? parse(under.dataset.at) : null;
  }

  down(event) {
    const at = this.cellAt(event);
    if (!at || event.button) return;
    event.preventDefault();
    this.cells.get(at.join())?.focus({ preventScroll: true });
    const was = this.chosen.length && same(this.chosen[0], at);
    if (!was) this.choose(at);
    if (this.chosen.length === 1 && same(this.chosen[0], at)) {
      const piece = this.svg.querySelector(`.piece[data-at="${at}"]`);
      this.held = { at, was, piece, from: piece?.getAttribute('transform'), x: event.clientX, y: event.clientY };
      this.svg.setPointerCapture?.(event.pointerId);
    }
  }

  drag(event) {
    const { held } = this;
    if (!held) return;
    if (!held.moving && Math.hypot(event.clientX - held.x, event.clientY - held.y) < 6) return;
    held.moving = true;
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    if (held.piece) {
      this.svg.append(held.piece);
      held.piece.classList.add('held');
      held.piece.setAttribute('transform', `translate(${point.x} ${point.y})`);
    }
  }

  up(event) {
    const { held } = this;
    if (!held) return;
    this.drop();
    const at = this.cellAt(event);
    if (held.moving) {
      if (at && !same(at, held.at)) this.choose(at);
    } else if (held.was) {
      this.choose(held.at);
    }
  }

  drop() {
    const { held } = this;
    this.held = null;
    if (!held?.piece) return;
    held.piece.classList.remove('held');
    held.piece.setAttribute('transform', held.from);
    this.svg.append(this.overlay);
  }

  key(event) {
    const steps = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      this.choose(parse(this.focus));
    } else if (event.key === 'Escape' && this.chosen.length) {
      this.chosen = [];
      this.paint();
    } else if (steps[event.key]) {
      event.preventDefault();
      event.stopPropagation();
      this.step(...steps[event.key]);
    }
  }

  /** Move the focus to the nearest cell in a direction, as the board is drawn. */
  step(dx, dy) {
    const here = this.middle(parse(this.focus));
    let best = null;
    let least = Infinity;
    for (const at of this.cells.keys()) {
      const there = this.middle(parse(at));
      const along = (there.x - here.x) * dx + (there.y - here.y) * dy;
      const aside = Math.abs((there.x - here.x) * dy) + Math.abs((there.y - here.y) * dx);
      if (along > 1 && along + 3 * aside < least) [best, least] = [at, along + 3 * aside];
    }
    if (!best) return;
    this.cells.get(this.focus).setAttribute('tabindex', '-1');
    this.cells.get(best).setAttribute('tabindex', '0');
    this.cells.get(best).focus();
  }

  // --- what is drawn on top ---

  middle(at) {
    const square = this.cells.get(at.join())?.querySelector('.square');
    if (!square) return { x: 0, y: 0 };
    const [x, y, w, t] = ['x', 'y', 'width', 'height'].map((name) => Number(square.getAttribute(name)));
    return { x: x + w / 2, y: y + t / 2 };
  }

  paint() {
    if (!this.svg) return;
    const going = this.chosen.length ? this.candidates() : [];
    const starts = new Set(this.free ? this.view.legal.filter((m) => m.path.length).map((m) => m.path[0].join()) : []);
    const ends = new Set(going.map((move) => move.path.at(-1).join()));
    const next = new Set(going.map((move) => move.path[this.chosen.length]?.join()).filter(Boolean));
    const drops = this.view.style !== 'lines' && this.view.legal.some((m) => m.path.length === 1); // a Go board would be all dots
    const marks = [];
    for (const [at, cell] of this.cells) {
      const chosen = this.chosen.some((c) => c.join() === at);
      const target = ends.has(at) || next.has(at);
      cell.classList.toggle('chosen', chosen);
      cell.classList.toggle('free', starts.has(at) && !this.chosen.length);
      const can = chosen ? ', chosen' : target ? ', target' : starts.has(at) ? ', can move' : '';
      cell.setAttribute('aria-label', cell.dataset.says + can);
      const { x, y } = this.middle(parse(at));
      if (target) {
        const full = this.svg.querySelector(`.piece[data-at="${at}"]`);
        marks.push(s('circle', { class: full ? 'target full' : 'target', cx: x, cy: y, r: full ? 27 : 9 }));
      } else if (starts.has(at) && !this.chosen.length && drops) {
        marks.push(s('circle', { class: 'drop', cx: x, cy: y, r: this.view.style === 'pits' ? 27 : 6 }));
      }
    }
    this.overlay.replaceChildren(...marks, ...this.arrows.map((arrow) => this.arrow(arrow)).filter(Boolean));
  }

  /** Arrows: [{path, rank}], the best has rank 0. */
  point(arrows) {
    this.arrows = arrows;
    this.paint();
  }

  arrow({ path, rank, kind }) {
    if (!path?.length) return null;
    const to = this.middle(path.at(-1));
    if (path.length === 1) return s('circle', { class: `arrow ring ${kind || ''} rank-${rank}`, cx: to.x, cy: to.y, r: 20 });
    const from = this.middle(path[0]);
    const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
    const [ux, uy] = [(to.x - from.x) / length, (to.y - from.y) / length];
    const tip = { x: to.x - 6 * ux, y: to.y - 6 * uy };
    const neck = { x: tip.x - 18 * ux, y: tip.y - 18 * uy };
    const head = `M${tip.x} ${tip.y}L${neck.x - 11 * uy} ${neck.y + 11 * ux}L${neck.x + 11 * uy} ${neck.y - 11 * ux}Z`;
    return s('g', { class: `arrow ${kind || ''} rank-${rank}` },
      s('path', { class: 'shaft', d: `M${from.x + 8 * ux} ${from.y + 8 * uy}L${neck.x} ${neck.y}` }),
      s('path', { class: 'head', d: head }));
  }
}
