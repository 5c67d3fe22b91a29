// The moves of a game and its variations: the main line in rows, what was tried out beside it in brackets below.

import { h } from './dom.js';
import { icon } from './icons.js';
import { outcome, sign } from './proof.js';

const JUDGED = { blunder: '??', mistake: '?', inaccuracy: '?!' }; // as annotators write it
const SIGNS = ['!', '?', '!!', '??', '!?', '?!'];

export class MoveList {
  constructor(play) {
    this.play = play;
    this.node = h('ol', { class: 'moves', 'aria-label': 'Moves', tabindex: 0 });
    new ResizeObserver(() => this.follow()).observe(this.node); // lines of the analysis take room from it
    this.hint = h('div', { class: 'advice' });
    this.opening = h('p', { class: 'note opening', hidden: true });
    this.comment = h('input', { class: 'comment-field', 'aria-label': 'Comment on this move', placeholder: 'comment on this move', maxlength: 500, onchange: () => this.note('comment', this.comment.value.trim()) });
    this.sign = h('select', { 'aria-label': 'Sign', onchange: () => this.note('sign', this.sign.value) }, ['', ...SIGNS].map((sign) => h('option', { value: sign }, sign || '–')));
    const button = (name, text, act) => h('button', { class: 'tool', 'data-do': name, title: text, 'aria-label': text, onclick: act }, icon(name));
    this.promote = button('promote', 'Make this the main line', () => this.change((tree, node) => { tree.promote(node); return node; }));
    this.remove = button('delete', 'Delete from here on', () => this.change((tree, node) => tree.remove(node)));
    this.tools = h('div', { class: 'row move-tools' }, this.comment, this.sign, this.promote, this.remove);
  }

  /** Change the tree; the move to go to comes back. */
  change(act) {
    const { game } = this.play;
    if (!game.cursor) return;
    const at = act(game.tree, game.node);
    game.line = game.tree.line(at);
    this.play.visit(at);
  }

  note(name, text) {
    const { game } = this.play;
    if (!game.cursor) return;
    game.node[name] = text || undefined;
    this.show();
  }

  show() {
    const { game } = this.play;
    const main = game.tree.line(game.tree.root);
    /** @type {HTMLElement[]} */
    const rows = [];
    /** @type {{node: HTMLElement, last: number} | null} */
    let row = null;
    let number = 0;
    const rolled = main.some((node) => node.player < 0);
    const ahead = !['', 'bars', 'cards'].includes(this.play.view?.style); // dice are thrown before the move, not by it
    const mover = (at) => main.slice(at).find((node) => node.player >= 0)?.player ?? this.play.view?.player ?? 0;
    for (const [at, node] of main.entries()) {
      if (node.text === undefined) continue;
      const player = node.player < 0 && ahead ? mover(at) : node.player;
      if (!row || (player === 0 && (row.last !== 0 || !rolled)) || (player > 0 && row.last > player)) { // other chance stays in its row
        number += 1;
        row = { node: h('li', { value: number }, h('span', { class: 'number' }, `${number}.`), player === 1 && h('span', { class: 'gap' }, '…')), last: -1 };
        rows.push(row.node);
      }
      row.last = Math.max(row.last, player);
      row.node.append(this.button(node), ...this.said(node));
      const others = node.up.below.slice(1).filter((other) => other.text !== undefined);
      if (others.length) {
        rows.push(...others.map((other) => h('li', { class: 'variation' }, this.variation(other))));
        row = null;
        number -= node.player === 0 && main[main.indexOf(node) + 1]?.player === 1 ? 1 : 0;
      }
    }
    const inside = this.node !== document.activeElement && this.node.contains(document.activeElement);
    this.node.replaceChildren(...rows);
    this.node.classList.toggle('rolled', rolled);
    this.hint.hidden = rows.length > 0;
    if (!rows.length) this.hint.replaceChildren(...this.advice());
    this.opening.textContent = this.play.view?.opening ?? '';
    this.opening.hidden = !this.opening.textContent;
    this.showTools();
    const current = this.node.querySelector('[aria-current]');
    if (inside) (current ?? this.node).focus({ preventScroll: true }); // the move that was chosen, drawn anew
    this.follow();
  }

  /** Bring the move where the game stands into the middle of the list. */
  follow() {
    const current = this.node.querySelector('[aria-current]');
    if (!current) return;
    const [move, list] = [current.getBoundingClientRect(), this.node.getBoundingClientRect()];
    this.node.scrollTop += move.top + move.height / 2 - list.top - this.node.clientHeight / 2;
  }

  showTools() {
    const { game } = this.play;
    this.tools.hidden = !game.cursor;
    this.comment.value = game.node.comment ?? '';
    this.sign.value = game.node.sign ?? '';
    this.promote.disabled = !game.cursor || game.tree.isMain(game.node);
  }

  button(node) {
    const { game } = this.play;
    const judged = node.value?.verdict;
    const proven = outcome(node.value, node.player);
    const classes = ['move', node.player < 0 && 'thrown', judged].filter(Boolean).join(' ');
    return h('button', { class: classes, 'data-side': node.player, 'aria-current': node === game.node ? 'step' : null, title: judged, onclick: () => this.play.visit(node) }, proven && sign(proven), node.text, (node.sign || judged) && h('span', { class: 'sign' }, node.sign || JUDGED[judged]));
  }

  /** What a newcomer may want to know before the first move. */
  advice() {
    const { play } = this;
    const { view } = play;
    if (!view) return [];
    const { about } = play.entry();
    const puts = view.legal.some((move) => move.path.length === 1);
    const how = view.legal.some((move) => move.ways?.length) ? 'Click a checker and then its goal, or choose the whole play by its button.'
      : !view.svg || !view.legal.some((move) => move.path.length) ? 'Choose a move by its button.' : puts ? 'Click where you want to play.' : 'Click a piece and then its goal, or drag it there.';
    return [h('p', { class: 'about' }, about.replace(/\.?$/, '.')), view.player >= 0 && play.free() && h('p', {}, how),
      play.entry().searches.length > 0 && h('p', {}, h('strong', {}, 'Hint'), ' proposes a move; ', h('strong', {}, 'Analyse'), ' shows what the machine thinks, ', h('strong', {}, 'Tree'), ' how it gets there.')].filter(Boolean);
  }

  said(node) {
    return node.comment ? [h('span', { class: 'comment' }, node.comment)] : [];
  }

  /** A line that was tried out, and those beside it. */
  variation(first) {
    const parts = [h('span', { class: 'number' }, numbered(first))];
    for (let node = first; node; node = node.below.find((one) => one.text !== undefined)) {
      if (node !== first && node.player === 0) parts.push(h('span', { class: 'number' }, numbered(node)));
      parts.push(this.button(node), ...this.said(node));
      const others = node === first ? [] : node.up.below.slice(1).filter((one) => one !== node && one.text !== undefined);
      parts.push(...others.map((other) => h('span', { class: 'aside' }, '(', this.variation(other), ')')));
    }
    return parts;
  }
}

/** The number of a move in a variation: 10. or 10… */
function numbered(node) {
  let moves = 0;
  for (let at = node; at.up; at = at.up) if (at.player === 0) moves += 1;
  return node.player === 1 ? `${Math.max(1, moves)}…` : `${moves}.`;
}
