// A position set up by hand: pieces are put on the board, moved and taken away, and the game itself says whether that
// is a position. From there a game, an analysis or a search tree begins.

import { ask } from './api.js';
import { BoardView } from './board.js';
import { announce, choice, h, labelled, titled, toast } from './dom.js';
import { icon } from './icons.js';
import { face } from './picture.js';
import { savePicture } from './imagefile.js';

const EMPTY = ' ';
const COUNTED = ['pits', 'points']; // styles whose cells hold a number of things: nothing is dragged there

/**
 * What the server says of a sketch.
 * @typedef {object} Sketch
 * @property {string[]} rows
 * @property {string[]} hands
 * @property {number} player who is to move
 * @property {string} text of the position; nothing if it is none
 * @property {string} problem why it is none
 * @property {boolean} over the game is over there
 * @property {{at: number, name: string, word: string}[]} words what else the text says
 * @property {{symbol: string, name: string, classes?: string, svg?: string}[]} pieces that can be put on the board
 * @property {string} svg
 * @property {string} style
 * @property {string[]} sides
 */

/** @type {Sketch} */
const NONE = { rows: [], hands: [], player: 0, text: '', problem: '', over: false, words: [], pieces: [], svg: '', style: '', sides: [] }; // before the server has said anything

/** The board of a sketch: a click puts the chosen piece, a drag moves one, Delete takes one away. */
class SketchBoard extends BoardView {
  /**
   * @param {HTMLElement} place
   * @param {Editor} editor
   */
  constructor(place, editor) {
    super(place, () => {});
    this.editor = editor;
  }

  choose(/** @type {number[]} */ at) {
    this.editor.put(at);
    return false;
  }

  down(/** @type {PointerEvent} */ event) {
    const at = this.cellAt(event);
    const { svg } = this;
    if (!svg || !at) return;
    event.preventDefault();
    this.focusOn(at.join());
    if (event.button === 2) { this.editor.take(at); return; }
    const piece = COUNTED.includes(this.view.style) ? null : svg.querySelector(`.piece[data-at="${at}"]`);
    this.hold(svg, at, piece, event);
  }

  up(/** @type {PointerEvent} */ event) {
    const { held } = this;
    if (!held || event.button === 2) return;
    const at = this.cellAt(event);
    this.drop();
    if (!held.moving || !held.piece) { if (at) this.choose(at); } else if (!at) this.editor.take(held.at);
    else this.editor.move(held.at, at);
  }

  key(/** @type {KeyboardEvent} */ event) {
    const at = this.focus.split(',').map(Number);
    if (event.key === 'Delete' || event.key === 'Backspace') { event.preventDefault(); this.editor.take(at); } else if (this.editor.isPiece(event.key) && event.key !== EMPTY && !event.ctrlKey && !event.metaKey) this.editor.put(at, event.key);
    else super.key(event);
  }
}

export class Editor {
  /** @param {any} catalogue */
  constructor(catalogue) {
    this.catalogue = catalogue;
    this.flipped = false;
    this.id = ''; // the game
    /** @type {number | null} */
    this.player = null; // who is to move
    this.brush = ''; // the piece that a click puts
    this.words = {}; // what was typed in place of words of the text
    this.waiting = Promise.resolve();
    this.sketch = NONE;
    this.place = h('div', { class: 'board-place' });
    this.board = new SketchBoard(this.place, this);
    /** @type {HTMLButtonElement[]} */
    this.goes = []; // where one goes from a position
    this.build();
  }

  build() {
    this.games = choice({ id: 'edit-game', onchange: () => this.begin(this.games.value, '') }, this.catalogue.games.filter((game) => game.starts && !game.hidden).map((game) => [game.id, game.title]));
    this.palette = h('div', { class: 'palette', role: 'radiogroup', 'aria-label': 'What a click puts on the board' });
    this.movers = h('div', { class: 'movers', role: 'radiogroup', 'aria-label': 'To move' });
    this.hands = h('div', { class: 'fields' });
    this.fields = h('div', { class: 'fields' });
    this.text = h('input', { id: 'edit-text', autocomplete: 'off', spellcheck: 'false', onchange: () => this.typed() });
    this.problem = h('p', { class: 'problem', role: 'status' });
    const tool = (name, text, act, sign = name, props = {}) => h('button', { class: 'tool', 'data-do': name, onclick: act, ...props }, icon(sign), h('span', {}, text));
    this.goes = [tool('edit-play', 'Play from here', () => this.go('play'), 'play', { class: 'tool primary' }),
      tool('edit-analyse', 'Analyse', () => this.go('analyse'), 'analyse'), tool('edit-tree', 'Search tree', () => this.go('tree'), 'tree')];
    const tools = h('div', { class: 'row' },
      tool('clear', 'Empty the board', () => this.clear(), 'delete'), tool('usual', 'Usual start', () => this.begin(this.id, ''), 'undo'),
      tool('flip', 'Flip', () => { this.flipped = !this.flipped; this.change({}); }, 'flip'));
    const out = h('div', { class: 'row' }, tool('edit-link', 'Link', () => this.link(), 'share'),
      tool('edit-svg', 'SVG', () => this.save('svg'), 'share'), tool('edit-png', 'PNG', () => this.save('png'), 'share'));
    this.node = h('div', { class: 'workspace editor' },
      h('section', { class: 'seats', 'aria-label': 'Board' }, this.place),
      h('section', { class: 'panel', 'aria-label': 'Position' },
        h('h1', { class: 'game-title' }, 'Set up a position'), labelled('Game', this.games), this.palette, this.movers, this.hands, this.fields,
        labelled('Position', this.text), this.problem, h('div', { class: 'editor-tools' }, h('div', { class: 'row' }, this.goes), tools, out),
        h('p', { class: 'note' }, 'A click puts the chosen piece, the same again takes it away; drag a piece to move it. Keys: arrows, a piece’s letter, Delete.')));
  }

  /** @param {URLSearchParams} parts */
  async open(parts) {
    titled('Set up a position');
    const id = parts.get('game') || this.id || this.catalogue.first;
    const entry = this.catalogue.games.find((game) => game.id === id.split(':')[0]);
    if (!entry) toast(`There is no game called ${id} here.`);
    if (parts.get('flipped')) this.flipped = true;
    await this.begin(entry ? id : this.catalogue.first, parts.get('start') ?? '');
  }

  close() {}

  /** Begin with a position of a game. */
  async begin(id, start) {
    if (![...this.games.options].some((option) => option.value === id)) this.games.append(h('option', { value: id }, id));
    this.games.value = id;
    await this.change({ id, base: start, words: {}, player: null, rows: null, hand: null, brush: '' });
  }

  // --- changing it ---

  /** Change the sketch: one change after the other, each made to what the one before has left. */
  change(wanted) {
    this.waiting = this.waiting.then(() => this.ask(wanted));
    return this.waiting;
  }

  async ask({ puts = [], ...changed }) {
    Object.assign(this, changed);
    const body = { game: this.id, start: this.base, puts, words: this.words, flipped: this.flipped };
    if (this.rows) body.rows = this.rows;
    if (this.hand) body.hands = this.hand;
    if (this.player !== null) body.player = this.player;
    try {
      this.show(await ask('edit', body));
    } catch (error) {
      toast(error.message);
      if (this.sketch === NONE && this.base) { this.base = ''; await this.ask({}); }
    }
  }

  isPiece(symbol) {
    return symbol === EMPTY || this.sketch.pieces.some((piece) => piece.symbol === symbol);
  }

  standing([r, c]) {
    return this.sketch.rows[r]?.[c] ?? EMPTY;
  }

  /** Put the chosen piece on a cell; where it stands already, take it away. */
  put(at, piece = this.brush) {
    const counted = COUNTED.includes(this.sketch.style);
    const symbol = !counted && this.standing(at) === piece ? EMPTY : piece;
    this.change({ puts: [{ at, piece: symbol }] }).then(() => announce(`${this.board.cells?.get(at.join())?.dataset.says ?? ''}. ${this.sketch.problem}`));
  }

  take(at) {
    this.change({ puts: [{ at, piece: this.sketch.style === 'pits' ? '-1' : EMPTY }] });
  }

  move(from, to) {
    if (from.join() === to.join()) return;
    this.change({ puts: [{ at: from, piece: EMPTY }, { at: to, piece: this.standing(from) }] });
  }

  clear() {
    const blank = this.sketch.style === 'pits' ? '0' : EMPTY;
    this.change({ rows: this.sketch.rows.map((row) => blank.repeat(row.length)) });
  }

  /** A position was typed. */
  typed() {
    this.change({ base: this.text.value.trim(), rows: null, hand: null, player: null, words: {} });
  }

  // --- showing it ---

  /** @param {Sketch} sketch */
  show(sketch) {
    this.sketch = sketch;
    this.rows = sketch.rows.length ? sketch.rows : null;
    this.hand = sketch.rows.length ? sketch.hands : null;
    if (sketch.text) { this.base = sketch.text; this.words = {}; } // what is a position needs no more words
    this.board.show(sketch, true);
    this.showPalette(sketch);
    this.showMovers(sketch);
    this.showFields(sketch);
    this.text.value = sketch.text || this.text.value;
    this.text.setAttribute('aria-invalid', String(!sketch.text));
    this.problem.textContent = sketch.problem || (sketch.over ? 'The game is over in this position.' : '');
    this.problem.classList.toggle('bad', !!sketch.problem);
    for (const button of this.goes) button.disabled = !!sketch.problem || sketch.over;
    if (this.node.isConnected && sketch.text) history.replaceState(null, '', `#${this.address()}`);
  }

  showPalette(sketch) {
    const half = sketch.pieces.length > 4 ? Math.ceil(sketch.pieces.length / 2) : sketch.pieces.length; // a side in each row
    this.palette.style.setProperty('--columns', half + 1);
    const offered = [...sketch.pieces.slice(0, half), ...(sketch.pieces.length ? [{ symbol: EMPTY, name: sketch.style === 'pits' ? 'empty the pit' : 'nothing: take a piece away' }] : []), ...sketch.pieces.slice(half)];
    if (!offered.some((piece) => piece.symbol === this.brush)) this.brush = offered[0]?.symbol ?? '';
    if (this.painted === `${this.id} ${this.brush}`) return;
    this.painted = `${this.id} ${this.brush}`;
    const focused = this.palette.contains(document.activeElement);
    this.palette.replaceChildren(...offered.map((piece, i) => this.swatch(piece, offered, i)));
    if (focused) this.palette.querySelector('[aria-checked=true]')?.focus();
  }

  swatch(piece, offered, i) {
    const chosen = piece.symbol === this.brush;
    const shown = piece.svg ? face(piece) : h('span', {}, piece.symbol === EMPTY ? '✕' : piece.symbol.replace('-', '−'));
    const take = (n) => { this.brush = offered[(n + offered.length) % offered.length].symbol; this.showPalette(this.sketch); };
    return h('button', { class: 'swatch', role: 'radio', 'aria-checked': String(chosen), 'aria-label': piece.name, title: piece.name, tabindex: chosen ? 0 : -1, 'data-piece': piece.symbol,
      onclick: () => take(i),
      onkeydown: (event) => {
        const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
        if (!step) return;
        event.preventDefault();
        take(i + step);
      } }, shown);
  }

  showMovers(sketch) {
    const { colours } = this.catalogue.games.find((game) => game.id === this.id.split(':')[0]);
    this.movers.hidden = !sketch.rows.length;
    this.movers.replaceChildren(h('span', { class: 'note' }, 'To move'), ...sketch.sides.map((side, player) => h('label', { class: 'mover' },
      h('input', { type: 'radio', name: 'mover', value: player, checked: player === sketch.player, onchange: () => this.change({ player }) }),
      h('span', { class: `chip ${colours[player]}` }), side)));
  }

  showFields(sketch) {
    const stores = sketch.style === 'pits' ? sketch.hands : [];
    this.hands.replaceChildren(...stores.map((held, side) => labelled(`Store of ${sketch.sides[side]}`,
      h('input', { type: 'number', min: 0, max: 254, value: held, onchange: (event) => this.change({ hand: sketch.hands.map((old, n) => (n === side ? event.target.value : old)) }) }))));
    if (this.fields.contains(document.activeElement) && sketch.problem) return;
    this.fields.replaceChildren(...sketch.words.map(({ at, name, word }) => labelled(cap(name),
      h('input', { value: this.words[at] ?? word, autocomplete: 'off', 'data-word': at, onchange: (event) => this.change({ words: { ...this.words, [at]: event.target.value } }) }))));
  }

  // --- going on from it ---

  address() {
    return `edit?${new URLSearchParams({ game: this.id, start: this.sketch.text, ...(this.flipped ? { flipped: '1' } : {}) })}`;
  }

  go(where) {
    const position = { game: this.id, start: this.sketch.text };
    const { best } = this.catalogue.games.find((game) => game.id === this.id.split(':')[0]);
    const machine = best === 'random' ? best : `${best}.${this.catalogue.level}`;
    const seats = this.sketch.player > 0 ? [machine, 'human'] : ['human', machine];
    location.hash = {
      play: `play?${new URLSearchParams({ ...position, with: seats.join('_') })}`,
      analyse: `play?${new URLSearchParams({ ...position, analyse: '1' })}`,
      tree: `tree?${new URLSearchParams({ ...position, depth: '3' })}`,
    }[where];
  }

  link() {
    const link = `${location.href.split('#')[0]}#${this.address()}`;
    navigator.clipboard?.writeText(link).then(() => toast('The link is in the clipboard.', 'fine'), () => toast('The link is in the address bar.', 'fine'));
  }

  save(kind) {
    return savePicture(this.sketch.svg, this.id.split(':')[0], kind);
  }
}

const cap = (text) => text[0].toUpperCase() + text.slice(1);
