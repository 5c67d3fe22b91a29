// A game judged move by move: the graph of its values under the board, its mistakes on it, and what was better.

import { start } from './api.js';
import { h, s, toast } from './dom.js';
import { SIGNS, sign, told } from './proof.js';
import { Seek } from './seek.js';
import { tool } from './workspace.js';

const [WIDE, HIGH] = [600, 90];
const WORDS = { inaccuracy: ['inaccuracy', 'inaccuracies'], mistake: ['mistake', 'mistakes'], blunder: ['blunder', 'blunders'] };

export class Review {
  constructor(play) {
    this.play = play;
    this.graph = s('svg', { class: 'plot', viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': 'Value over the game', hidden: '' });
    this.button = tool('review', 'Review the game', 'Judge every move of the game', () => this.begin());
    this.says = h('p', { class: 'note', 'aria-live': 'polite' });
    this.table = h('table', { class: 'verdicts', hidden: true });
    this.better = h('div', { class: 'better' });
    this.seek = new Seek(this);
    this.next = tool('next-mistake', 'Next mistake', 'Go to the next move that was judged a mistake', () => this.goOn(), { icon: 'on', hidden: true });
    play.analysis.reviewPlace.append(this.table, this.next, this.says, this.button);
    this.graph.addEventListener('click', (event) => {
      const box = this.graph.getBoundingClientRect();
      play.go(Math.round(((event.clientX - box.left) / box.width) * Math.max(1, play.game.line.length)));
    });
  }

  /** Another game is on the board. */
  forget() {
    this.halt?.();
    this.halt = null;
    this.seek.end();
    this.table.hidden = true;
    this.next.hidden = true;
    this.says.textContent = '';
    this.button.disabled = false;
  }

  begin() {
    const { game } = this.play;
    const line = [...game.line];
    if (!line.length) return toast('There is no move to judge yet.', 'fine');
    this.button.disabled = true;
    this.says.textContent = 'looking at the last move…';
    this.halt = start({ type: 'review', ...this.play.asked(line.length) }, (said) => {
      if (game !== this.play.game) return;
      if (said.type === 'done' || said.type === 'error') this.button.disabled = false;
      if (said.type === 'queued') this.says.textContent = 'waiting for a free worker…';
      if (said.type === 'compiling' || said.type === 'error') this.says.textContent = said.message;
      if (said.type === 'judged') this.judged(said, line);
      if (said.type === 'done' && said.sides) this.sum(said.sides);
      if (said.type === 'judged' || said.type === 'done') { this.show(); this.play.moves.show(); }
    });
  }

  judged(said, line) {
    const { at, share, says, words, proven, verdict, loss, better, actions, before } = said;
    line[at - 1].value = { share, says, words, ...(proven ? { proven } : {}), ...(verdict ? { verdict, loss, better, actions, was: told(before) } : {}) };
    if (at === 1) this.play.game.tree.root.value = { share: before.share, says: before.says, words: before.words };
    this.says.textContent = `${line.length - at + 1} of ${line.length} moves judged`;
  }

  /** To the next move that was a mistake; after the last, to the first. */
  goOn() {
    const { game } = this.play;
    const wrong = game.line.filter((node) => node.value?.verdict);
    const after = wrong.find((node) => game.line.indexOf(node) >= game.cursor) ?? wrong[0];
    if (after) this.play.visit(after);
  }

  /** How many mistakes each side made. */
  sum(sides) {
    const { view } = this.play;
    const row = (name, cells) => h('tr', {}, h('th', { scope: 'row' }, name), cells.map((cell) => h('td', {}, cell)));
    this.table.hidden = false;
    this.table.replaceChildren(
      h('tr', {}, h('td', {}), view.sides.map((side) => h('th', { scope: 'col' }, side))),
      row('accuracy', sides.map((side) => (side.moves ? `${Math.round(100 * (1 - side.loss))}%` : '–'))),
      ...Object.entries(WORDS).map(([name, [, many]]) => row(many, sides.map((side) => side[name]))));
    this.next.hidden = !this.play.game.line.some((node) => node.value?.verdict);
    const solved = this.play.game.line.some((node) => node.value?.proven);
    this.says.replaceChildren('Accuracy: how much of the expected score a move keeps, on average.',
      ...(solved ? [' Proven by search: ', ...Object.keys(SIGNS).flatMap((/** @type {any} */ found) => [sign(found), ` ${found} `])] : []));
  }

  /** The graph with the place on it, and what was better than the move that led there. */
  show() {
    const { game } = this.play;
    if (!game) return;
    const nodes = [game.tree.root, ...game.line];
    const known = nodes.map((node, at) => ({ at, node, ...node.value })).filter((point) => typeof point.share === 'number');
    this.graph.toggleAttribute('hidden', known.length < 2);
    if (!this.play.analysis.on) {
      if (game.node.value) this.play.analysis.heard(game.node.value);
      else this.play.analysis.bar.dataset.off = '';
    }
    this.better.replaceChildren(...(this.seek.shown(game.node) ?? this.judgement(game.node)));
    const last = Math.max(1, game.line.length);
    const x = (at) => (WIDE * at) / last;
    const y = (share) => HIGH - 4 - (HIGH - 8) * share;
    const path = known.map((point) => `${x(point.at).toFixed(1)} ${y(point.share).toFixed(1)}`).join('L');
    this.graph.replaceChildren(
      s('rect', { class: 'paper', x: 0, y: 0, width: WIDE, height: HIGH }),
      known.length > 1 ? s('path', { class: 'area', d: `M${x(known[0].at)} ${HIGH}L${path}L${x(known.at(-1).at)} ${HIGH}Z` }) : '',
      s('path', { class: 'even', d: `M0 ${HIGH / 2}H${WIDE}` }),
      known.length ? s('path', { class: 'curve', d: `M${path}` }) : '',
      s('path', { class: 'now', d: `M${x(game.cursor)} 0V${HIGH}` }),
      ...known.map(({ at, share, says, verdict, node }) => s('path', { class: `dot ${verdict ?? ''}`, d: `M${x(at).toFixed(1)} ${y(share).toFixed(1)}h0` }, // a stroke stays round however the graph is stretched
        s('title', {}, `${node.text ?? 'start'}: ${says}${verdict ? `, ${verdict}` : ''}`))));
  }

  /** What a move was judged, and the ways to a better one. */
  judgement(node) {
    const { value } = node;
    if (!value?.verdict) return [];
    return [
      h('p', {}, h('strong', { class: value.verdict }, cap(WORDS[value.verdict][0])), `: ${told(value)} instead of ${value.was}.`),
      h('div', { class: 'row' },
        h('button', { onclick: () => this.seek.begin(node), 'data-do': 'find' }, 'Find the better move'),
        this.showIt(node),
        h('button', { onclick: () => this.goOn(), 'data-do': 'next', 'aria-label': 'Next mistake', title: 'Next mistake' }, '›'))];
  }

  /** A button that tries out what was better than a move. */
  showIt({ up, value }) {
    const { play } = this;
    const line = () => { this.seek.end(); play.game.goTo(up); play.tryLine(value.actions); };
    return h('button', { onclick: line, 'data-do': 'better' }, 'Show it', h('span', { class: 'wordy' }, `: ${value.better.slice(0, 3).join(' ')}`));
  }
}

const cap = (text) => text[0].toUpperCase() + text.slice(1);
