// The tree that a search saw, step by step. Small trees are drawn in full; of large ones what is in sight, and
// from far away only their outline, so that ten thousand nodes stay smooth.

import { h, s } from './dom.js';
import { listen } from './gestures.js';
import { tidy } from './layout.js';
import { Timeline } from './timeline.js';

const LEVEL = 96;
const TALL = 42;
const SIDE = 84; // of a node that is a small board
const ASKED = 60; // small boards that are asked for at once
const GAP = 14;
const MANY = 500; // nodes drawn one by one
const OPENED = 60; // nodes that a large tree shows at first
const LEGIBLE = 0.66; // the scale below which nothing can be read
const LARGEST = 1.8; // the scale beyond which a small tree is not enlarged to fill its place

export class TreeView extends Timeline {
  /** `select(i)` is called when a node is chosen. */
  constructor(select) {
    super();
    this.select = select;
    this.chosen = -1;
    this.drawnAs = ''; // what was drawn from far away, and where
    this.drawnAt = { x: NaN, y: NaN };
    this.world = s('g', { class: 'world' });
    this.svg = s('svg', { class: 'tree', role: 'group', tabindex: 0, 'aria-label': 'Search tree' }, this.world);
    this.title = h('p', { class: 'tree-title' });
    this.node = h('div', { class: 'tree-place' }, this.title, this.svg);
    this.x = this.y = this.room = 0;
    this.scale = 1;
    this.follow = true;
    this.boards = null; // where small boards come from: of ways, their pictures
    this.pictures = new Map();
    this.level = LEVEL;
    this.tall = TALL;
    /** @type {Set<number>} */
    this.collapsed = new Set();
    /** @type {Set<number>} */
    this.unfolded = new Set(); // those that open while the search is inside them
    /** @type {number[]} */
    this.seen = []; // the nodes in sight
    this.at = new Int32Array(); // of every node its number among those; -1: it is not
    this.places = new Float64Array(); // of those in sight
    this.half = this.width = this.height = this.marker = this.arranged = 0;
    this.far = false;
    listen(this);
    this.handled = false; // whether somebody has moved it about
    new ResizeObserver(() => { if (this.data) (this.handled ? this.refresh() : this.fit(true)); }).observe(this.svg);
  }

  /** Show another tree, all of its steps done. */
  load(data) {
    this.read(data);
    this.pictures = new Map(); // of nodes that are drawn as small boards
    this.collapsed = new Set();
    this.unfolded = new Set();
    if (this.nodes.length > 3 * OPENED) this.collapseBelow();
    this.chosen = -1;
    this.arrange();
    this.goTo(this.steps.length);
    this.fit(true);
  }

  /**
   * Draw the nodes as small boards, or (null) as shapes again.
   * @param {((ways: string[][]) => Promise<(Element | null)[]>) | null} boards of ways from the root, their pictures
   */
  drawBoards(boards) {
    this.boards = boards;
    this.pictures = new Map();
    [this.level, this.tall] = boards ? [LEVEL + SIDE, SIDE + 20] : [LEVEL, TALL];
    if (!this.data) return;
    this.arrange();
    this.fit(true);
  }

  /** Ask for the boards of nodes in sight that have none yet. */
  async learnBoards(nodes) {
    const lacking = nodes.filter((i) => !this.pictures.has(i) && !this.nodes[i].count).slice(0, ASKED);
    if (!this.boards || !lacking.length) return;
    const { boards, data } = this;
    for (const i of lacking) this.pictures.set(i, null); // on its way
    const found = await boards(lacking.map((i) => this.path(i).map((at) => this.nodes[at].action))).catch(() => []);
    if (this.data !== data || this.boards !== boards) return;
    lacking.forEach((i, n) => { if (found[n]) this.pictures.set(i, found[n]); });
    this.refresh();
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
    if (this.at[i] >= 0) { this.x += was.x - now.x; this.y += was.y - now.y; } // what it is inside of is as it was
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
    this.arranged += 1;
    this.seen = [];
    this.at = new Int32Array(this.nodes.length).fill(-1);
    this.nodes.forEach((node, i) => {
      if (i && (this.at[node.up] < 0 || this.collapsed.has(node.up))) return;
      this.at[i] = this.seen.length;
      this.seen.push(i);
    });
    const children = this.seen.map((i) => (this.collapsed.has(i) ? [] : this.below[i].map((c) => this.at[c])));
    const longest = Math.max(2, ...this.nodes.slice(0, 3000).map((n) => (n.value ?? n.static ?? '').length));
    const bound = this.nodes.some((n) => '<>'.includes(n.bound?.[0] ?? '=')) ? 1 : 0; // its sign stands before a value
    this.half = Math.max(this.boards ? SIDE / 2 : 22, 7 * (longest + bound) + 6);
    const leafHalf = Math.max(this.boards ? SIDE / 2 : 20, 4.4 * longest + 8);
    const windowed = this.windowed();
    const reach = this.seen.map((i) => {
      const name = 6.7 * (this.nodes[i].name || '').length - 4; // the label on its edge, in bold, must not meet the next one
      const below = Math.max(0, ...this.windows[i].map(([, alpha, beta]) => 3.6 * `${alpha}${beta}`.length + 7)); // the window below a leaf
      const half = Math.max(name, this.inner(i) ? this.half : Math.max(leafHalf, below));
      return [half, this.inner(i) && windowed ? Math.max(half, this.half + 62) : half];
    });
    this.places = tidy(children, reach, GAP);
    this.width = Math.max(...this.seen.map((_, k) => this.places[k] + reach[k][1]));
    this.height = (Math.max(...this.seen.map((i) => this.ply[i])) + 1) * this.level;
  }

  /** Whether a node is drawn as a player's, not as a leaf. */
  inner(i) {
    return this.below[i].length > 0;
  }

  /** Whether something stands beside the nodes. */
  windowed() {
    return this.windows[0].length > 0;
  }

  /** Where a node in sight stands in the picture, before it is moved about. A wide tree is not squeezed in height. */
  where(i) {
    const k = this.at[i];
    return { x: this.places[k] * this.scale, y: (this.ply[i] * this.level + this.tall) * this.steep() };
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
    const whole = Math.min(LARGEST, box.width / (this.width + 40), box.height / (this.height + 40));
    this.scale = legible ? Math.max(whole, LEGIBLE) : whole;
    const root = this.places[0] * this.scale;
    this.x = whole < this.scale ? box.width / 2 - root : (box.width - this.width * this.scale) / 2;
    this.y = Math.max(6, Math.min(box.height / 6, (box.height - this.height * this.steep()) / 2 - 10));
    if (legible) this.followOn();
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
    this.followOn();
    this.refresh();
  }

  /** While it runs, the node where the search is stays in sight. */
  followOn() {
    if (this.follow && this.step > 0 && this.step < this.steps.length) this.moveInto(this.marker);
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

  /** Somebody wants to see a node: the tree stays so, whatever becomes of its place. */
  bringIntoView(i) {
    if (this.moveInto(i)) this.handled = true;
  }

  /** Move the tree so that a node is in sight; whether it had to go sideways. */
  moveInto(i) {
    const box = this.svg.getBoundingClientRect();
    const place = this.where(i);
    if (this.at[i] < 0 || !box.width) return false;
    const [x, y] = [place.x + this.x, place.y + this.y];
    const margin = 24;
    const aside = x < margin || x > box.width - margin;
    if (aside) this.x += box.width / 2 - x;
    if (y < margin) this.y += margin - y;
    if (y > box.height - margin) this.y -= y - (box.height - margin);
    return aside;
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
    const moved = Math.hypot(this.x - this.drawnAt.x, this.y - this.drawnAt.y);
    if (this.far && as.join() === this.drawnAs && moved < box.width / 2) return; // far away there is some more around
    [this.drawnAs, this.drawnAt] = [as.join(), { x: this.x, y: this.y }];
    const steep = this.steep();
    const around = this.far ? box.width / 2 + 90 : 90;
    const inSight = this.seen.filter((i, k) => {
      const x = this.places[k] * this.scale + this.x;
      const y = (this.ply[i] * this.level + this.tall) * steep + this.y;
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
    const place = this.where(this.marker);
    paths.push(s('circle', { class: 'here', cx: place.x, cy: place.y, r: 10 }));
    return paths;
  }

  detail(nodes) {
    const needed = new Set(nodes);
    const edges = nodes.filter((i) => this.nodes[i].up >= 0).map((i) => this.edge(i));
    const labels = nodes.filter((i) => this.nodes[i].up >= 0).map((i) => this.label(i));
    if (!this.far) this.learnBoards(nodes);
    return [...this.horizons(nodes), ...edges, ...labels, ...nodes.filter((i) => needed.has(i)).map((i) => this.shape(i))];
  }

  /** Where the depth ends: what lies below a line is looked at only because the node above it is not quiet. */
  horizons(nodes) {
    const beyond = new Map(); // of each node at the horizon, those in sight beyond it
    for (const i of nodes) if (this.horizon[i] >= 0) beyond.set(this.horizon[i], [...(beyond.get(this.horizon[i]) ?? []), this.where(i).x]);
    return [...beyond].flatMap(([i, all]) => {
      const y = (((this.ply[i] + 0.42) * this.level + this.tall) * this.steep()).toFixed(1); // above the names of the moves
      const [from, to] = [Math.min(...all) - 100 * this.scale, Math.max(...all) + 100 * this.scale];
      return [s('path', { class: 'horizon', d: `M${from.toFixed(1)} ${y}H${to.toFixed(1)}` }),
        s('text', { class: 'horizon-words', x: from, y: Number(y) + 14 }, 'horizon')];
    });
  }

  sort(i) {
    const node = this.nodes[i];
    const status = this.status(i);
    const classes = [node.who, status];
    if (node.principal && this.left[0] <= this.step) classes.push('principal');
    if (i === this.marker && this.step < this.steps.length) classes.push('current');
    if (i === this.chosen) classes.push('chosen');
    if (status === 'open') classes.push('on-path');
    if (this.horizon[i] >= 0) classes.push('beyond');
    return classes.join(' ');
  }

  edge(i) {
    const from = this.where(this.nodes[i].up);
    const to = this.where(i);
    const [x1, y1, x2, y2] = [from.x, from.y + (this.tall / 2) * this.scale, to.x, to.y - (this.tall / 2) * this.scale];
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
    const high = this.tall * this.scale;
    const [x, y] = [from.x + 0.64 * (to.x - from.x), from.y + high / 2 + 0.64 * (to.y - from.y - high)];
    const side = to.x < from.x - 2 ? 'end' : 'start';
    const place = `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${this.scale.toFixed(3)})`;
    return s('text', { class: `action ${this.sort(i)}`, x: side === 'end' ? -5 : 5, transform: place, 'text-anchor': side }, this.nodes[i].name);
  }

  shape(i) {
    const { x, y } = this.where(i);
    const node = this.nodes[i];
    const inner = this.inner(i);
    const board = this.pictures.get(i);
    const parts = board ? this.boardOf(board, this.text(i)) : [inner ? this.outlineOf(node.who) : s('rect', { class: 'shape', x: 3 - this.half, y: -14, width: 2 * this.half - 6, height: 28, rx: 5 })];
    const text = this.text(i);
    const lift = { MAX: 10, MIN: -2 }[inner ? node.who : ''] ?? 5;
    if (text && !board) parts.push(s('text', { class: 'value', y: lift }, text));
    parts.push(...this.beside(i, inner));
    if (this.collapsed.has(i)) parts.push(s('text', { class: 'more', y: this.tall / 2 + 15 }, `+${this.hidden(i)}`));
    parts.push(s('title', {}, `${this.name(i)}: ${this.summary(i)}`));
    return s('g', { class: `node ${this.sort(i)}`, transform: `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${this.scale.toFixed(3)})`, 'data-node': i }, parts);
  }

  /** A node as a small board in a frame of its player's colour, its value below. */
  boardOf(drawn, text) {
    const small = drawn.cloneNode(true);
    const inside = SIDE - 8;
    for (const [name, value] of Object.entries({ x: -inside / 2, y: -inside / 2 - 8, width: inside, height: inside })) small.setAttribute(name, value);
    const wide = Math.max(30, 10 * String(text).length + 12);
    return [s('rect', { class: 'shape', x: -SIDE / 2, y: -SIDE / 2 - 8, width: SIDE, height: SIDE, rx: 8 }), small,
      ...(text ? [s('rect', { class: 'shape plate', x: -wide / 2, y: SIDE / 2 - 14, width: wide, height: 24, rx: 8 }), s('text', { class: 'value', y: SIDE / 2 + 3 }, text)] : [])];
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
    if (!inner) return this.scale < 0.5 || this.pictures.get(i) ? [] : [s('text', { class: 'window', y: 28, 'text-anchor': 'middle' }, `[${window[0]}, ${window[1]}]`)];
    const parts = [`α ${window[0]}`, `β ${window[1]}`].map((line, n) => s('text', { class: 'window', x: this.half + 5, y: -6 + 14 * n }, line));
    if (this.cutAt[i] <= this.step && this.nodes[i].cut) parts.push(s('text', { class: 'why', x: this.half + 5, y: 22 }, this.nodes[i].cut.words));
    return parts;
  }

  hidden(i) {
    const all = [...this.below[i]];
    for (const at of all) all.push(...this.below[at]); // grows while it is gone through
    return all.length;
  }

  choose(i) {
    this.chosen = i;
    this.refresh();
    this.select(i);
  }
}
