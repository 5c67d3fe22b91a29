// The analysis beside the board: value, depth, speed, lines, arrows; on its tab what it is made of, and why not a move.

import { ask, start } from './api.js';
import { choice, h, labelled, short } from './dom.js';
import { icon } from './icons.js';
import { away, previews } from './preview.js';
import { outcome } from './proof.js';
import { tool } from './workspace.js';

const AGAIN = 1500; // milliseconds until a lost connection is tried again

export class Analysis {
  constructor(play) {
    this.play = play;
    this.on = false;
    this.build();
  }

  build() {
    this.fill = h('span', { class: 'share' });
    this.value = h('span', { class: 'value' });
    this.bar = h('div', { class: 'value-bar', role: 'img', 'aria-label': 'Value', 'data-off': '' }, this.fill, this.value);
    this.button = tool('analyse', 'Analyse', 'Analyse (a)', () => this.toggle(), { 'aria-pressed': 'false' });
    this.count = choice({ onchange: () => this.restart(), 'aria-label': 'Lines' }, [1, 2, 3, 5, 8].map((n) => [n, n === 1 ? '1 line' : `${n} lines`]), 3);
    this.method = h('select', { onchange: () => this.restart(), 'aria-label': 'Search' });
    this.figures = h('p', { class: 'figures' });
    this.lines = h('ol', { class: 'lines', 'aria-label': 'Best lines' });
    this.asks = h('select', { 'aria-label': 'Move' });
    this.reply = h('p', { class: 'reply', 'aria-live': 'polite' });
    this.terms = h('div', { class: 'terms' });
    this.judge = tool('review-game', 'Review', 'Judge every move of the game: accuracy, mistakes, what was better', () => { this.play.parts.tabs.open('analyse'); this.play.review.begin(); }, { icon: 'review' });
    this.node = h('div', { class: 'analysis' }, h('div', { class: 'analysis-head' }, this.button, this.judge, this.figures), this.lines);
    this.reviewPlace = h('div', { class: 'review-place' });
    this.more = h('div', { class: 'analysis-page' }, this.reviewPlace,
      h('div', { class: 'row' }, labelled('Search', this.method, { class: 'field inline' }), labelled('Lines', this.count, { class: 'field inline' })),
      this.whyRow = h('div', { class: 'row' }, labelled('Why not', this.asks, { class: 'field inline' }), h('button', { onclick: () => this.why(), 'data-do': 'why' }, 'Show')),
      this.reply, this.terms);
  }

  toggle() {
    this.on = !this.on;
    this.button.setAttribute('aria-pressed', this.on);
    this.button.replaceChildren(icon(this.on ? 'pause' : 'analyse'), h('span', {}, this.on ? 'Stop' : 'Analyse'));
    this.judge.hidden = this.on || !this.play.game?.line.length;
    this.explain();
    if (this.on) this.restart();
    else {
      this.stop();
      this.play.review.show();
    }
  }

  stop() {
    this.halt?.();
    this.halt = null;
    this.current = null; // what is still on its way is not shown any more
    this.haltWhy?.();
    this.haltWhy = null;
    away();
  }

  /** The position changed. */
  update() {
    const { view } = this.play;
    this.asks.replaceChildren(...view.legal.map((move) => h('option', { value: move.action }, move.text)));
    this.whyRow.hidden = !view.legal.length;
    this.judge.hidden = this.on || !this.play.game.line.length;
    this.reply.textContent = '';
    this.offer();
    this.stop();
    this.explain();
    this.inside = this.lines.contains(document.activeElement);
    this.lines.replaceChildren();
    if (this.on) this.restart();
    else this.figures.textContent = '';
  }

  /** The terms of the evaluation, as bars: to the right what speaks for MAX. */
  async explain() {
    const { play } = this;
    this.terms.replaceChildren();
    if (!this.on || !play.view || !play.entry().explains || play.view.over) return;
    const { view } = play;
    const found = await ask('explain', play.asked()).catch(() => null);
    if (typeof found?.value !== 'number' || play.view !== view) return;
    const largest = Math.max(1, ...found.terms.map((term) => Math.abs(term.share)));
    this.terms.replaceChildren(h('h3', {}, `Evaluation ${signed(found.value)} for ${view.sides[0]}`), ...found.terms.slice(0, 10).map((term) => {
      const bar = h('span', { class: term.share > 0 ? 'bar max' : 'bar min' });
      bar.style.setProperty('width', `${(50 * Math.abs(term.share)) / largest}%`);
      return h('div', { class: 'term' }, h('span', { class: 'term-name' }, term.name.replaceAll('_', ' ')), h('span', { class: 'scale' }, bar), h('span', { class: 'worth' }, signed(term.share)));
    }));
  }

  /** The searches that fit the game, its strongest first. */
  offer() {
    const { best, searches, id } = this.play.entry();
    if (this.offered === id) return;
    this.offered = id;
    const names = [best, ...searches.filter((name) => name !== best)];
    this.method.replaceChildren(...names.map((name) => h('option', { value: name }, name)));
  }

  /** Another game is on the board. */
  forget() {
    this.stop();
    this.bar.dataset.off = '';
  }

  restart() {
    this.stop();
    if (!this.on) return;
    const { view } = this.play;
    if (view.over) {
      this.figures.textContent = 'The game is over.';
      return;
    }
    this.figures.textContent = 'looking…';
    const mine = (this.current = {});
    const { node } = this.play.game;
    this.halt = start({ type: 'analyse', ...this.play.asked(), lines: Number(this.count.value), search: this.method.value }, (said) => {
      if (this.current !== mine || this.play.game.node !== node) return; // the board is already elsewhere
      if (said.type === 'report') this.show(said);
      if (said.type === 'queued') this.figures.textContent = said.ahead ? `waiting: ${said.ahead} ahead of you` : 'waiting for a free worker…';
      if (said.type === 'compiling' || said.type === 'error') this.figures.textContent = said.message;
      if (said.lost) setTimeout(() => { if (this.current === mine && this.on) this.restart(); }, AGAIN);
      if (said.type === 'done' && !said.stopped) this.figures.append(said.reason ? ` · ended: ${said.reason}` : ' · done');
    });
  }

  show(said) {
    const { play } = this;
    this.figures.replaceChildren(`depth ${said.depth}`, h('span', { class: 'wordy' }, ` · ${short(said.nodes)} nodes`), ` · ${short(said.speed)} nodes/s${said.tbhits ? ` · ${short(said.tbhits)} from tables` : ''}`);
    if (!this.lines.contains(document.activeElement) && !this.lines.matches(':hover')) this.lines.replaceChildren(...said.lines.map((line) => this.line(line)));
    if (this.inside) this.lines.querySelector('.pv')?.focus({ preventScroll: true }); // who follows a line by keys goes on with the next
    this.inside = false;
    play.board.point(said.lines.map((line, rank) => ({ path: line.path, rank, kind: outcome(line, play.view.player) ?? '' })).reverse());
    play.living.heard(said);
    this.heard(said.lines[0]);
    if (play.game.cursor) play.game.node.value ??= { share: said.lines[0].share, says: said.lines[0].says };
  }

  /** A line whose moves can be pointed at and clicked. */
  line(line) {
    const { play } = this;
    const here = { ...play.asked(), flipped: play.game.flipped };
    const moves = line.texts.map((text, i) => {
      const actions = line.actions.slice(0, i + 1);
      const button = h('button', { class: 'pv', onclick: () => play.tryLine(actions) }, text);
      return previews(button, { ...here, actions: [...here.actions, ...actions] });
    });
    return h('li', {},
      h('span', { class: 'worth', title: line.words }, line.says + (line.proven ? ' ✓' : '')),
      line.table && h('span', { class: 'visits', title: 'an endgame table knows it' }, 'table'),
      h('span', { class: 'line' }, moves),
      line.visits !== undefined && h('span', { class: 'visits', title: 'visits' }, `N ${short(line.visits)}`));
  }

  // --- the bar ---

  /** A value for the bar. */
  heard(line) {
    if (line?.share === null || line?.share === undefined) return;
    delete this.bar.dataset.off;
    this.bar.style.setProperty('--share', line.share);
    this.bar.dataset.leads = line.share >= 0.5 ? 'max' : 'min';
    this.value.textContent = { draw: '½', won: '1', lost: '0' }[line.says] ?? brief(line.says);
    this.bar.setAttribute('aria-label', `Value for ${this.play.view.sides[0]}: ${line.words ?? line.says}`);
  }

  /** Whose side of the bar is below, and how the sides are painted. */
  turn(below, colours) {
    this.bar.dataset.below = below ? 'min' : 'max';
    this.bar.dataset.paint = colours.join(' ');
  }

  /** What happens after a move that the analysis does not choose. */
  why() {
    const { view } = this.play;
    const move = view.legal.find((m) => m.action === this.asks.value);
    if (!move) return;
    this.haltWhy?.();
    this.reply.textContent = `${move.text}: looking…`;
    const position = this.play.asked();
    position.actions = [...position.actions, move.action];
    this.haltWhy = start({ type: 'analyse', ...position, lines: 1, time: 5 }, (said) => {
      if (this.play.view !== view) return;
      if (said.type === 'compiling' || said.type === 'error') this.reply.textContent = said.message;
      if (said.type === 'done' && said.over) this.reply.textContent = `${move.text} ends the game.`;
      if (said.type !== 'report') return;
      const [line] = said.lines;
      this.reply.textContent = `${move.text}, then ${line.texts.join(' ') || '…'}: ${line.words}${line.proven ? ' (proven)' : ''}, depth ${said.depth}`;
      this.play.board.point([{ path: move.path, rank: 1 }, { path: line.path, rank: 0, kind: 'refutation' }]);
    });
  }
}

/** A value for the narrow bar, where its place says whose it is: +0.3 as 0.3, 87% as 87, +12.4 as 12, +0.125 as .13, #-5 as #5. */
const brief = (says) => says.replace(/^[+−-]|%$/g, '').replace('#-', '#').replace(/^(\d\d+)\.\d+$/, '$1').replace(/^\d\.\d{3}$/, (equity) => Number(equity).toFixed(2).replace(/^0/, ''));

const signed = (value) => `${value > 0 ? '+' : ''}${Math.round(100 * value) / 100}`.replace('-', '−');
