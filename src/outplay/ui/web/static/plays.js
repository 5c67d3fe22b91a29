// Plays of several moves (backgammon), chosen on the board checker by checker: click where it stands, then where it goes.
// What is left of the list of plays shrinks with every move. A click on the same point again bears a checker off.

import { middle, slide } from './motion.js';

/** @typedef {[number, number]} Cell row and column */
/** @typedef {[Cell, Cell]} Step from a cell to a cell */

const OFF = '-1,-1';
const BAR = 6; // its column
const HIGH = 4; // the highest place on a point

/**
 * The lowest cell of the point that a cell belongs to; nothing between the points.
 * @param {Cell} at
 */
function point([row, column]) {
  if (row === 5) return '';
  if (column === BAR) return row < 5 ? '4,6' : '6,6';
  return `${row < 5 ? 0 : 10},${column}`;
}

/**
 * What is left of a way when some steps were made; null where it does not have them.
 * @param {Step[]} way
 * @param {Step[]} made
 */
function left(way, made) {
  const rest = [...way];
  for (const step of made) {
    const at = rest.findIndex((one) => one.join() === step.join());
    if (at < 0) return null;
    rest.splice(at, 1);
  }
  return rest;
}

export class Plays {
  constructor(board) {
    this.board = board;
    this.begin();
  }

  begin() {
    /** @type {Step[]} */
    this.made = [];
    this.from = '';
  }

  get active() {
    return this.board.view?.legal.some((move) => move.ways?.length);
  }

  /** The plays that go on from the moves that were made. */
  candidates() {
    const { legal } = this.board.view;
    return this.made.length ? legal.filter((move) => move.ways?.some((way) => left(way, this.made))) : legal;
  }

  /** Where checkers may start from. */
  starts() {
    return new Set(this.rests().flatMap((rest) => rest.map(([from]) => from.join())));
  }

  /** What is left of all ways that are still possible. */
  rests() {
    return this.candidates().flatMap((move) => move.ways ?? []).map((way) => left(way, this.made)).filter(Boolean);
  }

  /** Where a checker of a point may go, by the steps that lead there. */
  targets(from = this.from) {
    const found = new Map();
    for (const rest of from ? this.rests() : []) {
      const steps = [];
      for (let here = from, step; (step = rest.find((one) => one[0].join() === here && !steps.includes(one))); here = step[1].join()) {
        steps.push(step);
        const known = found.get(step[1].join());
        if (!known || known.length > steps.length) found.set(step[1].join(), [...steps]);
      }
    }
    return found;
  }

  /** A cell was chosen. Whether that completed a play. */
  choose(at) {
    const here = point(at);
    const targets = this.targets();
    const steps = here === this.from ? targets.get(OFF) : targets.get(here);
    if (this.from && steps) return this.make(steps);
    this.from = here !== this.from && this.starts().has(here) ? here : '';
    this.board.paint();
    return false;
  }

  make(steps) {
    this.from = '';
    this.made.push(...steps);
    const done = this.candidates().filter((move) => move.ways?.some((way) => left(way, this.made)?.length === 0));
    for (const step of steps) this.move(step);
    if (done.length) {
      this.board.performed = true;
      this.board.play(done[0]);
      return true;
    }
    this.board.buttons();
    this.board.paint();
    return false;
  }

  /** Begin the play anew, with the board as it was. */
  reset() {
    const { board } = this;
    board.show(board.view, board.free, { side: board.side });
  }

  /** The checkers on a point, the lowest first. */
  stack(at) {
    const [row] = at.split(',').map(Number);
    return [...this.board.svg.querySelectorAll('.piece')]
      .filter((piece) => point(piece.dataset.at.split(',').map(Number)) === at)
      .sort((a, b) => Math.abs(a.dataset.at.split(',')[0] - row) - Math.abs(b.dataset.at.split(',')[0] - row));
  }

  /** Show a step: the topmost checker goes, and a blot that is hit goes to the bar. */
  move([from, to]) {
    const { svg } = this.board;
    const checker = this.stack(from.join()).at(-1);
    if (!checker) return;
    if (to.join() === OFF) { checker.remove(); return; }
    const there = this.stack(to.join());
    const mine = (piece) => piece.classList.contains('max') === checker.classList.contains('max');
    if (there.length === 1 && !mine(there[0])) this.put(there.pop(), checker.classList.contains('max') ? '4,6' : '6,6');
    this.put(checker, to.join(), there.length);
    svg.append(this.board.overlay);
  }

  put(checker, at, height = this.stack(at).length) {
    const { svg } = this.board;
    const [row, column] = at.split(',').map(Number);
    const up = column === BAR ? (row === 6 ? 1 : -1) : (row === 10 ? -1 : 1);
    const cell = [row + up * Math.min(height, HIGH), column];
    const [here, there] = [middle(svg, checker.dataset.at), middle(svg, cell)];
    if (!here || !there) return;
    checker.setAttribute('data-at', cell.join());
    checker.setAttribute('transform', `translate(${there.x} ${there.y})`);
    svg.append(checker);
    slide(checker, [here, there]);
  }
}
