// The view in which searches are watched: choose a position and a search, and step through what it did.

import { ask, start } from './api.js';
import { Deepening } from './deepening.js';
import { announce, choice, download, h, labelled, toast, untoast } from './dom.js';
import { stored } from './game.js';
import { picture } from './picture.js';
import { Predict } from './predict.js';
import { Pseudocode } from './pseudocode.js';
import { TreeView } from './tree.js';
import { TreeBuilder } from './treebuild.js';
import { pngFile, svgFile } from './treefile.js';
import { UctView } from './uct.js';

const ORDERS = { best: 'the best move first', worst: 'the best move last', mirror: 'from right to left' }; // of the moves
const BOTH = 'both'; // the best move first, beside the best move last

const EXAMPLES = [
  { name: 'Three by three (AIMA)', game: 'tree', start: '[[3, 12, 8], [2, 4, 6], [14, 5, 2]]', search: 'alphabeta' },
  { name: 'Deep cutoffs', game: 'tree', start: '[[[[5, 6], [7, 4, 5]], [[3]]], [[[6], [6, 9]], [[7]]], [[[5]], [[9, 8], [6]]]]', search: 'alphabeta' },
  { name: 'Eight leaves', game: 'tree', start: '[[[5, 0], [6, 1]], [[3, 2], [4, 7]]]', search: 'alphabeta' },
  { name: 'With chance', game: 'chancetree', start: '[chance[0.5: [2, 4], 0.5: [7, 4]], chance[0.5: [6, 0], 0.5: [5, -2]]]', search: 'expectiminimax' },
  { name: 'Tic-tac-toe, near the end', game: 'tictactoe', start: 'XO./.X./..O x', search: 'alphabeta' },
  { name: 'Hexapawn, whole game', game: 'hexapawn', start: '', search: 'alphabeta' },
  { name: 'UCT on tic-tac-toe', game: 'tictactoe', start: 'XO./.X./..O x', search: 'uct' },
  { name: 'The engine on Connect Four, 4 plies', game: 'connect4', start: '', search: 'engine', depth: 4 },
  { name: 'The horizon: a man is given away, quiescence sees it', game: 'checkers', start: 'W:W26,27:B13,20', search: 'alphabeta', second: 'engine', on: 'quiescence', depth: 1 },
  { name: 'The same tree in two orders', game: 'tree', start: '[[3, 12, 8], [2, 4, 6], [14, 5, 2]]', search: 'alphabeta', second: 'alphabeta/best' },
  { name: 'Tic-tac-toe, the best move first against last', game: 'tictactoe', start: 'XO./.X./..O x', search: 'alphabeta', second: 'alphabeta/both' },
  { name: 'Tic-tac-toe, depth by depth', game: 'tictactoe', start: 'XO./.X./... o', search: 'alphabeta', deepening: true, depth: 6 },
  { name: 'Connect Four, 5 plies', game: 'connect4', start: '', search: 'alphabeta', depth: 5 },
];

export class TreePage {
  constructor(catalogue) {
    this.catalogue = catalogue;
    /** @type {TreeView[]} */
    this.views = [];
    this.step = 0;
    /** @type {(() => void)[]} */
    this.stops = []; // of the searches under way
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.running = undefined; // the next tick, while it plays
    this.deepening = new Deepening(this);
    this.predict = new Predict(this);
    this.builder = new TreeBuilder(this);
    this.code = new Pseudocode();
    /** @type {HTMLButtonElement[]} */
    this.jumps = []; // to the last cutoff and to the next
    this.boardPlace = h('div', { class: 'tree-board' });
    this.moves = [];
    this.build();
    addEventListener('keydown', (event) => this.key(event));
  }

  build() {
    this.examples = choice({ 'aria-label': 'Examples', onchange: () => { untoast(); this.take(EXAMPLES[this.examples.value]); } },
      [['', 'Examples…'], ...EXAMPLES.map((example, i) => [i, example.name])], '');
    this.game = choice({ id: 'tree-game', onchange: () => { this.start.value = ''; this.moves = []; this.fits(); } }, this.catalogue.games.map((game) => [game.id, game.title]), 'tree');
    this.start = h('textarea', { id: 'tree-start', rows: 1, spellcheck: 'false', placeholder: 'the usual start' });
    this.start.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => { // with Shift it breaks the line
      if (event.key !== 'Enter' || event.shiftKey) return;
      event.preventDefault();
      this.start.form?.requestSubmit();
    });
    this.search = h('select', { id: 'tree-search' });
    this.second = h('select', { id: 'tree-second' });
    this.depth = h('input', { id: 'tree-depth', type: 'number', min: 1, max: 64, placeholder: 'to the end' });
    this.iterations = h('input', { id: 'tree-iterations', type: 'number', min: 1, max: 500, value: 60 });
    this.iterationsField = labelled('Iterations', this.iterations, { hidden: true });
    this.on = h('input', { id: 'tree-on', placeholder: 'all -tapered -plausible', autocomplete: 'off', title: this.catalogue.switches.map((one) => one.name).join(', ') });
    this.onField = labelled('Switches', this.on, { hidden: true });
    this.search.addEventListener('change', () => this.fits()); // the orders beside it are of this search
    this.second.addEventListener('change', () => this.counted());
    this.growButton = h('button', { class: 'primary', type: 'submit', 'data-do': 'grow' }, 'Search');
    this.cancelButton = h('button', { type: 'button', 'data-do': 'cancel', hidden: true, onclick: () => this.cancel() }, 'Cancel');
    this.waiting = h('span', { class: 'note', role: 'status' });
    const form = h('form', { class: 'card tree-form', onsubmit: (event) => { event.preventDefault(); untoast(); this.grow(); } },
      h('div', { class: 'fields' }, labelled('Game', this.game), labelled('Position, or a tree', this.start, { class: 'field wide' }), labelled('Search', this.search), labelled('Depth', this.depth), this.iterationsField, this.onField, labelled('Beside it', this.second)),
      h('div', { class: 'row' }, this.growButton, this.cancelButton, this.waiting, this.examples,
        h('button', { type: 'button', onclick: () => this.fromBoard(), 'data-do': 'from-board' }, 'The position on the board'),
        h('button', { type: 'button', onclick: () => this.make(), 'data-do': 'make' }, 'Make a tree'),
        h('label', { class: 'field inline' }, this.deepening.box, h('span', {}, 'Depth by depth'))));
    this.slider = h('input', { type: 'range', min: 0, value: 0, 'aria-label': 'Step', oninput: () => this.goTo(Number(this.slider.value)) });
    this.playButton = h('button', { onclick: () => this.toggle(), title: 'Play (space)', 'data-do': 'run' }, 'Play');
    this.speed = choice({ 'aria-label': 'Speed' }, [[1, '1 step/s'], [3, '3 steps/s'], [10, '10 steps/s'], [40, '40 steps/s']], 3);
    const button = (name, text, label, act) => h('button', { 'data-do': name, 'aria-label': label, title: label, onclick: act }, text);
    this.jumps = [button('cut-back', '', 'To the previous one', () => this.cutoff(-1)), button('cut-on', '', 'To the next one (c)', () => this.cutoff(1))];
    this.controls = h('div', { class: 'tree-controls card', hidden: true },
      h('div', { class: 'row' },
        button('first', '«', 'To the start', () => this.goTo(0)), button('back', '‹', 'One step back (←)', () => this.back()),
        this.playButton, button('on', '›', 'One step on (→)', () => this.forward()), button('last', '»', 'To the end', () => this.goTo(this.most())),
        ...this.jumps, this.speed, this.predict.button, this.predict.score, this.slider),
      this.words = h('p', { class: 'step-words', 'aria-live': 'polite' }), this.predict.place);
    this.stage = h('div', { class: 'stage' });
    this.info = h('div', { class: 'card tree-info', hidden: true });
    this.code.node.hidden = true;
    const tool = (name, text, act) => h('button', { 'data-do': name, onclick: act }, text);
    this.tools = h('div', { class: 'row tree-tools', hidden: true },
      tool('zoom-in', 'Zoom in', () => this.each((view) => view.zoom(1.3))), tool('zoom-out', 'Zoom out', () => this.each((view) => view.zoom(0.77))),
      this.boardsButton = h('button', { 'data-do': 'boards', 'aria-pressed': 'false', onclick: () => this.toggleBoards() }, 'Boards'),
      tool('fit', 'Fit', () => this.each((view) => view.fit())), tool('expand', 'Unfold all', () => this.each((view) => view.expandAll())),
      tool('svg', 'SVG', () => this.save('svg')), tool('png', 'PNG', () => this.save('png')), tool('link', 'Link', () => this.link()));
    this.node = h('div', { class: 'tree-page' }, h('h1', { class: 'out-of-sight' }, 'Search trees'), form, this.controls, h('div', { class: 'tree-main' }, this.stage, h('div', { class: 'beside-tree' }, this.code.node, this.deepening.node, this.info)), this.tools);
    this.fits();
  }

  entry() {
    return this.catalogue.games.find((game) => game.id === this.game.value.split(':')[0]);
  }

  /** The searches that fit the game and can be watched. */
  fits() {
    const names = this.entry().traced;
    const kept = [this.search.value, this.second.value];
    const usual = this.entry().chance ? 'expectiminimax' : 'alphabeta';
    this.search.replaceChildren(...names.map((name) => h('option', { value: name, selected: name === (names.includes(kept[0]) ? kept[0] : usual) }, name)));
    const search = this.search.value;
    const ordered = search === 'engine' || this.entry().samples.includes(search) ? [] // they choose the moves themselves
      : [...Object.entries(ORDERS).map(([order, text]) => [`${search}/${order}`, `the same, ${text}`]), [`${search}/${BOTH}`, 'the best move first, against last']];
    this.second.replaceChildren(h('option', { value: '' }, 'nothing'), ...[...names.map((name) => [name, name]), ...ordered].map(([value, text]) => h('option', { value, selected: value === kept[1] }, text)));
    if (this.game.value.includes('tree')) this.depth.value = '';
    this.counted();
  }

  /** UCT counts iterations, the others plies; the engine has switches. */
  counted() {
    const chosen = [this.search.value, this.second.value];
    this.iterationsField.hidden = !chosen.some((name) => this.entry().samples.includes(name));
    this.onField.hidden = !chosen.includes('engine');
  }

  setGame(id) {
    if (![...this.game.options].some((option) => option.value === id)) this.game.append(h('option', { value: id }, id));
    this.game.value = id;
  }

  take(example) {
    if (!example) return;
    this.setGame(example.game);
    this.fits();
    this.start.value = example.start;
    this.moves = [];
    this.search.value = example.search;
    this.fits();
    this.second.value = example.second ?? '';
    this.on.value = example.on ?? '';
    this.deepening.box.checked = !!example.deepening;
    this.depth.value = example.depth || '';
    this.counted();
    this.examples.value = '';
    this.grow();
  }

  fromBoard() {
    const game = stored();
    if (!game) return toast('No game has been played in this browser yet.');
    this.setGame(game.id);
    this.fits();
    this.start.value = game.start;
    this.moves = game.actions.slice(0, game.cursor);
    if (!this.depth.value) this.depth.value = 3;
    this.grow();
  }

  async open(parts) {
    const id = parts.get('game');
    const known = id && this.catalogue.games.some((game) => game.id === id.split(':')[0]);
    if (id && !known) toast(`There is no game called ${id} here.`);
    if (known) {
      this.setGame(id);
      this.fits();
      this.start.value = parts.get('start') || '';
      this.moves = (parts.get('moves') || '').split('.').filter(Boolean);
      this.depth.value = parts.get('depth') || '';
      this.pick(this.search, parts.get('search'));
      this.fits();
      this.deepening.box.checked = parts.has('deepening');
      this.pick(this.second, parts.get('with') || '');
      this.iterations.value = parts.get('iterations') || 60;
      this.on.value = parts.get('on') || '';
      this.counted();
      this.grow(Number(parts.get('step') ?? NaN), parts.has('play'));
    } else if (!this.views.length) this.take(EXAMPLES[0]);
  }

  /** Choose what a link names; one that is not offered is told. */
  pick(select, name) {
    if (name === null) return;
    if ([...select.options].some((option) => option.value === name)) select.value = name;
    else toast(`There is no search ${name} for this game; there are ${this.entry().traced.join(', ')}.`);
  }

  close() {
    this.pause();
  }

  body(wanted) {
    const [search, order] = wanted.split('/');
    const sampled = this.entry().samples.includes(search);
    return {
      game: this.game.value, start: this.start.value.trim(), actions: this.moves, search,
      depth: this.depth.value && !sampled ? Number(this.depth.value) : null, ...(sampled ? { iterations: Number(this.iterations.value) || 100 } : {}),
      ...(search === 'engine' && this.on.value.trim() ? { on: this.on.value.trim() } : {}), ...(order ? { order } : {}),
    };
  }

  /** Ask for a tree; what the compiler does is told meanwhile. */
  told(search, more = {}) {
    return new Promise((done, failed) => {
      const stop = start({ type: 'grow', ...this.body(search), ...more }, (said) => {
        if (said.type === 'compiling') this.waiting.textContent = said.message;
        if (said.type === 'queued') this.waiting.textContent = 'waiting for a free worker…';
        if (said.type === 'error') failed(new Error(said.message));
        if (said.type === 'done') { if (said.tree) done(said.tree); else failed(new Error('stopped')); }
      });
      this.stops.push(() => { stop(); failed(new Error('stopped')); });
    });
  }

  cancel() {
    this.stops.forEach((stop) => stop());
  }

  /** A tree that is typed says itself whether it has chance nodes. */
  allowChance() {
    if (this.game.value !== 'tree' || !/\bchance\s*\[/.test(this.start.value)) return;
    this.game.value = 'chancetree';
    this.fits();
  }

  async grow(step = NaN, runs = false) {
    this.pause();
    this.stops = [];
    this.allowChance();
    if (!this.search.value) return toast(`No search can be shown for ${this.entry().title}: ${this.entry().kind}.`);
    this.growButton.disabled = true;
    this.growButton.textContent = 'Searching…';
    this.cancelButton.hidden = false;
    try {
      this.deepening.forget();
      const deepens = this.deepening.on && !this.entry().samples.includes(this.search.value);
      const searches = this.searches(deepens);
      const found = deepens ? [await this.deepening.grow(this.search.value)] : await Promise.all(searches.map((search) => this.told(search)));
      this.views = found.map((data, n) => new (data.search === 'uct' ? UctView : TreeView)((i) => this.choose(n, i)));
      found.forEach((data, n) => { data.order = ORDERS[searches[n].split('/')[1]]; });
      this.stage.replaceChildren(...this.views.map((view) => view.node));
      this.stage.dataset.count = this.views.length;
      for (const part of [this.controls, this.tools]) part.hidden = false;
      this.info.hidden = true;
      this.views.forEach((view, n) => { if (this.boardsOn()) view.drawBoards(this.boards()); view.load(found[n]); });
      this.deepening.show();
      const stops = found[0].search === 'uct' ? 'iteration' : 'cutoff';
      this.jumps[0].textContent = `‹ ${stops}`;
      this.jumps[1].textContent = `${stops} ›`;
      this.slider.max = this.most();
      this.predict.forget();
      this.code.load(found[0].search);
      this.goTo(Number.isNaN(step) ? 0 : step);
      if (runs) this.toggle();
      if (this.node.isConnected) history.replaceState(null, '', `#${this.address()}`);
    } catch (error) {
      toast(error.message);
    }
    this.growButton.disabled = false;
    this.cancelButton.hidden = true;
    this.waiting.textContent = '';
    this.growButton.textContent = 'Search';
  }

  /** What is searched: one, or two side by side. */
  searches(deepens) {
    const [first, second] = [this.search.value, this.second.value];
    if (deepens || !second) return [first];
    return second.endsWith(`/${BOTH}`) ? ['best', 'worst'].map((order) => `${first}/${order}`) : [first, second];
  }

  address() {
    const parts = new URLSearchParams({ game: this.game.value, search: this.search.value });
    if (this.start.value.trim()) parts.set('start', this.start.value.trim());
    if (this.moves.length) parts.set('moves', this.moves.join('.'));
    if (this.depth.value) parts.set('depth', this.depth.value);
    if (this.second.value) parts.set('with', this.second.value);
    if (this.deepening.on) parts.set('deepening', '1');
    if (!this.iterationsField.hidden) parts.set('iterations', this.iterations.value);
    if (!this.onField.hidden && this.on.value.trim()) parts.set('on', this.on.value.trim());
    if (this.step > 0) parts.set('step', String(this.step));
    return `tree?${parts}`;
  }

  /** Begin a tree that is made by clicking. */
  async make() {
    this.setGame('tree');
    this.start.value = '[[3, 5], [2, 9]]';
    this.moves = [];
    this.depth.value = '';
    this.second.value = '';
    this.deepening.box.checked = false;
    this.fits();
    await this.grow();
    if (!this.views.length) return;
    this.goTo(this.most());
    this.views[0].choose(0);
    toast('Click a node: beside the tree you change it.', 'fine');
  }

  /** Show another tree in the place of the first one. */
  showTree(data, step) {
    const [view] = this.views;
    view.load(data);
    this.slider.max = this.most();
    this.goTo(Math.min(step, this.most()));
  }

  // --- small boards ---

  boardsOn() {
    return this.boardsButton.getAttribute('aria-pressed') === 'true' && !this.game.value.includes('tree');
  }

  /** Where the small boards of the game come from. */
  boards() {
    const here = { game: this.game.value, start: this.start.value.trim(), actions: this.moves };
    return async (ways) => (await ask('pictures', { ...here, ways })).svgs.map((svg) => (svg ? picture(svg) : null));
  }

  toggleBoards() {
    const on = this.boardsButton.getAttribute('aria-pressed') !== 'true';
    this.boardsButton.setAttribute('aria-pressed', String(on));
    if (on && !this.boardsOn()) toast('A tree that is typed in has no boards.', 'fine');
    this.each((view) => view.drawBoards(this.boardsOn() ? this.boards() : null));
  }

  // --- stepping ---

  forward() {
    if (this.predict.on) return this.predict.ask();
    if (this.step < this.most() || !this.deepening.further()) this.goTo(this.step + 1);
  }

  back() {
    if (this.step > 0 || !this.deepening.before()) this.goTo(this.step - 1);
  }

  each(act) {
    this.views.forEach(act);
  }

  most() {
    return Math.max(0, ...this.views.map((view) => view.steps.length));
  }

  goTo(step) {
    if (!this.views.length) return;
    this.step = Math.max(0, Math.min(step, this.most()));
    this.predict.forget();
    this.slider.value = this.step;
    this.each((view) => {
      view.goTo(this.step);
      view.title.textContent = view.heading();
    });
    const [view] = this.views;
    const { lit } = this;
    this.words.textContent = `Step ${this.step} of ${this.most()}. ${view.words(Math.min(this.step, view.steps.length))}`;
    this.code.light(view.steps[Math.min(this.step, view.steps.length) - 1]?.[0]);
    if (lit && lit.chosen >= 0 && this.views.includes(lit)) this.showInfo(this.views.indexOf(lit), lit.chosen);
  }

  cutoff(direction) {
    const all = [...new Set(this.views.flatMap((view) => view.cutoffs))].sort((a, b) => a - b);
    const next = direction > 0 ? all.find((t) => t > this.step) : all.filter((t) => t < this.step).at(-1);
    const sort = this.views[0].data.search === 'uct' ? 'iteration' : 'cutoff';
    if (next === undefined) return toast(all.length ? `No further ${sort} that way.` : 'This search prunes nothing.', 'fine');
    this.goTo(next);
  }

  toggle() {
    if (this.running) return this.pause();
    if (this.step >= this.most()) this.goTo(0);
    this.playButton.textContent = 'Pause';
    const tick = () => {
      if (this.step < this.most() || !this.deepening.further()) this.goTo(this.step + 1);
      if (this.step >= this.most() && !this.deepening.more()) this.pause();
      else this.running = setTimeout(tick, 1000 / Number(this.speed.value));
    };
    this.running = setTimeout(tick, 300);
  }

  pause() {
    clearTimeout(this.running);
    this.running = undefined;
    this.playButton.textContent = 'Play';
  }

  key(event) {
    if (!this.node.isConnected || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest('input:not([type=range]), select, textarea, dialog')) return;
    const act = {
      ArrowLeft: () => this.back(), ArrowRight: () => this.forward(), Home: () => this.goTo(0), End: () => this.goTo(this.most()),
      c: () => this.cutoff(1), ' ': () => (event.target.closest('button') ? null : this.toggle()),
    }[event.key];
    if (!act || (event.key === ' ' && event.target.closest('button'))) return;
    event.preventDefault();
    act();
  }

  // --- one node ---

  choose(n, i) {
    this.lit = this.views[n];
    this.each((view) => { if (view !== this.lit && view.chosen >= 0) { view.chosen = -1; view.refresh(); } });
    this.showInfo(n, i);
    announce(`${this.views[n].name(i)}: ${this.views[n].summary(i)}`);
    this.showBoard(n, i);
  }

  showInfo(n, i) {
    const view = this.views[n];
    const node = view.nodes[i];
    const row = (name, value) => (value ? [h('dt', {}, name), h('dd', {}, value)] : []);
    const pruned = view.status(i) === 'pruned';
    const cutter = pruned ? view.cutter(i) : i;
    const why = view.nodes[cutter].cut && (pruned || view.cutAt[i] <= view.step);
    this.info.hidden = false;
    this.info.replaceChildren(
      h('h2', {}, view.name(i)),
      h('dl', {}, row('who moves', node.who === 'leaf' ? 'nobody: a leaf' : node.who), view.facts(i).flatMap(([name, value]) => row(name, value))),
      h('div', { class: 'row' },
        why && view.nodes[cutter].cut.by >= 0 && h('button', { onclick: () => { view.reveal(view.nodes[cutter].cut.by); view.choose(view.nodes[cutter].cut.by); view.bringIntoView(view.nodes[cutter].cut.by); } }, 'Go to that ancestor'),
        view.below[i].length > 0 && h('button', { onclick: () => { view.toggle(i); this.showInfo(n, i); } }, view.collapsed.has(i) ? 'Unfold' : 'Fold'),
        view.left[i] <= view.steps.length && h('button', { onclick: () => this.goTo(view.left[i]) }, 'Step where it ends')),
      this.builder.node, this.boardPlace);
    if (n === 0) this.builder.show(i); else this.builder.node.hidden = true;
  }

  async showBoard(n, i) {
    const view = this.views[n];
    const actions = [...this.moves, ...view.path(i).map((at) => view.nodes[at].action)];
    try {
      const position = await ask('position', { game: this.game.value, start: this.start.value.trim(), actions });
      if (view.chosen !== i) return;
      this.boardPlace.replaceChildren(position.svg ? picture(position.svg) : h('p', { class: 'note' }, position.note || position.text));
    } catch (error) {
      this.boardPlace.replaceChildren(h('p', { class: 'note' }, error.message));
    }
  }

  // --- taking it away ---

  async save(kind) {
    try {
      const css = (await Promise.all(['tree.css', ...(this.boardsOn() ? ['board.css'] : [])].map(async (file) => (await fetch(file)).text()))).join('\n');
      for (const view of this.views) {
        const blob = kind === 'png' ? await pngFile(view, css) : new Blob([svgFile(view, css).text], { type: 'image/svg+xml' });
        download(`${view.data.search}.${kind}`, blob);
      }
    } catch {
      toast('The picture cannot be made: is the server still running?');
    }
  }

  link() {
    const link = `${location.href.split('#')[0]}#${this.address()}`;
    history.replaceState(null, '', link);
    navigator.clipboard?.writeText(link).then(() => toast('The link is in the clipboard.', 'fine'), () => toast('The link is in the address bar.', 'fine'));
  }
}
