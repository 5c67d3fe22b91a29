// A tree to be solved by hand: fill in the values, give the windows, cross out what is never looked at. Every
// answer is judged at once, and the step of the search that shows why can be seen.

import { ask } from './api.js';
import { announce, choice, h, labelled, s, toast } from './dom.js';
import { tidy } from './layout.js';
import { still } from './motion.js';
import { Results } from './results.js';
import { TreeView } from './tree.js';

const LEVEL = 104;
const NARROW = 420; // px: on a phone the nodes stand closer
const LEAST = 0.66; // below it the numbers cannot be read
const KINDS = [['minimax', 'Minimax values'], ['alphabeta', 'Alpha-beta: values and cutoffs'], ['windows', 'Alpha-beta: with windows'], ['expectiminimax', 'With chance nodes']];

export class Quiz {
  constructor(catalogue) {
    this.catalogue = catalogue;
    this.width = this.height = 0; // of the tree
    this.search = new TreeView(() => {});
    this.results = new Results();
    /** @type {Map<HTMLElement, boolean>} */
    this.answers = new Map(); // by what was asked: whether it is right
    /** @type {HTMLElement[]} */
    this.wanted = []; // what has to be answered
    this.build();
  }

  build() {
    this.kind = choice({ id: 'quiz-kind', onchange: () => this.again() }, KINDS, 'alphabeta');
    this.depth = choice({ id: 'quiz-depth', onchange: () => this.again() }, [[2, '2 plies'], [3, '3 plies'], [4, '4 plies']], 2);
    this.branching = choice({ id: 'quiz-branching', onchange: () => this.again() }, [[2, 'up to 2'], [3, 'up to 3'], [4, 'up to 4']], 3);
    this.seed = h('input', { id: 'quiz-seed', type: 'number', min: 0, max: 2 ** 50, onchange: () => this.again() });
    this.own = h('input', { id: 'quiz-own', placeholder: '[[3,12,8],[2,4,6],[14,5,2]]', autocomplete: 'off', onchange: () => this.again() });
    this.verdict = h('p', { class: 'verdict', 'aria-live': 'polite' });
    this.progress = h('progress', { value: 0, max: 1, 'aria-label': 'Answers' });
    this.score = h('span', { class: 'note' });
    this.why = h('button', { hidden: true, onclick: () => this.showWhy(), 'data-do': 'show-why' }, 'Show why');
    this.scroll = h('div', { class: 'quiz-scroll' });
    this.task = h('p', { class: 'note' });
    new ResizeObserver(() => this.scale()).observe(this.scroll);
    this.words = h('p', { class: 'step-words' });
    this.steps = h('div', { class: 'row' },
      h('button', { 'aria-label': 'One step back', onclick: () => this.goTo(this.search.step - 1) }, '‹'),
      h('button', { 'aria-label': 'One step on', onclick: () => this.goTo(this.search.step + 1) }, '›'), this.words);
    this.below = h('section', { class: 'card', hidden: true, 'aria-label': 'The search, step by step' }, this.steps, this.search.node);
    this.node = h('div', { class: 'quiz-page' }, h('h1', { class: 'out-of-sight' }, 'Quiz'),
      h('div', { class: 'card' },
        h('div', { class: 'fields' }, labelled('Quiz', this.kind, { class: 'field wide' }), labelled('Depth', this.depth), labelled('Children', this.branching), labelled('Seed', this.seed), labelled('Or your own tree', this.own)),
        h('div', { class: 'row' },
          h('button', { class: 'primary', onclick: () => { this.own.value = ''; this.seed.value = Math.floor(Math.random() * 1e6); this.again(); }, 'data-do': 'another' }, 'Another tree'),
          h('button', { onclick: () => this.link(), 'data-do': 'link' }, 'Link'),
          h('button', { onclick: () => this.reveal(), 'data-do': 'reveal' }, 'Show the solution'),
          h('button', { onclick: () => this.results.save(), 'data-do': 'results' }, 'Save results'), this.progress, this.score)),
      this.task, h('div', { class: 'row verdict-row' }, this.verdict, this.why), this.scroll, this.below);
  }

  open(parts) {
    for (const [name, control] of [['kind', this.kind], ['depth', this.depth], ['branching', this.branching], ['seed', this.seed], ['tree', this.own]]) {
      const given = parts.get(name);
      if (!given) continue;
      if (control.tagName !== 'SELECT' || [...control.options].some((option) => option.value === given)) control.value = given;
      else toast(`A quiz has no ${name} ${given}.`);
    }
    if (!this.seed.value) this.seed.value = this.catalogue.quiz;
    return this.again();
  }

  close() {}

  method() {
    return this.kind.value === 'windows' ? 'alphabeta' : this.kind.value;
  }

  /** Fetch the tree and its solution, and ask. */
  async again() {
    try {
      let tree = { game: this.own.value.includes('chance') ? 'chancetree' : 'tree', start: this.own.value.trim() };
      if (!tree.start) {
        tree = await ask('quiz', {
          seed: Number(this.seed.value), depth: Number(this.depth.value), branching: Number(this.branching.value), chance: this.kind.value === 'expectiminimax',
        });
      }
      this.tree = tree;
      const solution = await ask('tree', { ...tree, search: this.method() });
      if (solution.nodes.length > 150) throw new Error('this tree is too large to be solved by hand: at most 150 nodes');
      this.show(solution);
      if (this.node.isConnected) history.replaceState(null, '', `#${this.address()}`);
    } catch (error) {
      toast(error.message);
    }
  }

  address() {
    const parts = new URLSearchParams({ kind: this.kind.value });
    if (this.own.value.trim()) parts.set('tree', this.own.value.trim());
    else for (const [name, control] of [['depth', this.depth], ['branching', this.branching], ['seed', this.seed]]) parts.set(name, control.value);
    return `quiz?${parts}`;
  }

  link() {
    const link = `${location.href.split('#')[0]}#${this.address()}`;
    navigator.clipboard?.writeText(link).then(() => toast('The link is in the clipboard.', 'fine'), () => toast('The link is in the address bar.', 'fine'));
  }

  // --- asking ---

  show(solution) {
    this.results.begin(this.address());
    this.answers = new Map();
    this.wanted = [];
    this.below.hidden = true;
    this.search.load(solution);
    this.nodes = solution.nodes;
    this.verdict.replaceChildren();
    this.why.hidden = true;
    const prunes = this.method() === 'alphabeta';
    this.task.textContent = {
      minimax: 'Fill in the value of every node.',
      alphabeta: 'Alpha-beta searches from left to right. Cross out every leaf that it never looks at (click it), and fill in what each node returns; type x at a node that is never searched.',
      windows: 'Alpha-beta searches from left to right. Cross out the leaves that it never looks at, fill in what each node returns (x where it is never searched), and beside it alpha and beta as they are when it is entered (inf, −inf).',
      expectiminimax: 'Fill in the value of every node; at chance nodes it is the expected value.',
    }[this.kind.value];
    const below = this.search.below;
    const narrow = this.scroll.clientWidth < NARROW;
    const aside = narrow ? 58 : 64; // from a node to its window
    const reach = this.nodes.map((node, i) => {
      const half = Math.max(below[i].length ? 34 : narrow ? 22 : 26, 4.4 * this.named(node).length + 6); // room for the label on its edge
      return [half, below[i].length && this.kind.value === 'windows' ? aside + (narrow ? 22 : 30) : half];
    });
    const places = tidy(below, reach, narrow ? 4 : 12);
    const width = Math.max(...places.map((x, i) => x + reach[i][1])) + 16;
    const height = Math.max(...this.search.ply) * LEVEL + 84;
    const at = (i) => ({ x: places[i] + 8, y: this.search.ply[i] * LEVEL + 46 });
    const edges = this.nodes.flatMap((node, i) => (node.up < 0 ? [] : this.line(at(node.up), at(i), node)));
    const lines = [...edges.filter((part) => part.tagName === 'path'), ...edges.filter((part) => part.tagName !== 'path')]; // no line crosses a name
    const shapes = this.nodes.flatMap((node, i) => (below[i].length ? [this.shape(node, at(i))] : []));
    const fields = this.nodes.flatMap((node, i) => (below[i].length ? this.inner(i, at(i), aside) : [this.leaf(i, at(i), prunes)]));
    const box = h('div', { class: narrow ? 'quiz narrow' : 'quiz' }, s('svg', { width, height }, lines, shapes), fields);
    box.style.setProperty('width', `${width}px`);
    box.style.setProperty('height', `${height}px`);
    this.scroll.replaceChildren(box);
    [this.width, this.height] = [width, height];
    this.scale();
    this.restore();
    this.tell();
  }

  /** As large as its place, where it can be read. */
  scale() {
    const room = this.scroll.clientWidth - 16;
    const high = innerHeight - this.scroll.getBoundingClientRect().top - scrollY - 30; // without scrolling, where that is not too small
    const zoom = Math.min(1.7, room / this.width, Math.max(1, high / this.height));
    if (room > 0) this.scroll.firstElementChild?.style.setProperty('zoom', (Math.floor(100 * Math.max(LEAST, zoom)) / 100).toFixed(2));
  }

  // --- what was answered stays ---

  answered() {
    return [...this.scroll.querySelectorAll('input')].map((field) => field.value)
      .concat([...this.scroll.querySelectorAll('.leaf')].map((leaf) => leaf.getAttribute('aria-pressed')));
  }

  keep() {
    sessionStorage.setItem(`outplay.quiz ${this.address()}`, JSON.stringify(this.answered()));
  }

  restore() {
    const kept = JSON.parse(sessionStorage.getItem(`outplay.quiz ${this.address()}`) ?? '[]');
    const fields = [...this.scroll.querySelectorAll('input'), ...this.scroll.querySelectorAll('.leaf')];
    if (kept.length !== fields.length) return;
    this.restoring = true; // what was answered before is no new try
    fields.forEach((field, i) => {
      if (field.tagName === 'INPUT' && kept[i]) { field.value = kept[i]; field.dispatchEvent(new Event('change')); }
      if (field.tagName === 'BUTTON' && kept[i] === 'true') field.click();
    });
    this.restoring = false;
  }

  line(from, to, node) {
    const [x, y] = [from.x + 0.64 * (to.x - from.x), from.y + 20 + 0.64 * (to.y - from.y - 40)];
    const side = to.x < from.x - 2 ? 'end' : 'start';
    return [s('path', { class: 'edge', d: `M${from.x} ${from.y + 20}L${to.x} ${to.y - 20}` }), s('text', { x: side === 'end' ? x - 5 : x + 5, y: y + 4, 'text-anchor': side }, this.named(node))];
  }

  /** What stands at a node's edge: of an outcome of chance its probability alone, where it has no name of its own. */
  named(node) {
    return (node.name ?? '').replace(/^[a-z]\d+'? \((.*)\)$/, '$1');
  }

  shape(node, { x, y }) {
    const d = node.who === 'MAX' ? `M${x} ${y - 34}L${x + 34} ${y + 22}H${x - 34}Z` : `M${x} ${y + 34}L${x + 34} ${y - 22}H${x - 34}Z`;
    return s('g', { class: node.who }, node.who === 'chance' ? s('ellipse', { class: 'shape', cx: x, cy: y, rx: 34, ry: 26 }) : s('path', { class: 'shape', d }));
  }

  place(element, x, y) {
    element.style.setProperty('left', `${x}px`);
    element.style.setProperty('top', `${y}px`);
    return element;
  }

  leaf(i, { x, y }, prunes) {
    const node = this.nodes[i];
    const button = h('button', { class: 'leaf', 'aria-pressed': 'false', 'data-leaf': i, 'aria-label': `leaf ${this.search.name(i)}: ${node.static}`, disabled: !prunes }, node.static);
    if (node.pruned) this.wanted.push(button);
    button.addEventListener('click', () => {
      const crossed = button.getAttribute('aria-pressed') !== 'true';
      button.setAttribute('aria-pressed', crossed);
      if (!crossed) return this.judge(button, null);
      const cutter = node.pruned ? this.search.cutter(i) : -1;
      const says = node.pruned ? `never visited: ${this.search.reason(cutter)}` : `this leaf is visited${this.windowWords(i)}`;
      this.judge(button, !!node.pruned, says, node.pruned ? this.search.cutAt[cutter] : this.search.entered[i]);
    });
    return this.place(button, x, y);
  }

  windowWords(i) {
    const window = this.search.window(i, this.search.entered[i]);
    return window ? `: the window is [${window[0]}, ${window[1]}], and α < β` : '';
  }

  inner(i, { x, y }, aside) {
    const node = this.nodes[i];
    const name = this.search.name(i);
    const lift = { MAX: 5, MIN: -5 }[node.who] ?? 0;
    const value = h('input', { class: 'answer', inputmode: 'text', autocomplete: 'off', 'data-value': i, 'aria-label': `value of ${name} (${node.who})` });
    judged(value, () => this.judgeValue(i, value));
    if (!node.pruned) this.wanted.push(value);
    const fields = [this.place(value, x, y + lift)];
    if (this.kind.value === 'windows' && !node.pruned) {
      ['alpha', 'beta'].forEach((side, n) => {
        const field = h('input', { class: 'bound', autocomplete: 'off', placeholder: side === 'alpha' ? 'α' : 'β', 'data-window': `${i} ${side}`, 'aria-label': `${side} on entering ${name}` });
        judged(field, () => this.judgeWindow(i, n, field));
        this.wanted.push(field);
        fields.push(this.place(field, x + aside, y - 14 + 28 * n));
      });
    }
    return fields;
  }

  // --- judging ---

  judgeValue(i, field) {
    const node = this.nodes[i];
    const said = field.value.trim();
    if (!said) return this.judge(field, null);
    if (node.pruned) {
      const cutter = this.search.cutter(i);
      return this.judge(field, /^[x×]$/i.test(said), `this node is never searched: ${this.search.reason(cutter)}`, this.search.cutAt[cutter]);
    }
    const right = close(said, node.value);
    const exact = { '=': '', '<=': ' (its minimax value is at most that)', '>=': ' (its minimax value is at least that)' }[node.bound];
    const sort = { MAX: 'the largest of its children’s values', MIN: 'the smallest of its children’s values', chance: 'the mean of its children’s values, by their probabilities' }[node.who];
    this.judge(field, right, right ? `${this.search.name(i)} returns ${node.value}${exact}` : `${this.search.name(i)} is a ${node.who} node: ${sort}${this.search.cutAt[i] <= this.search.steps.length ? ' that were looked at' : ''}`, this.search.left[i]);
  }

  judgeWindow(i, n, field) {
    if (!field.value.trim()) return this.judge(field, null);
    const window = this.search.window(i, this.search.entered[i]);
    if (!window) return; // it is never entered
    const right = close(field.value, window[n]);
    const name = this.search.name(i);
    const rule = n === 0 ? 'alpha is the best value for MAX on the path from the root so far' : 'beta is the best value for MIN on the path from the root so far';
    this.judge(field, right, right ? `${name} is entered with [${window[0]}, ${window[1]}]` : rule, this.search.entered[i]);
  }

  /** Mark an answer: right, wrong, or (null) withdrawn. */
  judge(field, right, says = '', step = 0) {
    field.classList.toggle('right', right === true);
    field.classList.toggle('wrong', right === false);
    if (field.tagName === 'INPUT') field.setAttribute('aria-invalid', right === false);
    if (!this.restoring) this.results.note(field, right);
    if (right === null) this.answers.delete(field);
    else this.answers.set(field, right);
    this.verdict.replaceChildren(...(right === null ? [] : [h('span', { class: right ? 'good' : 'bad' }, right ? 'Right' : 'Wrong'), `: ${says}.`]));
    if (right !== null) announce(`${right ? 'Right' : 'Wrong'}: ${says}`);
    this.why.hidden = right === null;
    this.step = step;
    this.tell();
  }

  tell() {
    const done = this.wanted.filter((field) => this.answers.get(field)).length;
    const wrong = [...this.answers.values()].filter((right) => !right).length;
    const solved = done === this.wanted.length && !wrong && this.wanted.length > 0;
    this.progress.max = Math.max(1, this.scroll.querySelectorAll('input, .leaf').length); // how many leaves are pruned is part of the question
    this.progress.value = solved ? this.progress.max : done;
    this.score.textContent = `${done} right${wrong ? `, ${wrong} wrong` : ''}`;
    this.keep();
    if (solved) {
      this.verdict.replaceChildren(h('span', { class: 'good' }, 'Solved: everything is right.'));
      announce('Solved: everything is right.');
    }
  }

  showWhy() {
    this.below.hidden = false;
    this.search.fit(true);
    this.goTo(this.step);
    this.below.scrollIntoView({ block: 'nearest', behavior: still() ? 'auto' : 'smooth' });
  }

  goTo(step) {
    this.search.goTo(step);
    this.words.textContent = `Step ${this.search.step} of ${this.search.steps.length}. ${this.search.words()}`;
  }

  reveal() {
    this.step = this.search.steps.length;
    this.showWhy();
  }
}

/** Judge a field when it is left, and whenever Enter is pressed in it. */
function judged(field, judge) {
  field.addEventListener('change', judge);
  field.addEventListener('keydown', (event) => { if (event.key === 'Enter') judge(); });
}

/** Whether two texts are the same number, written as people do. */
function close(said, wanted) {
  const number = (text) => {
    const plain = text.trim().replace('−', '-').replace(/^([+-]?)(?:inf|infinity|oo|∞)$/i, (_, sign) => `${sign}Infinity`);
    const [over, under] = plain.split('/');
    return under === undefined ? Number(plain) : Number(over) / Number(under);
  };
  const [a, b] = [number(said), number(wanted)];
  return said.trim() !== '' && (a === b || Math.abs(a - b) < 0.006 * Math.max(1, Math.abs(b)) && !Number.isInteger(b));
}
