// Games and positions as text, in and out, and links.

import { ask } from './api.js';
import { download, h, toast } from './dom.js';
import { address } from './game.js';

export class Sharing {
  constructor(play) {
    this.play = play;
    this.text = h('textarea', { rows: 7, spellcheck: 'false', 'aria-label': 'Game or position as text', placeholder: 'Paste a game or a position here: a saved game, PGN, FEN, SGF, .mat, XGID, a tree' });
    const button = (name, text, act, props = {}) => h('button', { onclick: act, 'data-do': name, ...props }, text);
    this.pgn = button('pgn', 'PGN', () => this.write('pgn'));
    this.sgf = button('sgf', 'SGF', () => this.write('sgf'));
    this.ids = button('ids', 'XGID', () => this.write('ids'));
    this.mat = button('mat', '.mat', () => this.write('mat'));
    this.node = h('div', { class: 'share' }, this.text,
      h('div', { class: 'row' },
        button('read', 'Read this', () => this.read(), { class: 'primary' }),
        h('label', { class: 'file' }, 'From a file', h('input', { type: 'file', class: 'out-of-sight', onchange: (event) => this.load(event) }))),
      h('div', { class: 'row' }, h('span', { class: 'note' }, 'Export:'),
        button('link', 'Link', () => this.link()), button('position', 'Position', () => this.position()),
        button('write', 'Game', () => this.write('record')), this.pgn, this.sgf, this.mat, this.ids,
        button('picture', 'Picture (PNG)', () => this.picture('png')), button('picture-svg', 'SVG', () => this.picture('svg')),
        button('save', 'Save as file', () => download('game.txt', new Blob([this.text.value])))));
    this.node.addEventListener('focusin', () => this.offer());
    this.node.addEventListener('pointerenter', () => this.offer());
  }

  /** PGN is for chess, SGF for Go and backgammon, .mat for backgammon. */
  offer() {
    const [name] = this.play.game.id.split(':');
    this.pgn.hidden = name !== 'chess';
    this.sgf.hidden = !['go', 'backgammon'].includes(name);
    this.mat.hidden = this.ids.hidden = name !== 'backgammon';
  }

  async write(form) {
    const { play } = this;
    const [first, second] = [0, 1].map((side) => play.seatName(side));
    const { ended } = play.game;
    const result = form !== 'pgn' ? {} : ended ? { Result: ended.winner ? '0-1' : '1-0' } : play.game.headers.Result ? { Result: play.game.headers.Result } : {};
    const tree = play.entry().hidden ? [] : play.game.tree.list().map(({ up, action, comment, sign }) => ({ up, action, ...(comment ? { comment } : {}), ...(sign ? { sign } : {}) }));
    try {
      const { Result: _, ...known } = play.game.headers;
      const headers = { ...known, first, second, ...result };
      this.text.value = (await ask('write', { ...play.asked(play.game.line.length), form, headers, tree })).text;
    } catch (error) { toast(error.message); }
  }

  async read() {
    const { play } = this;
    try {
      const found = await ask('read', { text: this.text.value, game: play.game.id });
      play.parts.tabs.open('moves');
      await play.begin(play.imported(found));
    } catch (error) { toast(error.message); }
  }

  position() {
    const { view } = this.play;
    if (view.text) this.text.value = view.text;
    else toast('A position with hidden information cannot be exported: share the link.');
  }

  /** The board as it stands, for a message or a slide. */
  async picture(kind) {
    const { play } = this;
    const { savePicture } = await import('./imagefile.js');
    return savePicture(play.view.svg, play.game.id.split(':')[0], kind);
  }

  link() {
    this.text.value = `${location.href.split('#')[0]}#${address(this.play.game)}`;
    navigator.clipboard?.writeText(this.text.value).then(() => toast('The link is in the clipboard.', 'fine'), () => {});
  }

  async load(event) {
    const [file] = event.target.files;
    if (file) this.text.value = await file.text();
  }
}
