// The first sight: what this is, three doors, the games that were left, and all games as living boards.

import { ask } from './api.js';
import { h, titled } from './dom.js';
import { address, Game, recent, stored } from './game.js';
import { icon } from './icons.js';
import { settle, still } from './motion.js';
import { picture } from './picture.js';
import { SelfSearch } from './selfsearch.js';

const BEAT = 1100; // milliseconds between the moves of a thumbnail
const FIRST = ['chess', 'othello', 'connect4', 'go', 'checkers', 'backgammon']; // what most people know
const WATCH = 'tree?game=tree&search=alphabeta&start=[[3,12,8],[2,4,6],[14,5,2]]&play=1';

export class Home {
  constructor(catalogue) {
    this.catalogue = catalogue;
    this.thumbs = [];
    this.recent = h('section', { class: 'recent', hidden: true });
    const games = catalogue.games.filter((game) => game.starts);
    const known = (game) => (game.own ? -1 : (FIRST.indexOf(game.id) + FIRST.length + 1) % (FIRST.length + 1));
    const ordered = games.toSorted((one, other) => known(one) - known(other));
    this.search = new SelfSearch();
    this.node = h('div', { class: 'home' },
      h('section', { class: 'welcome' },
        h('div', { class: 'welcome-words' },
          h('h1', {}, 'Play it. Watch it think. Outplay it.'),
          h('p', {}, 'Every method of adversarial search, at every game on this page, your own too: as an opponent, as an analyst, and step by step.')),
        this.search.node,
        h('div', { class: 'doors' },
          this.door('play', 'Play', 'A game against a machine of your strength', `#play?choose=${ordered[0].own ? ordered[0].id : catalogue.first}`, 'play'),
          this.door('tree', 'Watch it think', 'Alpha-beta and UCT, one step at a time', `#${WATCH}`, 'watch'),
          this.door('quiz', 'Test yourself', 'Values, windows, cutoffs: solve a tree by hand', '#quiz', 'test')),
        h('p', { class: 'row more-doors' }, h('a', { href: '#play?open=1', 'data-door': 'open' }, 'Open a game (PGN, SGF)'), h('a', { href: '#edit', 'data-door': 'edit' }, 'Set up a position'))),
      this.recent,
      h('section', { class: 'gallery', 'aria-label': 'Games' }, ordered.map((game) => this.card(game))));
    this.watching = new IntersectionObserver((seen) => seen.forEach(({ target, isIntersecting }) => {
      const thumb = this.thumbs.find((one) => one.place === target);
      thumb.visible = isIntersecting;
      if (isIntersecting) thumb.load();
    }));
    for (const thumb of this.thumbs) this.watching.observe(thumb.place);
  }

  door(sign, name, says, href, id) {
    return h('a', { class: `door ${id}`, href, 'data-door': id }, icon(sign), h('span', {}, h('strong', {}, name), h('small', {}, says)));
  }

  card(game) {
    const thumb = new Thumbnail(game.id);
    this.thumbs.push(thumb);
    return h('a', { class: 'game-card', href: `#play?new=${game.id}`, 'data-game': game.id }, thumb.place,
      h('span', { class: 'game-name' }, h('strong', {}, game.title), game.own && h('span', { class: 'badge' }, 'yours')), h('small', {}, game.about));
  }

  async open() {
    titled('Home');
    const here = stored();
    const left = [...(here?.line.length ? [here] : []), ...recent().filter((one) => one.seed !== here?.seed).map((one) => new Game(one))];
    const known = left.filter((game) => this.entry(game.id)).slice(0, 4);
    this.recent.hidden = !known.length;
    this.recent.replaceChildren(h('h2', {}, 'Go on with'), h('div', { class: 'row' }, known.map((game) => this.continued(game))));
    clearInterval(this.beating);
    if (still()) this.search.finish();
    else this.search.start();
    if (!still()) this.beating = setInterval(() => this.thumbs.forEach((thumb, i) => setTimeout(() => thumb.step(), 90 * (i % 8))), BEAT);
  }

  entry(id) {
    return this.catalogue.games.find((game) => game.id === id.split(':')[0]);
  }

  continued(game) {
    const open = () => { sessionStorage.setItem('outplay.game', JSON.stringify(game)); };
    return h('a', { class: 'left-game', href: `#${address(game)}`, onclick: open }, `${this.entry(game.id).title}, ${game.line.length} ${game.line.length === 1 ? 'move' : 'moves'}`);
  }

  close() {
    clearInterval(this.beating);
    this.search.stop();
  }
}

/** A small board on which a recorded game is played, over and over. */
class Thumbnail {
  constructor(game) {
    this.game = game;
    this.place = h('span', { class: 'thumb', 'aria-hidden': 'true' });
    this.at = 0;
    this.visible = false;
  }

  async load() {
    if (this.loading) return;
    this.loading = true;
    const { frames } = await ask('gallery', { game: this.game }).catch(() => ({ frames: [] }));
    this.frames = frames;
    this.at = Math.floor(frames.length / 2);
    if (frames.length) this.show([]);
  }

  step() {
    if (!this.visible || !(this.frames?.length > 1) || document.hidden) return;
    this.at = (this.at + 1) % (this.frames.length + 3); // a rest at the end
    if (this.at < this.frames.length) this.show(this.at ? this.frames[this.at].path : []);
  }

  show(path) {
    const before = this.svg;
    const { words } = this.frames[this.at];
    if (words) {
      const said = h('span', { class: 'thumb-words' }, words);
      said.style.setProperty('--across', String(Math.sqrt(words.length))); // the longer, the smaller
      return this.place.replaceChildren(said);
    }
    this.svg = picture(this.frames[this.at].svg);
    this.svg.removeAttribute('role');
    this.place.replaceChildren(this.svg);
    settle(before, this.svg, path, false, this.svg.classList.contains('frame'));
  }
}
