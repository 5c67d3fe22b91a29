// "Find the better move": who reviews a game looks for what was better than a mistake, and every try is judged.

import { start } from './api.js';
import { announce, h } from './dom.js';
import { told } from './proof.js';

export class Seek {
  /** @param {any} review */
  constructor(review) {
    this.review = review;
    /** @type {any} */
    this.wrong = null; // the move for which a better one is looked for
    /** @type {any} */
    this.tried = null; // the move that is judged
    /** @type {HTMLElement[]} */
    this.said = []; // of that move
    /** @type {(() => void) | null} */
    this.halt = null;
  }

  /** Go back to before a mistake. */
  begin(wrong) {
    this.wrong = wrong;
    this.review.play.visit(wrong.up);
  }

  end() {
    this.halt?.();
    this.wrong = this.tried = this.halt = null;
  }

  /** What to show at a move of the tree: the question, or what its answer is worth; nothing elsewhere. */
  shown(node) {
    const { wrong } = this;
    if (!wrong || node === wrong || (node !== wrong.up && node.up !== wrong.up)) {
      this.end();
      return null;
    }
    if (node === wrong.up) return [h('p', {}, h('strong', {}, `What is better than ${wrong.text}?`), ' Make the move on the board.'), this.buttons(false)];
    if (this.tried !== node) this.judge(node);
    return this.said;
  }

  /** Let a try be judged as the review judges the moves of a game: the last one first. */
  judge(node) {
    const { play } = this.review;
    this.halt?.();
    this.tried = node;
    this.tell(h('p', {}, `${node.text}: looking…`), true);
    this.halt = start({ type: 'review', ...play.asked() }, (said) => {
      if (this.tried !== node) return;
      if (said.type === 'compiling' || said.type === 'error') this.tell(h('p', {}, said.message), true);
      if (said.type !== 'judged') return;
      this.halt?.();
      this.halt = null;
      this.answer(node, said);
    });
  }

  answer(node, /** @type {any} */ said) {
    const { verdict, before } = said;
    const words = verdict ? `${node.text} is no better: ${told(said)} instead of ${told(before)}.` : `${node.text} is better: ${told(said)}.`;
    this.tell(h('p', {}, h('strong', { class: verdict || 'good' }, verdict ? 'Not yet' : 'Right'), `: ${words}`), Boolean(verdict));
    announce(words);
  }

  /** Say something of the try, with what can be done next. */
  tell(line, again) {
    this.said = [line, this.buttons(again)];
    if (this.review.play.game.node === this.tried) this.review.better.replaceChildren(...this.said);
  }

  buttons(again) {
    const { review, wrong } = this;
    return h('div', { class: 'row' },
      again && h('button', { 'data-do': 'try-again', onclick: () => review.play.visit(wrong.up) }, 'Try another'),
      review.showIt(wrong),
      h('button', { 'data-do': 'back-to-game', onclick: () => review.play.visit(wrong) }, 'Back', h('span', { class: 'wordy' }, ' to the game')));
  }
}
