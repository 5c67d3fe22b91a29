// The analysis beside the board: value, depth, speed, lines, arrows, the plot of a game, and why not a move.

import { ask, start } from './api.js';
import { choice, h, labelled, s, short, toast } from './dom.js';

const AGAIN = 1500; // milliseconds until a lost connection is tried again

export class Analysis {
  constructor(play) {
    this.play = play;
    this.on = false;
    this.points = [];
    this.build();
  }

  build() {
    this.fill = h('span', { class: 'share' });
    this.value = h('span', { class: 'value' });
    this.bar = h('div', { class: 'value-bar', role: 'img', 'aria-label': 'Value', hidden: true }, this.fill, this.value);
    this.button = h('button', { 'aria-pressed': 'false', onclick: () => this.toggle(), 'data-do': 'analyse', title: 'Analyse (a)' }, 'Analyse');
    this.count = choice({ onchange: () => this.restart(), 'aria-label': 'Lines' }, [1, 2, 3, 5, 8].map((n) => [n, n === 1 ? '1 line' : `${n} lines`]), 3);
    this.method = h('select', { onchange: () => this.restart(), 'aria-label': 'Search' });
    this.figures = h('p', { class: 'figures' });
    this.lines = h('ol', { class: 'lines' });
    this.asks = h('select', { 'aria-label': 'Move' });
    this.reply = h('p', { class: 'reply', 'aria-live': 'polite' });
    this.plot = s('svg', { class: 'plot', viewBox: '0 0 300 90', role: 'img', 'aria-label': 'Value over the game', hidden: '' });
    this.plotButton = h('button', { onclick: () => this.draw(), 'data-do': 'plot' }, 'Plot the game');
    this.terms = h('div', { class: 'terms' });
    this.node = h('div', { class: 'card analysis' },
      h('div', { class: 'row spread' }, h('h2', {}, 'Analysis'), h('div', { class: 'row' }, this.method, this.count, this.button)),
      this.figures, this.lines, this.terms,
      h('div', { class: 'row' }, labelled('Why not', this.asks, { class: 'field inline' }), h('button', { onclick: () => this.why(), 'data-do': 'why' }, 'Show')),
      this.reply,
      h('div', { class: 'row' }, this.plotButton), this.plot);
  }

  toggle() {
    this.on = !this.on;
    this.button.setAttribute('aria-pressed', this.on);
    this.button.textContent = this.on ? 'Stop' : 'Analyse';
    this.explain();
    if (this.on) this.restart();
    else this.stop();
  }

  stop() {
    this.halt?.();
    this.halt = null;
    this.haltWhy?.();
    this.haltWhy = null;
  }

  /** The position changed. */
  update() {
    const { view } = this.play;
    this.asks.replaceChildren(...view.legal.map((move) => h('option', { value: move.action }, move.text)));
    this.reply.textContent = '';
    this.offer();
    this.drawPlot();
    this.stop();
    this.explain();
    if (this.on) this.restart();
    else {
      this.lines.replaceChildren();
      this.figures.textContent = '';
    }
  }

  /** The terms of the evaluation, as bars: to the right what speaks for MAX. */
  async explain() {
    const { play } = this;
    this.terms.replaceChildren();
    if (!this.on || !play.entry(play.game.id).explains || play.view.over) return;
    const { view } = play;
    const found = await ask('explain', play.asked()).catch(() => null);
    if (!found || play.view !== view) return;
    const largest = Math.max(1, ...found.terms.map((term) => Math.abs(term.share)));
    this.terms.replaceChildren(h('h3', {}, `Evaluation ${signed(found.value)} for ${view.sides[0]}`), ...found.terms.slice(0, 10).map((term) => {
      const bar = h('span', { class: term.share > 0 ? 'bar max' : 'bar min' });
      bar.style.setProperty('width', `${(50 * Math.abs(term.share)) / largest}%`);
      return h('div', { class: 'term' }, h('span', { class: 'term-name' }, term.name.replaceAll('_', ' ')), h('span', { class: 'scale' }, bar), h('span', { class: 'worth' }, signed(term.share)));
    }));
  }

  /** The searches that fit the game, its strongest first. */
  offer() {
    const { best, searches, id } = this.play.entry(this.play.game.id);
    if (this.offered === id) return;
    this.offered = id;
    const names = [best, ...searches.filter((name) => name !== best)];
    this.method.replaceChildren(...names.map((name) => h('option', { value: name }, name)));
  }

  /** Another game is on the board. */
  forget() {
    this.haltPlot?.();
    this.haltPlot = null;
    this.points = [];
    this.bar.hidden = true;
  }

  restart() {
    this.stop();
    if (!this.on) return;
    const { view } = this.play;
    if (view.over) {
      this.figures.textContent = 'The game is over.';
      this.lines.replaceChildren();
      return;
    }
    this.figures.textContent = 'looking…';
    const mine = (this.current = {});
    this.halt = start({ type: 'analyse', ...this.play.asked(), lines: Number(this.count.value), search: this.method.value }, (said) => {
      if (this.current !== mine) return;
      if (said.type === 'report') this.show(said);
      if (said.type === 'queued') this.figures.textContent = said.ahead ? `waiting: ${said.ahead} before you` : 'waiting for a free worker…';
      if (said.type === 'compiling' || said.type === 'error') this.figures.textContent = said.message;
      if (said.lost) setTimeout(() => { if (this.current === mine && this.on) this.restart(); }, AGAIN);
      if (said.type === 'done' && !said.stopped) this.figures.append(said.reason ? ` · ended: ${said.reason}` : ' · done');
    });
  }

  show(said) {
    this.figures.textContent = `depth ${said.depth} · ${short(said.nodes)} nodes · ${short(said.speed)} nodes/s · ${said.time.toFixed(1)} s`;
    this.lines.replaceChildren(...said.lines.map((line) => h('li', {},
      h('span', { class: 'worth' }, line.says + (line.proven ? ' ✓' : '')),
      h('span', { class: 'line' }, line.texts.join(' ')),
      line.visits !== undefined && h('span', { class: 'visits', title: 'visits' }, `N ${short(line.visits)}`))));
    this.play.board.point(said.lines.map((line, rank) => ({ path: line.path, rank })).reverse());
    this.heard(said.lines[0]);
  }

  /** A value for the bar. */
  heard(line) {
    if (line.share === null || line.share === undefined) return;
    this.bar.hidden = false;
    this.fill.style.setProperty('width', `${100 * line.share}%`);
    this.value.textContent = line.says;
    this.bar.setAttribute('aria-label', `Value for ${this.play.view.sides[0]}: ${line.says}`);
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
      if (said.type === 'error') this.reply.textContent = said.message;
      if (said.type === 'done' && said.over) this.reply.textContent = `${move.text} ends the game.`;
      if (said.type !== 'report') return;
      const [line] = said.lines;
      this.reply.textContent = `${move.text}, then ${line.texts.join(' ') || '…'}: ${line.says}${line.proven ? ' (proven)' : ''} for ${view.sides[0]}, depth ${said.depth}`;
      this.play.board.point([{ path: move.path, rank: 1 }, { path: line.path, rank: 0, kind: 'refutation' }]);
    });
  }

  // --- the plot ---

  draw() {
    const { game } = this.play;
    this.points = [];
    this.plotButton.disabled = true;
    const actions = [...game.actions];
    this.haltPlot = start({ type: 'plot', ...this.play.asked(actions.length) }, (said) => {
      if (said.type === 'done' || said.type === 'error') this.plotButton.disabled = false;
      if (game !== this.play.game || actions.some((action, i) => game.actions[i] !== action)) return this.haltPlot?.(); // another game by now
      if (said.type === 'point') this.points[said.at] = said;
      if (said.type === 'error') toast(said.message);
      this.drawPlot();
    });
  }

  drawPlot() {
    const { game } = this.play;
    if (!game) return;
    const known = this.points.map((point, at) => ({ ...point, at })).filter((point) => point.share !== undefined && point.share !== null);
    this.plot.toggleAttribute('hidden', !known.length);
    const last = Math.max(1, game.actions.length);
    const x = (at) => 4 + (292 * at) / last;
    const y = (share) => 84 - 78 * share;
    const line = known.map((point) => `${x(point.at).toFixed(1)} ${y(point.share).toFixed(1)}`).join('L');
    this.plot.replaceChildren(
      s('rect', { class: 'paper', x: 0, y: 0, width: 300, height: 90 }),
      known.length > 1 ? s('path', { class: 'area', d: `M${x(known[0].at)} 84L${line}L${x(known.at(-1).at)} 84Z` }) : '',
      s('path', { class: 'even', d: 'M0 45H300' }),
      known.length ? s('path', { class: 'curve', d: `M${line}` }) : '',
      s('path', { class: 'now', d: `M${x(game.cursor)} 2V88` }),
      ...known.map((point) => s('circle', { cx: x(point.at), cy: y(point.share), r: 2.5 }, s('title', {}, `move ${point.at}: ${point.says}`))));
    this.plot.onclick = (event) => {
      const box = this.plot.getBoundingClientRect();
      this.play.go(Math.round(((event.clientX - box.left) / box.width * 300 - 4) / 292 * last));
    };
  }
}

const signed = (value) => `${value > 0 ? '+' : ''}${Math.round(100 * value) / 100}`.replace('-', '−');
