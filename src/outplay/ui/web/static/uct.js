// The tree that UCT grows: of every child its visits N, its mean reward Q and its upper confidence bound, and the
// path of each iteration.

import { s } from './dom.js';
import { TreeView } from './tree.js';

export class UctView extends TreeView {
  constructor(select) {
    super(select);
    /** @type {number[][][]} */
    this.figures = []; // of every node: [step, visits, mean, proven value]
    /** @type {number[]} */
    this.begins = []; // of each step, the first step of its iteration
    /** @type {Set<number> | null} */
    this.pathCache = null;
  }

  timeline() {
    const never = this.steps.length + 1;
    const count = this.nodes.length;
    this.entered = new Int32Array(count).fill(never);
    this.entered[0] = 0;
    this.left = this.cutAt = this.prunedAt = new Int32Array(count).fill(never);
    this.windows = Array.from({ length: count }, () => []);
    this.figures = Array.from({ length: count }, () => []);
    this.cutoffs = []; // where iterations end: what one jumps to
    this.begins = [];
    let begin = 0;
    this.steps.forEach(([kind, i, ...said], at) => {
      if (kind === 'iteration') { begin = at; if (at) this.cutoffs.push(at); }
      if (kind === 'expand') this.entered[i] = at + 1;
      if (kind === 'backup') this.figures[i].push([at + 1, ...said]);
      this.begins.push(begin);
    });
    this.cutoffs.push(this.steps.length);
  }

  inner(i) {
    return this.nodes[i].who !== 'leaf';
  }

  windowed() {
    return true;
  }

  goTo(t) {
    this.pathCache = null;
    super.goTo(t);
  }

  /** The nodes that the iteration has gone through by now. */
  onPath() {
    if (this.pathCache) return this.pathCache;
    this.pathCache = new Set();
    if (this.step > 0 && this.step < this.steps.length) {
      for (let at = this.begins[this.step - 1]; at < this.step; at += 1) this.pathCache.add(this.steps[at][1]);
    }
    return this.pathCache;
  }

  status(i) {
    if (this.entered[i] > this.step) return 'unseen';
    return this.onPath().has(i) ? 'open' : 'done';
  }

  known(i) {
    /** @type {{visits: number, mean: number, proven: number | null} | null} */
    let found = null;
    for (const one of this.figures[i]) {
      if (one[0] > this.step) break;
      found = { visits: one[1], mean: one[2], proven: one[3] };
    }
    return found;
  }

  /** v + C sqrt(ln N / n), as the parent sees the child now. */
  ucb(i) {
    const { up } = this.nodes[i];
    const [child, parent] = [this.known(i), up >= 0 && this.known(up)];
    if (!child || !parent || this.nodes[up].who === 'chance') return null;
    return child.mean + this.data.c * Math.sqrt(Math.log(parent.visits) / child.visits);
  }

  text(i) {
    return String(this.known(i)?.visits ?? '');
  }

  beside(i, inner) {
    const known = this.known(i);
    if (!known) return [];
    const ucb = this.ucb(i);
    const lines = [known.proven === null || known.proven === undefined ? `Q ${known.mean.toFixed(2)}` : `= ${known.proven.toFixed(2)}`];
    if (ucb !== null) lines.push(`U ${ucb.toFixed(2)}`);
    return lines.map((line, n) => (inner
      ? s('text', { class: 'window', x: this.half + 5, y: -6 + 14 * n }, line)
      : s('text', { class: 'window', y: 28 + 13 * n, 'text-anchor': 'middle' }, line)));
  }

  counts() {
    let visited = 0;
    for (const at of this.entered) if (at <= this.step) visited += 1;
    return { visited, leaves: 0, pruned: 0, cutoffs: 0 };
  }

  /** The line above the tree. */
  heading() {
    const done = this.steps.slice(0, this.step).filter(([kind]) => kind === 'iteration').length;
    return `uct: iteration ${done} of ${this.data.iterations}, ${this.counts().visited} nodes in the tree · N in each node, Q its mean for the player who moved there, U its upper confidence bound`;
  }

  words(t = this.step) {
    if (t === 0) return 'The tree is only its root.';
    const [kind, i, ...said] = this.steps[t - 1];
    const name = this.name(i);
    if (kind === 'iteration') return `Iteration ${said[0]} begins at the root.`;
    if (kind === 'select') {
      return said[3] !== null && said[3] !== undefined ? `Chance falls on ${name}.`
        : `Selection: ${name} has the greatest upper confidence bound, ${said[2].toFixed(3)} (N ${said[0]}, Q ${said[1].toFixed(3)}).`;
    }
    if (kind === 'expand') return `Expansion: ${name} is added to the tree.`;
    if (kind === 'simulate') return `Simulation: ${said[0] ? `${said[0]} random plies from ${name}` : `${name} is decided`}, reward ${said[1].toFixed(2)} for MAX.`;
    return `Back-up at ${name}: N ${said[0]}, Q ${said[1].toFixed(3)}${said[2] === null || said[2] === undefined ? '' : `, proven ${said[2].toFixed(2)}`}.`;
  }

  summary(i) {
    const known = this.known(i);
    if (!known) return 'not in the tree yet';
    const ucb = this.ucb(i);
    return `${this.nodes[i].who}, N ${known.visits}, Q ${known.mean.toFixed(3)}${ucb === null ? '' : `, upper confidence bound ${ucb.toFixed(3)}`}`;
  }

  facts(i) {
    const known = this.known(i);
    const ucb = this.ucb(i);
    return known ? [['visits N', String(known.visits)], ['mean Q', known.mean.toFixed(3)], ['bound U', ucb === null ? '' : ucb.toFixed(3)],
      ['proven', known.proven === null || known.proven === undefined ? '' : known.proven.toFixed(2)]] : [];
  }
}
