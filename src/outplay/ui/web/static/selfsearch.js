// Alpha-beta at work on a small tree, over and over: what the first sight shows of a search. The values are searched
// here, in the browser; a click opens the same tree step by step.

import { h, s } from './dom.js';

const BOOK = [[3, 12, 8], [2, 4, 6], [14, 5, 2]]; // the tree of the textbook comes first
const BEAT = 620; // milliseconds
const REST = 5; // beats at the end
const [MIDDLE, LEFT, STEP] = [236, 36, 50];

/** @typedef {{at: string, kind: 'open' | 'done' | 'cut', value?: number, says: string}} Event something that the search does */

/** What alpha-beta does on a tree of two plies, MAX to move. */
export function* events(/** @type {number[][]} */ tree) {
  let alpha = -Infinity;
  yield /** @type {Event} */ ({ at: 'root', kind: 'open', says: 'MAX wants the largest value' });
  for (const [i, leaves] of tree.entries()) {
    let value = Infinity;
    yield /** @type {Event} */ ({ at: `${i}`, kind: 'open', says: i ? `α = ${alpha}: can this branch beat it?` : 'MIN wants the smallest' });
    for (const [j, leaf] of leaves.entries()) {
      value = Math.min(value, leaf);
      yield /** @type {Event} */ ({ at: `${i}.${j}`, kind: 'done', value: leaf, says: value === leaf ? `β = ${value}` : `${leaf} is no better for MIN` });
      if (value <= alpha && j < leaves.length - 1) {
        yield /** @type {Event} */ ({ at: `${i}`, kind: 'cut', value, says: `${value} ≤ ${alpha}: cutoff, the rest cannot matter` });
        break;
      }
    }
    yield /** @type {Event} */ ({ at: `${i}`, kind: 'done', value, says: `this branch is worth ${value <= alpha ? 'at most ' : ''}${value}` });
    alpha = Math.max(alpha, value);
  }
  yield /** @type {Event} */ ({ at: 'root', kind: 'done', value: alpha, says: `the tree is worth ${alpha}` });
}

export class SelfSearch {
  constructor() {
    this.tree = BOOK;
    /** @type {Event[]} */
    this.under = []; // what is still to come
    this.rest = 0; // beats since the end
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this.beating = undefined;
    this.svg = s('svg', { class: 'self-search', viewBox: '0 0 472 214', 'aria-hidden': 'true' });
    this.says = h('span', { class: 'self-says', 'aria-hidden': 'true' });
    this.node = h('a', { class: 'self', 'data-door': 'self', 'aria-label': 'Alpha-beta at work: see every step' }, this.svg, this.says);
    this.begin();
  }

  begin() {
    this.rest = 0;
    this.under = [...events(this.tree)];
    this.node.setAttribute('href', `#tree?game=tree&search=alphabeta&start=${JSON.stringify(this.tree)}&play=1`);
    this.svg.replaceChildren(...drawn(this.tree));
    this.says.textContent = 'Alpha-beta, searching';
  }

  /** Show a whole search at once: for those who want no motion. */
  finish() {
    this.tree = BOOK;
    this.begin();
    this.under.splice(0).forEach((event) => this.show(event));
  }

  start() {
    clearInterval(this.beating);
    this.beating = setInterval(() => { if (!document.hidden) this.step(); }, BEAT);
  }

  stop() {
    clearInterval(this.beating);
  }

  step() {
    const event = this.under.shift();
    if (event) return this.show(event);
    this.rest += 1;
    if (this.rest < REST) return;
    this.tree = BOOK.map((leaves) => leaves.map(() => 1 + Math.floor(15 * Math.random())));
    this.begin();
  }

  /** @param {Event} event */
  show({ at, kind, value, says }) {
    this.says.textContent = says;
    const node = this.svg.querySelector(`[data-at="${at}"]`);
    if (!node) return;
    if (kind === 'cut') {
      for (const one of this.svg.querySelectorAll(`[data-up="${at}"]:not(.done)`)) one.classList.add('pruned');
      return;
    }
    node.classList.add(kind);
    const number = node.querySelector('text');
    if (kind === 'done' && number) number.textContent = String(value);
  }
}

/** The tree before anything is searched. */
function drawn(/** @type {number[][]} */ tree) {
  const x = (/** @type {number} */ i, /** @type {number} */ j) => LEFT + STEP * (3 * i + j);
  const node = (/** @type {string} */ at, /** @type {string} */ kind, /** @type {number[]} */ [px, py, qx, qy], /** @type {Element} */ shape, /** @type {string} */ text, up = '') => s('g', { class: `self-node ${kind}`, 'data-at': at, 'data-up': up },
    py ? s('path', { class: 'self-edge', d: `M${px} ${py}L${qx} ${qy}` }) : '', shape, s('text', { x: qx, y: qy + (kind === 'leaf' ? 5 : kind === 'max' ? 12 : 2) }, text));
  const triangle = (/** @type {number} */ px, /** @type {number} */ py, /** @type {number} */ up) => s('path', { class: 'self-shape', d: `M${px} ${py - 22 * up}L${px + 24} ${py + 18 * up}H${px - 24}Z` });
  return [
    ...tree.flatMap((leaves, i) => leaves.map((leaf, j) => node(`${i}.${j}`, 'leaf', [x(i, 1), 122, x(i, j), 188], s('rect', { class: 'self-shape', x: x(i, j) - 18, y: 174, width: 36, height: 28, rx: 7 }), String(leaf), `${i}`))),
    ...tree.map((_, i) => node(`${i}`, 'min', [MIDDLE, 46, x(i, 1), 104], triangle(x(i, 1), 104, -1), '')),
    node('root', 'max', [MIDDLE, 0, MIDDLE, 30], triangle(MIDDLE, 30, 1), ''),
  ];
}
