// What a search did and when: of every node of its tree, when it was entered and left, with what windows, and when
// it was cut off; and all that in words.

const ENGINE = { // what the engine does beyond plain alpha-beta
  table: 'the transposition table gives its value', repeated: 'a repeated position', reduction: 'the next move is searched to a reduced depth',
  extension: 'the next move is searched deeper', 're-search': 'the move is better than expected: it is searched again', pruned: 'a move is pruned unsearched',
  forced: 'a forced reply: one ply deeper', null: 'null move: what if the mover passed?', singular: 'is the best move the only good one?',
  quiescence: 'the horizon, and not quiet: noisy moves alone are looked at further; standing pat is worth',
};

export class Timeline {
  constructor() {
    this.step = 0;
    /** @type {any} */
    this.data = null; // the tree that the server told
    /** @type {any[]} */
    this.nodes = [];
    /** @type {any[]} */
    this.steps = [];
    /** @type {number[][]} */
    this.below = []; // of every node its children
    this.ply = new Int32Array();
    this.horizon = new Int32Array(); // the node at the horizon that each lies beyond; -1: within the depth
    this.entered = this.left = this.cutAt = this.prunedAt = new Int32Array(); // of every node: when that was
    /** @type {[number, string, string][][]} */
    this.windows = []; // of every node: from when on, alpha, beta
    /** @type {number[]} */
    this.cutoffs = []; // when there was one
  }

  /** The tree that the server told, and its steps. */
  read(data) {
    this.data = data;
    this.nodes = data.nodes;
    this.steps = data.steps;
    const count = this.nodes.length;
    this.below = Array.from({ length: count }, () => []);
    this.ply = new Int32Array(count);
    this.horizon = new Int32Array(count).fill(-1);
    this.nodes.forEach((node, i) => {
      if (node.up < 0) return;
      this.below[node.up].push(i);
      this.ply[i] = this.ply[node.up] + 1;
      this.horizon[i] = this.horizon[node.up] < 0 && this.nodes[node.up].pat !== undefined ? node.up : this.horizon[node.up];
    });
    this.timeline();
  }

  /** Of every node: when it was entered and left, its windows, and when it was cut off. */
  timeline() {
    const count = this.nodes.length;
    const never = this.steps.length + 1;
    this.entered = new Int32Array(count).fill(never);
    this.left = new Int32Array(count).fill(never);
    this.cutAt = new Int32Array(count).fill(never);
    this.windows = Array.from({ length: count }, () => []);
    this.cutoffs = [];
    this.steps.forEach(([kind, i, alpha, beta], at) => {
      const t = at + 1; // after this step
      if (kind === 'enter') this.entered[i] = t;
      if (['leaf', 'value', 'table', 'repeated'].includes(kind)) this.left[i] = t;
      if (kind === 'cutoff') { this.cutAt[i] = t; this.cutoffs.push(t); }
      if (alpha !== null && alpha !== undefined) this.windows[i].push([t, alpha, beta]);
    });
    this.prunedAt = new Int32Array(count).fill(never);
    this.nodes.forEach((node, i) => {
      if (!node.pruned) return;
      const up = this.nodes[node.up];
      this.prunedAt[i] = up.pruned ? this.prunedAt[node.up] : Math.min(this.cutAt[node.up], this.left[node.up]);
    });
  }

  /** The window of a node after a number of steps, as [alpha, beta]. */
  window(i, t = this.step) {
    /** @type {[string, string] | null} */
    let found = null;
    for (const [at, alpha, beta] of this.windows[i]) {
      if (at > t) break;
      found = [alpha, beta];
    }
    return found;
  }

  status(i, t = this.step) {
    if (this.prunedAt[i] <= t) return 'pruned';
    if (this.left[i] <= t) return 'done';
    return this.entered[i] <= t ? 'open' : 'unseen';
  }

  /** Where the search is: the node of the last step. */
  current(t = this.step) {
    return t > 0 ? this.steps[Math.min(t, this.steps.length) - 1][1] : 0;
  }

  /** How much was done by then. */
  counts(t = this.step) {
    let visited = 0;
    let leaves = 0;
    let pruned = 0;
    let cutoffs = 0; // that pruned something
    this.nodes.forEach((node, i) => {
      if (this.entered[i] <= t) {
        visited += 1;
        if (node.who === 'leaf') leaves += 1;
      }
      if (node.cut && this.cutAt[i] <= t) cutoffs += 1;
      if (this.prunedAt[i] <= t && !this.nodes[node.up].pruned) pruned += node.count ?? 1;
    });
    return { visited, leaves, pruned, cutoffs };
  }

  /** The node at which a pruned node was cut off. */
  cutter(i) {
    let at = this.nodes[i].up;
    while (this.nodes[at].pruned) at = this.nodes[at].up;
    return at;
  }

  name(i) {
    return i === 0 ? 'the root' : this.path(i).map((n) => this.nodes[n].name).join(' ');
  }

  /** The nodes from below the root down to i. */
  path(i) {
    const path = [];
    for (let at = i; at > 0; at = this.nodes[at].up) path.unshift(at);
    return path;
  }

  // --- in words ---

  /** The line above the tree. */
  heading() {
    const { visited, pruned, leaves, cutoffs } = this.counts();
    const many = (n) => n.toLocaleString('en');
    const some = (n, one, more = `${one}s`) => `${many(n)} ${n === 1 ? one : more}`;
    const would = this.data.minimax === null || this.data.search.includes('minimax') ? '' : ` · minimax would visit ${many(this.data.minimax)}`;
    return `${this.data.search}${this.data.order ? `, ${this.data.order}` : ''}: ${some(visited, 'node')} visited, ${some(leaves, 'leaf', 'leaves')}, ${some(cutoffs, 'cutoff')}, ${some(pruned, 'branch', 'branches')} pruned${would}`;
  }

  /** What is known of a node by now: [name, text]. */
  facts(i) {
    const node = this.nodes[i];
    const window = this.window(i);
    const pruned = this.status(i) === 'pruned';
    const bound = { '=': '', '<=': 'at most ', '>=': 'at least ' }[node.bound];
    return [['window', window && `[${window[0]}, ${window[1]}]`], ['value', this.left[i] <= this.step && node.value && bound + node.value],
      ['static value', node.static], ['engine', node.note], ['stand pat', node.pat], ['horizon', this.horizon[i] < 0 ? '' : `beyond it: ${this.name(this.horizon[i])} was not quiet`], [pruned ? 'pruned' : 'cutoff', pruned || this.cutAt[i] <= this.step ? this.reason(pruned ? this.cutter(i) : i) : '']];
  }

  /** The step in words. */
  words(t = this.step) {
    if (t === 0) return 'The search begins at the root.';
    const [kind, i, alpha, beta, value] = this.steps[t - 1];
    const node = this.nodes[i];
    const window = alpha === null ? '' : ` with [α, β] = [${alpha}, ${beta}]`;
    const name = this.name(i);
    if (kind === 'enter') return `Enter ${name}${node.who === 'leaf' ? ', a leaf' : ` (${node.who})`}${window}.`;
    if (kind === 'leaf') return `${cap(name)} is a leaf: ${value}.`;
    if (kind === 'value') return `${cap(name)} returns ${node.bound === '=' ? '' : { '<=': 'at most ', '>=': 'at least ' }[node.bound]}${value}.`;
    if (ENGINE[kind]) return `${cap(name)}: ${ENGINE[kind]}${value === null ? '' : ` (${value})`}.`;
    if (kind === 'cutoff') return node.cut ? `Cutoff at ${name}: ${this.reason(i)}. The rest cannot matter.` : `Cutoff at ${name}: β ${beta} ≤ α ${alpha}, but no action is left.`;
    return `At ${name}: try ${this.tried(t) ?? 'the next action'}${window}.`;
  }

  tried(t) {
    const next = this.steps[t];
    return next && this.nodes[next[1]].name;
  }

  reason(i) {
    const { cut } = this.nodes[i];
    if (!cut) return '';
    return `${cut.words}, with ${cut.bound} from ${cut.by < 0 ? 'the first window' : this.name(cut.by)}`;
  }

  summary(i) {
    const node = this.nodes[i];
    const status = this.status(i);
    const words = [node.who];
    if (status === 'pruned') words.push(`pruned: ${this.reason(this.cutter(i))}`);
    if (status === 'done') words.push(`${{ '=': '', '<=': 'at most ', '>=': 'at least ' }[node.bound]}${node.value}`);
    if (status === 'open') words.push('being searched');
    if (status === 'unseen') words.push('not reached yet');
    return words.join(', ');
  }
}

const cap = (text) => text.replace(/^the root/, 'The root');
