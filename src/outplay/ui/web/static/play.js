// The view in which games are played: the board, the players, the moves, and the analysis beside them.

import { ask, isFinal, start } from './api.js';
import { Analysis } from './analysis.js';
import { BoardView } from './board.js';
import { Clock } from './clock.js';
import { announce, choice, h, toast } from './dom.js';
import { exchange } from './exchange.js';
import { address, asked, fromAddress, keep, newGame, save, seat } from './game.js';
import { die, hand } from './pieces.js';
import { setUp } from './setup.js';

const AGAIN = 1500; // milliseconds until a server that does not answer is asked again

export class Play {
  constructor(catalogue) {
    this.catalogue = catalogue;
    this.stopThinking = null;
    this.views = new Map(); // what the server said of positions, by how they are asked for
    this.peek = null; // who looks at the own hand, where two people share the page
    this.build();
    this.clock = new Clock(this.strips.map((strip) => strip.clock), (side) => this.end(1 - side, `${this.view.sides[side]} ran out of time`));
    addEventListener('keydown', (event) => this.key(event));
    addEventListener('pagehide', () => { if (this.game && this.view) keep(this.game); }); // the clocks as they are
  }

  // --- the page ---

  build() {
    this.boardPlace = h('div', { class: 'board-place' });
    this.board = new BoardView(this.boardPlace, (move) => this.play(move.action));
    this.strips = [0, 1].map(() => ({ name: h('span', { class: 'name' }), clock: h('span', { class: 'clock', role: 'timer' }), hand: h('span', { class: 'hand' }) }));
    const strip = (side) => h('div', { class: 'strip', 'data-side': side }, h('span', { class: `chip ${side ? 'min' : 'max'}` }),
      this.strips[side].name, this.strips[side].hand, this.strips[side].clock);
    this.stripNodes = [strip(0), strip(1)];
    this.status = h('p', { class: 'status', id: 'status' });
    this.chance = h('span', { class: 'chance' });
    this.note = h('p', { class: 'note' });
    this.gameChoice = choice({ id: 'game', 'aria-label': 'Game', onchange: () => this.choose(this.gameChoice.value) },
      this.catalogue.games.filter((game) => game.starts).map((game) => [game.id, game.title]), '');
    this.type = h('input', { id: 'type', 'aria-label': 'Type a move', placeholder: 'type a move', autocomplete: 'off', size: 10 });
    this.list = h('ol', { class: 'moves', 'aria-label': 'Moves', tabindex: 0 });
    this.buttons = {};
    const button = (name, text, title, act) => {
      this.buttons[name] = h('button', { onclick: act, title, 'data-do': name }, text);
      return this.buttons[name];
    };
    this.analysis = new Analysis(this);
    const controls = h('div', { class: 'controls', role: 'group', 'aria-label': 'Game' },
      button('new', 'New game', 'Choose players and clock (n)', () => this.setUp()),
      button('undo', 'Undo', 'Take the last move back (u)', () => this.undo()),
      button('redo', 'Redo', 'Play it again (r)', () => this.redo()),
      button('hint', 'Hint', 'What would the machine play? (h)', () => this.hint()),
      button('flip', 'Flip', 'Turn the board (f)', () => this.flip()),
      button('resign', 'Resign', 'Give the game up', () => this.resign()),
      button('share', 'Share', 'Texts, files and links', () => exchange(this)));
    const steps = h('div', { class: 'steps', role: 'group', 'aria-label': 'Go through the game' },
      button('first', '«', 'To the start', () => this.go(0)), button('back', '‹', 'Back (←)', () => this.go(this.game.cursor - 1)),
      button('on', '›', 'On (→)', () => this.go(this.game.cursor + 1)), button('last', '»', 'To the end', () => this.go(this.game.actions.length)));
    for (const [name, text] of [['first', 'To the start'], ['back', 'One move back'], ['on', 'One move on'], ['last', 'To the end']]) this.buttons[name].setAttribute('aria-label', text);
    const typing = h('form', { class: 'typing', onsubmit: (event) => { event.preventDefault(); this.typed(); } }, this.type);
    this.top = h('div', { class: 'strip-place' });
    this.bottom = h('div', { class: 'strip-place' });
    this.node = h('div', { class: 'play' },
      h('section', { class: 'table', 'aria-label': 'Board' }, this.top, this.analysis.bar, this.boardPlace, this.bottom),
      h('section', { class: 'side', 'aria-label': 'Game and analysis' },
        h('div', { class: 'card' }, h('div', { class: 'row spread' }, this.gameChoice, typing), h('div', { class: 'row' }, this.status, this.chance), this.note, controls),
        h('div', { class: 'card' }, h('div', { class: 'row spread' }, h('h2', {}, 'Moves'), steps), this.list),
        this.analysis.node));
  }

  /** Show the game of the address, the one that was left, or the first of the catalogue. */
  async open(parts) {
    const found = fromAddress(parts);
    const known = found && this.entry(found.id);
    if (this.game && found && address(found) === address(this.game)) return this.update();
    if (known) this.game = found;
    else if (this.catalogue.opened) this.game = this.imported(this.catalogue.opened);
    else this.game = this.fresh(this.catalogue.first);
    this.game.times ??= [];
    if (found && !known) toast(`There is no game called ${found.id} here.`);
    this.texts = [];
    this.analysis.forget();
    await this.update();
    this.prepare();
  }

  /** Let what the machines need be compiled while the human looks at the board. */
  prepare() {
    const { game, view } = this;
    if (!view || view.over) return;
    for (const choice of game.seats) {
      if (choice.name !== 'human' && choice.name !== 'random') start({ type: 'prepare', ...asked(game, 0), seat: seat(choice, game.seed) }, () => {});
    }
  }

  close() {
    this.stop();
    this.analysis.stop();
  }

  entry(id) {
    return this.catalogue.games.find((game) => game.id === id.split(':')[0]);
  }

  fresh(id, seats, options) {
    const entry = this.entry(id);
    const machine = entry.best === 'random' ? { name: 'random' } : { name: entry.best, level: 5 };
    const game = newGame(id, seats || [{ name: 'human' }, machine], options);
    const mine = game.seats.findIndex((s) => s.name === 'human');
    game.flipped = entry.turns && mine >= 0 && mine !== entry.bottom && game.seats[1 - mine].name !== 'human';
    return game;
  }

  imported(found) {
    const game = newGame(found.game, [{ name: 'human' }, { name: 'human' }], { start: found.start });
    return { ...game, actions: found.actions, cursor: found.actions.length };
  }

  choose(id) {
    this.begin(this.fresh(id));
  }

  begin(game) {
    this.stop();
    this.game = game;
    this.texts = [];
    this.peek = null;
    this.analysis.forget();
    this.update().then(() => this.prepare());
    this.boardPlace.querySelector('[tabindex="0"]')?.focus({ preventScroll: true });
  }

  // --- the course of the game ---

  /** What the server needs to know of the game; where it hides something, also who looks. */
  asked(at = this.game.cursor) {
    const { game } = this;
    if (!this.entry(game.id).hidden) return asked(game, at);
    const humans = this.humans();
    return { ...asked(game, at), humans, viewer: humans.length === 1 ? humans[0] : this.peek };
  }

  /** The sides that people play. */
  humans() {
    return [0, 1].filter((side) => this.game.seats[side].name === 'human');
  }

  /** Ask for the position at the cursor, show it, and let whoever is to move do so (machines only if they `may`). */
  async update(may = true) {
    const { game } = this;
    this.stop();
    const turn = (this.turn = Symbol('turn'));
    let view;
    try {
      view = await this.look();
    } catch (error) {
      if (this.turn === turn) this.trouble(error, turn);
      return;
    }
    if (this.turn !== turn) return;
    this.view = view;
    this.sound = { game, actions: [...game.actions], cursor: game.cursor };
    view.moves.forEach((move, i) => { this.texts[i] = move; });
    this.texts.length = Math.max(game.actions.length, view.moves.length);
    if (this.texts.includes(undefined)) this.look(game.actions.length).then((all) => { this.texts = all.moves; this.showMoves(); }, () => {});
    save(game);
    this.show();
    this.analysis.update();
    if (may) this.proceed(turn);
  }

  /** A position cannot be had: wait for a server that is away, go back where it refuses what was played. */
  trouble(error, turn) {
    const { game, sound } = this;
    if (!isFinal(error)) {
      this.say(`${error.message} Trying again…`);
      setTimeout(() => { if (this.turn === turn) this.update(); }, AGAIN);
      return;
    }
    toast(error.message);
    if (sound?.game === game) {
      [game.actions, game.cursor] = [[...sound.actions], sound.cursor];
      this.update(false);
    } else if (game.actions.length || game.start || game.id.includes(':')) {
      this.begin(this.fresh(this.entry(game.id) ? game.id.split(':')[0] : this.catalogue.first));
    } else this.say(error.message);
  }

  /** What the server says of a position of the game. */
  async look(at) {
    const key = JSON.stringify({ ...this.asked(at), flipped: this.game.flipped });
    if (!this.views.has(key)) {
      if (this.views.size > 400) this.views.clear();
      this.views.set(key, ask('position', JSON.parse(key)));
      this.views.get(key).catch(() => this.views.delete(key));
    }
    return this.views.get(key);
  }

  /** Chance and machines move by themselves at the end of the record; clocks run. */
  proceed(turn) {
    const { game, view } = this;
    const resting = view.over || game.ended || game.cursor < game.actions.length;
    this.clock.run(game, resting ? -1 : view.player);
    if (resting) return;
    if (view.player === -1) this.roll(turn);
    else if (game.seats[view.player].name !== 'human') this.think(turn);
  }

  async roll(turn) {
    try {
      const { action } = await ask('roll', { ...this.asked(), seed: this.game.seed });
      await new Promise((done) => { setTimeout(done, 250); });
      if (this.turn === turn) this.play(action);
    } catch (error) {
      if (this.turn === turn) this.trouble(error, turn);
    }
  }

  think(turn) {
    const { game, view } = this;
    const told = seat(game.seats[view.player], game.seed);
    if (game.left && told.name !== 'random') told.time = Math.min(told.time ?? 60, this.clock.share(game, view.player));
    this.say('thinking…');
    this.stopThinking = start({ type: 'think', ...this.asked(), seat: told }, (said) => {
      if (this.turn !== turn) return;
      if (said.type === 'queued' || said.type === 'compiling') this.clock.stop(); // that is not the machine's doing
      if (said.type === 'queued') this.say(said.ahead ? `waiting: ${said.ahead} before you` : 'waiting for a free worker…');
      if (said.type === 'compiling') this.say(said.message);
      if (said.type === 'error') return this.failed(said, turn);
      if (said.type === 'done' && !said.stopped) {
        this.stopThinking = null;
        this.analysis.heard(said);
        this.play(said.action);
      }
    });
  }

  failed(said, turn) {
    this.stopThinking = null;
    this.say(said.lost ? `${said.message}; trying again…` : said.message);
    if (said.lost) setTimeout(() => { if (this.turn === turn) this.think(turn); }, AGAIN);
    else toast(said.message);
  }

  stop() {
    this.turn = null;
    this.stopThinking?.();
    this.stopThinking = null;
    this.clock.stop();
  }

  /** Make a move at the cursor; what came after it before is forgotten. */
  play(action) {
    const { game, view } = this;
    if (game.ended || view.over) return;
    const text = view.legal.find((move) => move.action === action)?.text;
    this.clock.press(game, view.player);
    if (game.actions[game.cursor] !== action) {
      game.actions.length = game.cursor;
      game.times.length = Math.min(game.times.length, game.cursor + 1);
      this.texts.length = game.cursor;
      this.analysis.points.length = Math.min(this.analysis.points.length, game.cursor + 1);
      game.actions.push(action);
    }
    game.cursor += 1;
    this.peek = null;
    this.said = text ? `${this.who(view.player)}: ${text}.` : '';
    this.update();
  }

  go(to) {
    this.game.cursor = Math.max(0, Math.min(to, this.game.actions.length));
    this.peek = null;
    this.update();
  }

  /** Back to the last position where a human moved; a resignation or a flag is taken back by itself. */
  undo() {
    const { game } = this;
    const to = game.ended ? game.cursor : this.before();
    if (to < 0) return;
    game.ended = null;
    game.cursor = to;
    this.clock.restore(game);
    this.go(to);
  }

  /** The last position before the cursor where a human moved; -1 if there is none. */
  before() {
    let to = this.game.cursor - 1;
    while (to >= 0 && !this.humanMoved(to)) to -= 1;
    return to;
  }

  redo() {
    const { game } = this;
    let to = game.cursor + 1;
    while (to < game.actions.length && !this.humanMoved(to)) to += 1;
    this.go(to);
  }

  humanMoved(at) {
    const player = this.texts[at]?.player;
    return player >= 0 && (!this.humans().length || this.game.seats[player].name === 'human');
  }

  typed() {
    const wanted = this.type.value.trim();
    if (!wanted || !this.view) return;
    if (this.view.over || this.game.ended) return toast('The game is over.');
    if (!this.free()) return toast('It is not your move.');
    const fits = (move, fold) => (fold ? move.text.toLowerCase() === wanted.toLowerCase() : move.text === wanted);
    const move = this.view.legal.find((m) => fits(m)) || this.view.legal.find((m) => fits(m, true));
    if (!move) {
      const some = this.view.legal.slice(0, 12).map((m) => m.text).join(' ');
      return toast(`${wanted} is not a move here; there are ${some}${this.view.legal.length > 12 ? ' …' : ''}`);
    }
    this.type.value = '';
    this.play(move.action);
  }

  hint() {
    const { view, game } = this;
    const { best, searches } = this.entry(game.id);
    if (view.over || game.ended || view.player < 0 || !searches.length) return;
    this.buttons.hint.disabled = true;
    start({ type: 'think', ...this.asked(), seat: { name: best, time: 1 } }, (said) => {
      if (said.type === 'done' || said.type === 'error') this.buttons.hint.disabled = this.view.over || !!game.ended;
      if (said.type === 'error') return toast(said.message);
      if (this.view !== view) return;
      if (said.type === 'compiling') this.say(said.message);
      if (said.type !== 'done') return;
      const text = `hint: ${said.texts[0] ?? view.legal.find((m) => m.action === said.action)?.text}`;
      this.board.point([{ path: said.path, rank: 0, kind: 'hint' }]);
      this.say(text);
      announce(text);
    });
  }

  flip() {
    this.game.flipped = !this.game.flipped;
    this.update();
  }

  resign() {
    const { game, view } = this;
    if (view.over || game.ended) return;
    const [human = -1] = this.humans();
    const loser = game.seats[view.player]?.name === 'human' || human < 0 ? Math.max(view.player, 0) : human;
    this.end(1 - loser, `${view.sides[loser]} resigns`);
  }

  end(winner, why) {
    this.game.ended = { winner, why };
    this.stop();
    save(this.game);
    this.show();
  }

  // --- showing ---

  free() {
    const { game, view } = this;
    return !view.over && !game.ended && view.player >= 0
      && (game.seats[view.player].name === 'human' || game.cursor < game.actions.length);
  }

  who(player) {
    return player < 0 ? 'chance' : this.view.sides[player];
  }

  seatName(side) {
    const { name, level } = this.game.seats[side];
    return name === 'human' ? 'you' : level ? `${name}, level ${level}` : name;
  }

  say(text) {
    this.status.textContent = text;
  }

  show() {
    const { game, view } = this;
    const entry = this.entry(game.id);
    this.board.show(view, this.free());
    this.offerHand(entry);
    this.board.point([]);
    this.gameChoice.value = entry.id;
    document.title = `${entry.title} · Outplay`;
    this.strips.forEach(({ name, hand: place }, side) => {
      name.textContent = `${view.sides[side]} · ${this.seatName(side)}`;
      place.replaceChildren(...hand(view, side));
    });
    this.stripNodes.forEach((strip, side) => strip.classList.toggle('turn', !view.over && !game.ended && view.player === side));
    const below = game.flipped ? 1 - entry.bottom : entry.bottom;
    this.top.replaceChildren(this.stripNodes[1 - below]);
    this.bottom.replaceChildren(this.stripNodes[below]);
    this.clock.show(game);
    this.buttons.flip.disabled = !entry.turns;
    this.analysis.node.hidden = !entry.searches.length;
    const status = this.statusText();
    this.say(status);
    announce(`${this.said || ''} ${status}`.trim());
    this.said = '';
    this.note.textContent = view.svg && view.note !== status ? view.note : '';
    this.showChance();
    this.buttons.back.disabled = this.buttons.first.disabled = !game.cursor;
    this.buttons.redo.disabled = this.buttons.on.disabled = this.buttons.last.disabled = game.cursor >= game.actions.length;
    this.buttons.resign.disabled = view.over || !!game.ended;
    this.buttons.hint.disabled = view.over || !!game.ended || view.player < 0 || !entry.searches.length;
    this.showMoves();
  }

  /** Two people at one page: each looks at the own hand when the other does not. */
  offerHand(entry) {
    const { view } = this;
    if (!entry.hidden || !this.free() || this.humans().length < 2 || this.peek === view.player) return;
    const look = () => { this.peek = view.player; this.update(); };
    this.boardPlace.append(h('button', { class: 'primary', 'data-do': 'peek', onclick: look }, `${view.sides[view.player]} looks`));
  }

  statusText() {
    const { game, view } = this;
    if (view.over) {
      if (!view.result) return 'The game is a draw.';
      const by = Math.abs(view.result) === 1 ? '' : ` by ${Math.abs(view.result)}`;
      return `${view.sides[view.result > 0 ? 0 : 1]} wins${by}.`;
    }
    if (game.ended) return `${game.ended.why}: ${view.sides[game.ended.winner]} wins.`;
    return view.player < 0 ? 'Chance moves.' : `${view.sides[view.player]} to move`;
  }

  showChance() {
    const thrown = this.view.style === 'cards' ? null : this.view.moves.filter((move) => move.player === -1 && !move.hidden).at(-1);
    this.chance.replaceChildren(...(thrown ? [die(thrown.text)] : []));
  }

  showMoves() {
    const { game } = this;
    const items = [];
    let row = null;
    this.texts.forEach((move, i) => {
      if (!move) return;
      if (!row || move.player === 0 || (move.player > 0 && row.last > move.player)) { // chance stays in its row
        row = { node: h('li', {}), last: -1 };
        items.push(row.node);
      }
      row.last = Math.max(row.last, move.player);
      row.node.append(h('button', {
        class: move.player < 0 ? 'move thrown' : 'move', 'aria-current': i + 1 === game.cursor ? 'step' : null, onclick: () => this.go(i + 1),
      }, move.text));
    });
    this.list.replaceChildren(...items);
    this.buttons.undo.disabled = !game.ended && this.before() < 0;
    const current = this.list.querySelector('[aria-current]');
    if (current) this.list.scrollTop = current.offsetTop - this.list.offsetTop - this.list.clientHeight / 2;
  }

  key(event) {
    if (!this.node.isConnected || !this.view || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest('input, select, textarea, dialog')) return;
    const act = {
      n: () => this.setUp(), u: () => this.undo(), r: () => this.redo(), h: () => this.hint(), f: () => this.flip(), a: () => this.analysis.toggle(),
      ArrowLeft: () => this.go(this.game.cursor - 1), ArrowRight: () => this.go(this.game.cursor + 1),
    }[event.key];
    if (!act || (event.key === 'f' && this.buttons.flip.disabled)) return;
    event.preventDefault();
    act();
  }

  setUp() {
    setUp(this);
  }
}
