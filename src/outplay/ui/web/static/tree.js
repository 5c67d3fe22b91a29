// The tree that a search saw, step by step. Small trees are drawn in full; of large ones what is in sight, and
// from far away only their outline, so that ten thousand nodes stay smooth.

import { h, s } from './dom.js';
import { tidy } from './layout.js';

const ENGINE = { // what the engine does beyond plain alpha-beta
  table: 'its value comes from the table', repeated: 'a position that came back', reduction: 'the next move is searched less deep',
  extension: 'the next move is searched deeper', 're-search': 'the move surprised, it is searched again', pruned: 'a move is left out unsearched',
  forced: 'the mover must react, one ply deeper', null: 'what if the mover passed?', singular: 'is the best move the only good one?', again: 'searched anew',
};
const LEVEL = 96;
const TALL = 42;
const GAP = 14;
const MANY = 500; // nodes drawn one by one
const OPENED = 90; // nodes that a large tree shows at first
const LEGIBLE = 0.4; // the scale below which nothing can be read

export class TreeView {
  /** `select(i)` is called when a node is chosen. */
  constructor(select) {
    this.select = select;
    this.step = 0;
    this.chosen = -1;
    this.world = s('g', { class: 'world' });
    this.svg = s('svg', { class: 'tree', role: 'group', tabindex: 0, 'aria-label': 'Search tree' }, this.world);
    this.title = h('p', { class: 'tree-title' });
    this.node = h('div', { class: 'tree-place' }, this.title, this.svg);
    this.x = this.y = this.room = 0;
    this.scale = 1;
    this.follow = true;
    this.listen();
    this.handled = false; // whether somebody has moved it about
    new ResizeObserver(() => { if (this.data) (this.handled ? this.refresh() : this.fit(true)); }).observe(this.svg);
  }

  // --- what happened when ---

  load(data) {
    this.data = data;
    this.nodes = data.nodes;
    this.steps = data.steps;
    const count = this.nodes.length;
    this.below = Array.from({ length: count }, () => []);
    this.ply = new Int32Array(count);
    this.nodes.forEach((node, i) => {
      if (node.up < 0) return;
      this.below[node.up].push(i);
      this.ply[i] = this.ply[node.up] + 1;
    });
    this.timeline();
    this.collapsed = new Set();
    this.unfolded = new Set(); // those that open while the search is inside them
    if (count > 3 * OPENED) this.collapseBelow();
    this.chosen = -1;
    this.arrange();
    this.goTo(this.steps.length);
    this.fit(true);
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
    this.nodes.forEach((node, i) => {
      if (this.entered[i] <= t) {
        visited += 1;
        if (node.who === 'leaf') leaves += 1;
      }
      if (this.prunedAt[i] <= t && !this.nodes[node.up].pruned) pruned += node.count ?? 1;
    });
    return { visited, leaves, pruned };
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

  /** The line above the tree. */
  heading() {
    const { visited, pruned, leaves } = this.counts();
    const many = (n) => n.toLocaleString('en');
    const would = this.data.minimax === null || this.data.search.includes('minimax') ? '' : ` · minimax would visit ${many(this.data.minimax)}`;
    return `${this.data.search}: ${many(visited)} nodes visited, ${many(leaves)} leaves, ${many(pruned)} branches pruned${would}`;
  }

  /** What is known of a node by now: [name, text]. */
  facts(i) {
    const node = this.nodes[i];
    const window = this.window(i);
    const pruned = this.status(i) === 'pruned';
    const bound = { '=': '', '<=': 'at most ', '>=': 'at least ' }[node.bound];
    return [['window', window && `[${window[0]}, ${window[1]}]`], ['value', this.left[i] <= this.step && node.value && bound + node.value],
      ['static value', node.static], ['engine', node.note], [pruned ? 'cut off' : 'cutoff', pruned || this.cutAt[i] <= this.step ? this.reason(pruned ? this.cutter(i) : i) : '']];
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
    if (kind === 'cutoff') return `Cutoff at ${name}: ${this.reason(i)}. The rest of it cannot matter.`;
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

  // --- places ---

  collapseBelow() {
    const widths = [];
    for (const ply of this.ply) widths[ply] = (widths[ply] || 0) + 1;
    let deepest = 0;
    for (let sum = 0, d = 0; d < widths.length && sum + widths[d] <= OPENED; d += 1) { sum += widths[d]; deepest = d; }
    deepest = Math.max(deepest, 1);
    this.nodes.forEach((_, i) => { if (this.ply[i] === deepest && this.below[i].length) this.collapsed.add(i); });
  }

  toggle(i) {
    if (!this.below[i].length) return;
    if (this.collapsed.has(i)) this.collapsed.delete(i);
    else this.collapsed.add(i);
    const was = this.where(i);
    this.arrange();
    const now = this.where(i);
    if (was && now) { this.x += was.x - now.x; this.y += was.y - now.y; }
    this.refresh();
  }

  expandAll() {
    this.collapsed.clear();
    this.arrange();
    this.fit();
  }

  /** Make a node visible. */
  reveal(i) {
    let changed = false;
    for (let at = this.nodes[i].up; at >= 0; at = this.nodes[at].up) changed = this.collapsed.delete(at) || changed;
    if (changed) this.arrange();
    return changed;
  }

  /** The nodes in sight (not below a collapsed one) and where they stand. */
  arrange() {
    this.arranged = (this.arranged || 0) + 1;
    this.seen = [];
    this.at = new Int32Array(this.nodes.length).fill(-1);
    this.nodes.forEach((node, i) => {
      if (i && (this.at[node.up] < 0 || this.collapsed.has(node.up))) return;
      this.at[i] = this.seen.length;
      this.seen.push(i);
    });
    const children = this.seen.map((i) => (this.collapsed.has(i) ? [] : this.below[i].map((c) => this.at[c])));
    const longest = Math.max(2, ...this.nodes.slice(0, 3000).map((n) => (n.value ?? n.static ?? '').length));
    this.half = Math.max(22, 5 * longest + 8);
    const leafHalf = Math.max(20, 4.4 * longest + 8, ...this.seen.map((i) => (this.nodes[i].name || '').length * 3.1));
    const windowed = this.windowed();
    const reach = this.seen.map((i) => (this.inner(i) ? [this.half, this.half + (windowed ? 50 : 4)] : [leafHalf, leafHalf]));
    this.places = tidy(children, reach, GAP);
    this.width = Math.max(...this.seen.map((_, k) => this.places[k] + reach[k][1]));
    this.height = (Math.max(...this.seen.map((i) => this.ply[i])) + 1) * LEVEL;
  }

  /** Whether a node is drawn as a player's, not as a leaf. */
  inner(i) {
    return this.below[i].length > 0;
  }

  /** Whether something stands beside the nodes. */
  windowed() {
    return this.windows[0].length > 0;
  }

  /** Where a node stands in the picture, before it is moved about. A wide tree is not squeezed in height. */
  where(i) {
    const k = this.at[i];
    return k < 0 ? null : { x: this.places[k] * this.scale, y: (this.ply[i] * LEVEL + TALL) * this.steep() };
  }

  /** The scale of heights. */
  steep() {
    return Math.max(this.scale, Math.min(1, this.room / this.height));
  }

  /** Show all of it; or, where that would be too small to read, the part about the root. */
  fit(legible = false) {
    const box = this.svg.getBoundingClientRect();
    if (!box.width) { requestAnimationFrame(() => this.svg.isConnected && this.fit(legible)); return; }
    this.room = box.height - 60;
    const whole = Math.min(1.15, box.width / (this.width + 40), box.height / (this.height + 40));
    this.scale = legible ? Math.max(whole, LEGIBLE) : whole;
    const root = this.places[0] * this.scale;
    this.x = whole < this.scale ? box.width / 2 - root : (box.width - this.width * this.scale) / 2;
    this.y = Math.max(6, Math.min(40, (box.height - this.height * this.steep()) / 2 - 10));
    this.refresh();
  }

  zoom(factor, cx, cy) {
    this.handled = true;
    const box = this.svg.getBoundingClientRect();
    const [px, py] = [cx ?? box.width / 2, cy ?? box.height / 2];
    const [from, steep] = [this.scale, this.steep()];
    this.scale = Math.min(3, Math.max(0.0005, from * factor));
    this.x = px - ((px - this.x) * this.scale) / from;
    this.y = py - ((py - this.y) * this.steep()) / steep;
    this.refresh();
  }

  // --- drawing ---

  goTo(t) {
    this.step = Math.max(0, Math.min(t, this.steps.length));
    const i = this.current();
    if (this.follow) this.unfold(i);
    let shown = i;
    while (this.at[shown] < 0) shown = this.nodes[shown].up;
    this.marker = shown;
    if (this.follow && this.step > 0 && this.step < this.steps.length) this.bringIntoView(shown);
    this.refresh();
  }

  /** Open what the search is inside of, and close again what it has left. */
  unfold(i) {
    const inside = new Set();
    if (this.step > 0 && this.step < this.steps.length) for (let at = this.nodes[i].up; at >= 0; at = this.nodes[at].up) inside.add(at);
    let changed = false;
    for (const at of this.unfolded) {
      if (inside.has(at)) continue;
      this.unfolded.delete(at);
      this.collapsed.add(at);
      changed = true;
    }
    for (const at of inside) {
      if (!this.collapsed.delete(at)) continue;
      this.unfolded.add(at);
      changed = true;
    }
    if (changed) this.arrange();
  }

  bringIntoView(i) {
    const box = this.svg.getBoundingClientRect();
    const place = this.where(i);
    if (!place || !box.width) return;
    const [x, y] = [place.x + this.x, place.y + this.y];
    const margin = 60;
    if (x < margin || x > box.width - margin) { this.x += box.width / 2 - x; this.handled = true; }
    if (y < margin) this.y += margin - y;
    if (y > box.height - margin) this.y -= y - (box.height - margin);
  }

  refresh() {
    if (this.waiting) return;
    this.waiting = requestAnimationFrame(() => { this.waiting = 0; this.draw(); });
  }

  draw() {
    const box = this.svg.getBoundingClientRect();
    if (!box.width || !this.data) return;
    this.room = box.height - 60;
    this.world.setAttribute('transform', `translate(${this.x.toFixed(1)} ${this.y.toFixed(1)})`);
    const as = [this.scale, this.step, this.chosen, this.arranged, box.width, box.height];
    const moved = Math.hypot(this.x - this.drawnAt?.x, this.y - this.drawnAt?.y);
    if (this.far && as.join() === this.drawnAs && moved < box.width / 2) return; // far away there is some more around
    [this.drawnAs, this.drawnAt] = [as.join(), { x: this.x, y: this.y }];
    const steep = this.steep();
    const around = this.far ? box.width / 2 + 90 : 90;
    const inSight = this.seen.filter((i, k) => {
      const x = this.places[k] * this.scale + this.x;
      const y = (this.ply[i] * LEVEL + TALL) * steep + this.y;
      return x > -around && x < box.width + around && y > -around && y < box.height + around;
    });
    this.far = inSight.length > MANY;
    this.svg.dataset.drawn = this.far ? 'far' : 'near';
    this.world.replaceChildren(...(this.far ? this.outline(inSight) : this.detail(inSight)));
  }

  /** From far away: one path for all edges of a sort, one for all nodes of a sort. */
  outline(nodes) {
    const edges = {};
    const dots = {};
    const last = {}; // where the last one was drawn, by ply and sort: less than a pixel apart nobody sees
    for (const i of nodes) {
      const { x, y } = this.where(i);
      const status = this.status(i);
      const row = `${this.ply[i]} ${status} ${this.nodes[i].principal}`;
      if (x - last[row] < 1) continue;
      last[row] = x;
      const { up, who, principal } = this.nodes[i];
      if (up >= 0) {
        const top = this.where(up);
        const sort = principal && status === 'done' ? 'principal' : status;
        edges[sort] = `${edges[sort] || ''}M${top.x.toFixed(1)} ${top.y.toFixed(0)}L${x.toFixed(1)} ${y.toFixed(0)}`;
      }
      const sort = `${who} ${status}`;
      dots[sort] = `${dots[sort] || ''}M${(x - 1.5).toFixed(1)} ${y.toFixed(0)}h3`;
    }
    const paths = [...Object.entries(edges).map(([sort, d]) => s('path', { class: `edge ${sort}`, d })),
      ...Object.entries(dots).map(([sort, d]) => s('path', { class: `dot ${sort}`, d }))];
    const place = this.where(this.marker ?? 0);
    if (place) paths.push(s('circle', { class: 'here', cx: place.x, cy: place.y, r: 10 }));
    return paths;
  }

  detail(nodes) {
    const needed = new Set(nodes);
    const edges = nodes.filter((i) => this.nodes[i].up >= 0).map((i) => this.edge(i));
    const labels = nodes.filter((i) => this.nodes[i].up >= 0).map((i) => this.label(i));
    return [...edges, ...labels, ...nodes.filter((i) => needed.has(i)).map((i) => this.shape(i))];
  }

  sort(i) {
    const node = this.nodes[i];
    const status = this.status(i);
    const classes = [node.who, status];
    if (node.principal && this.left[0] <= this.step) classes.push('principal');
    if (i === this.marker && this.step < this.steps.length) classes.push('current');
    if (i === this.chosen) classes.push('chosen');
    if (status === 'open') classes.push('on-path');
    return classes.join(' ');
  }

  edge(i) {
    const from = this.where(this.nodes[i].up);
    const to = this.where(i);
    const [x1, y1, x2, y2] = [from.x, from.y + (TALL / 2) * this.scale, to.x, to.y - (TALL / 2) * this.scale];
    const parts = [s('path', { class: 'edge', d: `M${x1.toFixed(1)} ${y1.toFixed(1)}L${x2.toFixed(1)} ${y2.toFixed(1)}` })];
    if (this.status(i) === 'pruned' && this.status(this.nodes[i].up) !== 'pruned') {
      const length = Math.hypot(x2 - x1, y2 - y1);
      const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
      const strokes = [12 * this.scale, 18 * this.scale].map((back) => {
        const [x, y, half] = [x2 - back * dx, y2 - back * dy, 7 * this.scale];
        return `M${x - half * dy} ${y + half * dx}L${x + half * dy} ${y - half * dx}`;
      });
      parts.push(s('path', { class: 'cutoff', d: strokes.join('') }));
    }
    return s('g', { class: this.sort(i) }, parts);
  }

  label(i) {
    const from = this.where(this.nodes[i].up);
    const to = this.where(i);
    const high = TALL * this.scale;
    const [x, y] = [from.x + 0.64 * (to.x - from.x), from.y + high / 2 + 0.64 * (to.y - from.y - high)];
    const side = to.x < from.x - 2 ? 'end' : 'start';
    const place = `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${this.scale.toFixed(3)})`;
    return s('text', { class: `action ${this.sort(i)}`, x: side === 'end' ? -5 : 5, transform: place, 'text-anchor': side }, this.nodes[i].name);
  }

  shape(i) {
    const { x, y } = this.where(i);
    const node = this.nodes[i];
    const inner = this.inner(i);
    const parts = [inner ? this.outlineOf(node.who) : s('rect', { class: 'shape', x: 3 - this.half, y: -14, width: 2 * this.half - 6, height: 28, rx: 5 })];
    const text = this.text(i);
    const lift = { MAX: 10, MIN: -2 }[inner ? node.who : ''] ?? 5;
    if (text) parts.push(s('text', { class: 'value', y: lift }, text));
    parts.push(...this.beside(i, inner));
    if (this.collapsed.has(i)) parts.push(s('text', { class: 'more', y: 36 }, `+${this.hidden(i)}`));
    parts.push(s('title', {}, `${this.name(i)}: ${this.summary(i)}`));
    return s('g', { class: `node ${this.sort(i)}`, transform: `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${this.scale.toFixed(3)})`, 'data-node': i }, parts);
  }

  outlineOf(who) {
    const [w, t] = [this.half, TALL / 2];
    if (who === 'MAX') return s('path', { class: 'shape', d: `M0 ${-t}L${w} ${t}H${-w}Z` });
    if (who === 'MIN') return s('path', { class: 'shape', d: `M0 ${t}L${w} ${-t}H${-w}Z` });
    return s('ellipse', { class: 'shape', rx: w, ry: t });
  }

  /** What stands in a node: its value once it is known; a leaf's own value always. */
  text(i) {
    const node = this.nodes[i];
    if (node.count) return `×${node.count}`;
    if (!this.below[i].length) return node.static ?? (this.left[i] <= this.step ? node.value : '…');
    if (this.left[i] > this.step) return this.status(i) === 'open' ? '?' : '';
    return { '=': '', '<=': '≤', '>=': '≥' }[node.bound] + node.value;
  }

  /** The window, and why the rest was cut off. */
  beside(i, inner) {
    const window = this.window(i);
    if (!window) return [];
    if (!inner) return this.scale < 0.5 ? [] : [s('text', { class: 'window', y: 28, 'text-anchor': 'middle' }, `[${window[0]}, ${window[1]}]`)];
    const parts = [`α ${window[0]}`, `β ${window[1]}`].map((line, n) => s('text', { class: 'window', x: this.half + 5, y: -6 + 14 * n }, line));
    if (this.cutAt[i] <= this.step && this.nodes[i].cut) parts.push(s('text', { class: 'why', x: this.half + 5, y: 22 }, this.nodes[i].cut.words));
    return parts;
  }

  hidden(i) {
    let count = 0;
    const waiting = [...this.below[i]];
    while (waiting.length) {
      const at = waiting.pop();
      count += 1;
      waiting.push(...this.below[at]);
    }
    return count;
  }

  summary(i) {
    const node = this.nodes[i];
    const status = this.status(i);
    const words = [node.who];
    if (status === 'pruned') words.push(`cut off: ${this.reason(this.cutter(i))}`);
    if (status === 'done') words.push(`${{ '=': '', '<=': 'at most ', '>=': 'at least ' }[node.bound]}${node.value}`);
    if (status === 'open') words.push('being searched');
    if (status === 'unseen') words.push('not reached yet');
    return words.join(', ');
  }

  /** The node at which a pruned node was cut off. */
  cutter(i) {
    let at = this.nodes[i].up;
    while (this.nodes[at].pruned) at = this.nodes[at].up;
    return at;
  }

  choose(i) {
    this.chosen = i;
    this.refresh();
    this.select(i);
  }

  // --- mouse, finger, keyboard ---

  listen() {
    const { svg } = this;
    const fingers = new Map();
    let moved = 0;
    svg.addEventListener('wheel', (event) => {
      event.preventDefault();
      const box = svg.getBoundingClientRect();
      this.zoom(Math.exp(-event.deltaY * 0.0015), event.clientX - box.left, event.clientY - box.top);
    }, { passive: false });
    svg.addEventListener('pointerdown', (event) => {
      fingers.set(event.pointerId, event);
      moved = 0;
      this.touched = event.target.closest('[data-node]')?.dataset.node;
      svg.setPointerCapture?.(event.pointerId);
    });
    svg.addEventListener('pointermove', (event) => {
      const was = fingers.get(event.pointerId);
      if (!was) return;
      moved += Math.abs(event.clientX - was.clientX) + Math.abs(event.clientY - was.clientY);
      if (fingers.size === 2) {
        const other = [...fingers.values()].find((finger) => finger.pointerId !== event.pointerId);
        const apart = (a) => Math.hypot(a.clientX - other.clientX, a.clientY - other.clientY);
        const box = svg.getBoundingClientRect();
        this.zoom(apart(event) / Math.max(1, apart(was)), (event.clientX + other.clientX) / 2 - box.left, (event.clientY + other.clientY) / 2 - box.top);
      } else {
        this.handled = true;
        this.x += event.clientX - was.clientX;
        this.y += event.clientY - was.clientY;
        this.refresh();
      }
      fingers.set(event.pointerId, event);
    });
    const up = (event) => {
      fingers.delete(event.pointerId);
      if (moved < 5 && this.touched !== undefined && event.type === 'pointerup') this.choose(Number(this.touched));
    };
    svg.addEventListener('pointerup', up);
    svg.addEventListener('pointercancel', up);
    svg.addEventListener('dblclick', () => { if (this.chosen >= 0) this.toggle(this.chosen); });
    svg.addEventListener('keydown', (event) => this.key(event));
  }

  /** Arrow keys walk the tree while it has the focus; space folds a node. */
  key(event) {
    const at = Math.max(this.chosen, 0);
    const siblings = this.nodes[at].up < 0 ? [at] : this.below[this.nodes[at].up];
    const to = {
      ArrowUp: this.nodes[at].up, ArrowDown: this.collapsed.has(at) ? -1 : this.below[at][0],
      ArrowLeft: siblings[siblings.indexOf(at) - 1], ArrowRight: siblings[siblings.indexOf(at) + 1],
    }[event.key];
    if (event.key === ' ') this.toggle(at);
    else if (event.key === '+' || event.key === '=') this.zoom(1.25);
    else if (event.key === '-') this.zoom(0.8);
    else if (event.key === '0') this.fit();
    else if (event.key.startsWith('Arrow')) {
      if (to !== undefined && to >= 0) { this.choose(to); this.bringIntoView(to); }
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // --- pictures for slides ---

  /** The tree as it stands, as an SVG file. */
  async file() {
    const sheets = await Promise.all(['tree.css'].map((name) => fetch(name).then((answer) => answer.text())));
    const [w, t] = [Math.ceil(this.width + 40), Math.ceil(this.height + 40)];
    const kept = [this.scale, this.room];
    [this.scale, this.room] = [1, 0];
    const parts = this.seen.length > 4000 ? this.outline(this.seen) : this.detail(this.seen);
    [this.scale, this.room] = kept;
    const style = s('style', {});
    style.textContent = sheets.join('\n');
    const svg = s('svg', { xmlns: 'http://www.w3.org/2000/svg', class: 'tree', width: w, height: t, viewBox: `-20 -10 ${w} ${t}` },
      style, s('rect', { class: 'paper', x: -20, y: -10, width: w, height: t }), parts);
    return { text: new XMLSerializer().serializeToString(svg), width: w, height: t };
  }

  async png() {
    const { text, width, height } = await this.file();
    const url = URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' }));
    const image = new Image();
    await new Promise((done, failed) => { image.onload = done; image.onerror = failed; image.src = url; });
    const scale = Math.min(2, 8000 / Math.max(width, height));
    const canvas = h('canvas', { width: Math.ceil(width * scale), height: Math.ceil(height * scale) });
    canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
    URL.revokeObjectURL(url);
    return new Promise((done) => { canvas.toBlob(done, 'image/png'); });
  }
}

const cap = (text) => text.replace(/^the root/, 'The root');
