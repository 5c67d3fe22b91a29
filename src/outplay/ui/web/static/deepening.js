// Iterative deepening, depth by depth: the tree of each depth, what it found, and what all of them together cost.

import { h } from './dom.js';

const DEEPEST = 8;

export class Deepening {
  /** @param {any} page the TreePage */
  constructor(page) {
    this.page = page;
    /** @type {any[]} */
    this.found = []; // the trees, by depth
    this.at = 0;
    this.box = h('input', { type: 'checkbox', id: 'tree-deepening', onchange: () => page.grow() });
    this.node = h('table', { class: 'depths', hidden: true });
  }

  get on() {
    return this.box.checked;
  }

  forget() {
    this.found = [];
    this.node.hidden = true;
  }

  /**
   * The trees of all depths up to the one that is asked for, or until deepening changes nothing.
   * @param {string} search
   */
  async grow(search) {
    const { page } = this;
    const most = Math.min(DEEPEST, Number(page.depth.value) || DEEPEST);
    this.found = [];
    for (let depth = 1; depth <= most; depth += 1) {
      page.waiting.textContent = `depth ${depth}…`;
      const tree = await page.told(search, { depth });
      const whole = this.found.length && tree.nodes.length === this.found.at(-1).nodes.length && deepest(tree) < depth;
      if (whole) break;
      this.found.push(tree);
    }
    this.at = 0;
    return this.found[0];
  }

  /** The table, with the depth lit that is shown. */
  show() {
    this.node.hidden = this.found.length < 2;
    let sum = 0;
    const rows = this.found.map((tree, n) => {
      sum += tree.work.nodes;
      const best = tree.nodes.find((node) => node.up === 0 && node.principal);
      const cells = [tree.nodes[0].value, best?.name ?? '', tree.work.nodes.toLocaleString('en'), sum.toLocaleString('en')];
      return h('tr', { 'aria-current': n === this.at ? 'true' : null }, h('th', { scope: 'row' }, h('button', { 'data-depth': n + 1, onclick: () => this.load(n) }, `depth ${n + 1}`)), cells.map((cell) => h('td', {}, cell)));
    });
    const share = sum ? Math.round((100 * this.found.at(-1).work.nodes) / sum) : 0;
    this.node.replaceChildren(h('caption', {}, `Each depth begins anew: the last takes ${share}% of all nodes.`),
      h('tr', {}, h('td', {}), ['value', 'best', 'nodes', 'all so far'].map((name) => h('th', { scope: 'col' }, name))), ...rows);
  }

  /** Show the tree of a depth. */
  load(n, step = 0) {
    this.at = n;
    this.page.showTree(this.found[n], step);
    this.show();
  }

  /** At the end of a depth the next one begins; whether there is one. */
  further() {
    if (!this.more()) return false;
    this.load(this.at + 1);
    return true;
  }

  /** Whether a deeper tree follows. */
  more() {
    return this.at + 1 < this.found.length;
  }

  /** Before the start of a depth lies the one before. */
  before() {
    if (!this.found.length || !this.at) return false;
    this.load(this.at - 1, Infinity);
    return true;
  }
}

/** How many plies deep a tree is. */
function deepest(tree) {
  const plies = [];
  tree.nodes.forEach((node, i) => { plies[i] = node.up < 0 ? 0 : plies[node.up] + 1; });
  return Math.max(...plies);
}
