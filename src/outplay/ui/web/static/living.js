// The living tree: while a search thinks, the branches that it finds best grow beside the board. How thick a branch
// is says how often a sampling search has tried it, or else how good it is; its colour, for whom it is good. Pointing at a
// branch shows its position, a click goes there.

import { h, s, short } from './dom.js';
import { previews } from './preview.js';

const [STEP, ROW] = [78, 66]; // between plies, and between branches
const [LEAST, MOST] = [3, 12]; // plies that are drawn: as many as there is room for

export class LivingTree {
  constructor(play) {
    this.play = play;
    this.said = null;
    this.words = h('p', { class: 'note' });
    this.svg = s('svg', { class: 'living', role: 'group', 'aria-label': 'The best branches of the search' });
    this.node = h('div', { class: 'living-page' }, this.words, h('div', { class: 'living-scroll' }, this.svg),
      h('p', { class: 'note' }, h('a', { href: '#tree', 'data-do': 'whole-tree' }, 'Every step of a small search'), ' is in Search trees.'));
  }

  /** A report of the analysis. */
  heard(said) {
    this.said = { ...said, at: this.play.game.node };
    this.show();
  }

  show() {
    if (!this.node.isConnected || this.node.closest('[hidden]')) return;
    const { said, play } = this;
    const known = said && said.at === play.game.node;
    this.words.textContent = known ? `depth ${said.depth}, ${short(said.nodes)} nodes; the best branch on top` : 'Press Analyse: the branches that the search finds best grow here.';
    const focused = this.svg.contains(document.activeElement) && document.activeElement?.getAttribute('data-line');
    if (!known) return this.svg.replaceChildren();
    const room = Math.max(LEAST, Math.min(MOST, Math.floor(this.node.clientWidth / STEP - 0.6)));
    const root = grown(said.lines, room);
    const leaves = placed(root);
    const wide = STEP * (deepest(root) + 0.6);
    this.svg.setAttribute('viewBox', `0 0 ${wide} ${ROW * leaves + 4}`);
    this.svg.style.setProperty('max-width', `${1.25 * wide}px`);
    this.svg.replaceChildren(...this.branches(root, []));
    if (focused) this.svg.querySelector(`[data-line="${focused}"]`)?.focus({ preventScroll: true }); // a report comes every moment
  }

  branches(node, actions) {
    const { play } = this;
    const here = { ...play.asked(), flipped: play.game.flipped };
    return node.below.flatMap((child) => {
      const there = [...actions, child.action];
      const [x1, y1, x2, y2] = [STEP * node.ply + 20, node.y, STEP * child.ply + 14, child.y];
      const wide = 2 + 9 * child.weight;
      const paint = child.share >= 0.5 ? 'max' : 'min';
      const group = s('g', { class: `branch ${paint}`, role: 'button', tabindex: 0, 'aria-label': `${child.text}, ${child.says}`, 'data-line': there.join('.'), onclick: () => play.tryLine(there),
        onkeydown: (event) => { if (event.key === 'Enter') play.tryLine(there); } },
      s('path', { d: `M${x1} ${y1}C${x1 + 28} ${y1} ${x2 - 28} ${y2} ${x2} ${y2}`, 'stroke-width': wide.toFixed(1) }),
      s('circle', { cx: x2, cy: y2, r: 5 + 3 * child.weight }),
      s('text', { x: x2, y: y2 - 13 }, child.text), child.first && s('text', { class: 'worth', x: x2, y: y2 + 25 }, child.says));
      previews(group, { ...here, actions: [...here.actions, ...there] });
      return [group, ...this.branches(child, there)];
    });
  }
}

/** @typedef {{ply: number, action: string, text: string, below: Branch[], weight: number, share: number, says: string, first: boolean, y: number}} Branch */

/** The lines of a report as one tree. */
function grown(lines, room) {
  /** @type {Branch} */
  const root = { ply: 0, action: '', text: '', below: [], weight: 1, share: 0.5, says: '', first: false, y: 0 };
  const visits = lines.reduce((sum, line) => sum + (line.visits ?? 0), 0);
  const best = Math.max(...lines.map((line) => Math.abs((line.share ?? 0.5) - 0.5)));
  lines.forEach((line, rank) => {
    const weight = visits ? (line.visits ?? 0) / visits : 1 / (1 + rank + 4 * Math.abs(best - Math.abs((line.share ?? 0.5) - 0.5)));
    let at = root;
    line.actions.slice(0, room).forEach((action, i) => {
      let next = at.below.find((child) => child.action === action);
      if (!next) {
        next = { ply: i + 1, action, text: line.texts[i] ?? '', below: [], weight: weight * 0.82 ** i, share: line.share ?? 0.5, says: line.says, first: i === 0, y: 0 };
        at.below.push(next);
      }
      at = next;
    });
  });
  return root;
}

/** Give every node its height; how many rows that takes. */
function placed(root) {
  let row = 0;
  const visit = (node) => {
    node.below.forEach(visit);
    if (!node.below.length) { node.y = 32 + ROW * row; row += 1; } else node.y = node.below[0].y;
  };
  visit(root);
  return row;
}

const deepest = (node) => node.below.reduce((most, child) => Math.max(most, deepest(child)), node.ply);
