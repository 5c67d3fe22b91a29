// How a game has ended, and what can be done now.

import { h } from './dom.js';
import { tool } from './workspace.js';

export class ResultCard {
  constructor(play) {
    this.play = play;
    this.node = h('div', { class: 'result', hidden: true });
  }

  /** What the result is to whoever plays here, and how it came about. */
  words() {
    const { play } = this;
    const { game, view } = play;
    const status = play.statusText();
    const note = view.note.split('; ').filter((part) => part !== 'the game is over').join('; ') || view.note;
    const why = game.ended || note === status.replace(/\.$/, '') ? '' : note.replace(/^./, (first) => first.toUpperCase());
    const [human, other] = play.humans();
    const winner = view.over ? Math.sign(view.result) : game.ended?.winner ? -1 : 1; // 1: MAX
    if (human === undefined || other !== undefined) return why.startsWith(status.replace(/\.$/, '')) ? { title: why, says: '' } : { title: status, says: why };
    if (!winner) return { title: 'A draw', says: why };
    return { title: (winner > 0) === (human === 0) ? 'You win!' : 'You lose', says: why || status };
  }

  forget() {
    this.node.hidden = true;
  }

  show() {
    const { play } = this;
    const { game, view } = play;
    const over = (view.over || game.ended) && game.atEnd && game.line.length > 0;
    this.node.hidden = !over;
    if (!over) return;
    const { title, says } = this.words();
    this.node.replaceChildren(
      h('p', { class: 'result-words' }, h('strong', {}, title), says && h('span', {}, says)),
      h('div', { class: 'row' },
        tool('rematch', 'Rematch', 'Play again with the sides changed', () => play.rematch(), { icon: 'undo' }),
        play.entry().searches.length > 0 && tool('review-now', 'Review', 'Judge every move', () => { play.parts.tabs.open('analyse'); play.review.begin(); }, { icon: 'review' }),
        tool('share-now', 'Share', 'Texts and links', () => play.parts.tabs.open('share'), { icon: 'share' })));
  }
}
