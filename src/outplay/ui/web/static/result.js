// How a game has ended, and what can be done now.

import { h } from './dom.js';
import { tool } from './workspace.js';

export class ResultCard {
  constructor(play) {
    this.play = play;
    this.node = h('div', { class: 'result', hidden: true });
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
    this.node.replaceChildren(
      h('strong', {}, play.statusText()),
      h('div', { class: 'row' },
        tool('rematch', 'Rematch', 'Play again with the sides changed', () => play.rematch(), { icon: 'undo' }),
        play.entry().searches.length > 0 && tool('review-now', 'Review', 'Judge every move', () => { play.parts.tabs.open('analyse'); play.review.begin(); }, { icon: 'review' }),
        tool('share-now', 'Share', 'Texts and links', () => play.parts.tabs.open('share'), { icon: 'share' })));
  }
}
