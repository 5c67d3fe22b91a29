// The view in which games are played and looked at: what happens, and when. Its parts are put together in workspace.js.

import { ask, isFinal, start } from './api.js';
import { Analysis } from './analysis.js';
import { BoardView } from './board.js';
import { Clock } from './clock.js';
import { announce, h, titled, toast, untoast } from './dom.js';
import { address, fromAddress, Game, HUMAN, keep, remember, save, seat } from './game.js';
import { LivingTree } from './living.js';
import { MoveList } from './movelist.js';
import { die, hand } from './pieces.js';
import { ResultCard } from './result.js';
import { Review } from './review.js';
import { Sharing } from './sharing.js';
import { sound } from './sound.js';
import { workspace } from './workspace.js';

const AGAIN = 1500; // milliseconds until a server that does not answer is asked again
const SURE = 3000; // milliseconds to say that one really resigns

export class Play {
  constructor(catalogue) {
    this.catalogue = catalogue;
    this.stopThinking = null;
    this.views = new Map(); // what the server said of positions, by how they are asked for
    this.peek = null; // who looks at the own hand, where two people share the page
    this.paused = false;
    this.parts = {};
    this.boardPlace = h('div', { class: 'board-place' });
    this.board = new BoardView(this.boardPlace, (move) => this.play(move.action));
    this.analysis = new Analysis(this);
    this.review = new Review(this);
    this.moves = new MoveList(this);
    this.living = new LivingTree(this);
    this.share = new Sharing(this);
    this.result = new ResultCard(this);
    this.boardPlace.prepend(this.analysis.bar);
    this.node = workspace(this);
    this.clock = new Clock(this.parts.strips.map((strip) => strip.clock), (side) => this.end(1 - side, `${this.view.sides[side]} ran out of time`), () => sound('low'));
    addEventListener('keydown', (event) => this.key(event));
    addEventListener('pagehide', () => { if (this.game && this.view) keep(this.game); }); // the clocks as they are
  }

  // --- which game ---

  /** Show the game of the address, the one that was left, or the first of the catalogue. */
  async open(parts) {
    const wanted = parts.get('new') ?? parts.get('choose');
    if (wanted && this.entry(wanted)) return this.begin(this.fresh(wanted), false).then(() => (parts.has('choose') ? this.setUp() : undefined));
    const players = ['human', 'random', ...this.catalogue.games.flatMap((game) => game.searches), ...this.catalogue.bots];
    const found = fromAddress(parts, players);
    const known = found && this.entry(found.id);
    if (parts.has('open') && this.game) return this.update().then(() => this.openFile());
    if (this.game && found && address(found) === address(this.game)) return this.update();
    remember(this.game);
    if (known) this.game = found;
    else if (this.catalogue.opened) this.game = this.imported(this.catalogue.opened);
    else this.game = this.fresh(this.catalogue.first);
    if (found && !known) toast(`There is no game called ${found.id} here.`);
    this.forget();
    await this.update();
    this.prepare();
    if (parts.has('analyse') && !this.analysis.on) this.analysis.toggle();
    if (parts.has('open')) this.openFile();
  }

  /** Where a game is pasted or read from a file. */
  openFile() {
    this.parts.tabs.open('share');
    this.share.text.focus();
  }

  close() {
    this.stop();
    this.analysis.stop();
    remember(this.game);
  }

  entry(id = this.game.id) {
    return this.catalogue.games.find((game) => game.id === id.split(':')[0]);
  }

  /** A new game; where nobody says otherwise, against the machine that plays it best. */
  fresh(id, seats, options = {}) {
    const entry = this.entry(id);
    const machine = entry.best === 'random' ? { name: 'random' } : { name: entry.best, level: this.catalogue.level };
    const game = new Game({ id, seats: seats || [HUMAN, machine], ...options });
    const mine = game.seats.findIndex((one) => one.name === 'human');
    game.flipped = entry.turns && mine >= 0 && mine !== entry.bottom && game.seats[1 - mine].name !== 'human';
    return game;
  }

  imported(found) {
    return new Game({ id: found.game, start: found.start, tree: found.tree, actions: found.actions, headers: found.headers });
  }

  /** Begin another game; `fresh`: the browser can go back to the one before. */
  begin(game, fresh = true) {
    this.stop();
    remember(this.game);
    this.game = game;
    this.forget();
    this.newest = fresh;
    return this.update().then(() => this.prepare());
  }

  /** What was known of another game. */
  forget() {
    Object.assign(this, { peek: null, takeback: false, paused: false, view: null, shownAt: null });
    this.board.premove = null;
    this.board.svg = null;
    this.analysis.forget();
    this.review.forget();
    this.result.forget();
  }

  /** Let what the machines need be compiled while the human looks at the board. */
  prepare() {
    const { game, view } = this;
    if (!view || view.over) return;
    for (const choice of game.seats) {
      if (choice.name !== 'human' && choice.name !== 'random') start({ type: 'prepare', ...game.asked(0), seat: this.seat(choice) }, () => {});
    }
  }

  seat(choice) {
    const entry = this.entry();
    return seat(choice, this.game.seed, this.catalogue, this.game.id === entry.id ? entry : { ...entry, guided: [] }); // a net is for the usual board
  }

  // --- the course of the game ---

  /** What the server needs to know of the game; where it hides something, also who looks. */
  asked(at = this.game.cursor) {
    const { game } = this;
    if (!this.entry().hidden) return game.asked(at);
    const humans = this.humans();
    return { ...game.asked(at), humans, viewer: humans.length === 1 ? humans[0] : this.peek };
  }

  /** The sides that people play. */
  humans() {
    return [0, 1].filter((side) => this.game.seats[side].name === 'human');
  }

  /** Whether a machine may move here: it plays the game, not what is tried out beside it. */
  isGame() {
    return !this.game.ended && this.game.tree.isMain(this.game.node);
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
    const { node } = game;
    const path = this.way(view);
    this.view = view;
    this.shownAt = node;
    this.sound = { game, node, cursor: game.cursor };
    view.moves.forEach((move, i) => Object.assign(game.line[i], move));
    if (node.up) node.over = view.over;
    save(game, this.newest);
    this.newest = false;
    this.show(path);
    this.analysis.update();
    this.name();
    if (may) this.proceed(turn);
  }

  /** The cells that the last move went through, if the position is a move further or a move back. */
  way(view) {
    const { node } = this.game;
    if (!this.view || !this.shownAt) return [];
    if (node.up === this.shownAt) {
      const fewer = !['points', 'pits'].includes(view.style) && pieces(view) < pieces(this.view);
      sound(view.over ? 'end' : / mark[ "]/.test(view.svg) && view.style === 'squares' ? 'alarm' : fewer ? 'capture' : 'move');
      return view.last;
    }
    return this.shownAt.up === node ? [...this.view.last].reverse() : [];
  }

  /** Learn what the moves are called that were never shown: of an imported game, of another variation. */
  async name() {
    const { game } = this;
    const unnamed = () => [...game.tree.walk()].find((node) => node.text === undefined);
    for (let node = unnamed(), tries = 0; node && tries < 60 && game === this.game; node = unnamed(), tries += 1) {
      const line = game.tree.line(node);
      const all = await ask('position', { ...this.asked(0), actions: line.map((one) => one.action) }).catch(() => null);
      if (!all) return;
      all.moves.forEach((move, i) => Object.assign(line[i], move));
      if (game === this.game) this.moves.show();
    }
  }

  /** A position cannot be had: wait for a server that is away, go back where it refuses what was played. */
  trouble(error, turn) {
    const { game, sound: sure } = this;
    if (!isFinal(error)) {
      this.say(`${error.message}${error.message.endsWith('?') ? '' : '.'} Trying again…`);
      setTimeout(() => { if (this.turn === turn) this.update(); }, AGAIN);
      return;
    }
    if (sure && sure.game === game) {
      const refused = game.node;
      game.goTo(sure.node);
      if (refused !== sure.node && refused.text === undefined) game.tree.remove(refused);
      game.line = game.tree.line(sure.node);
      this.update(false).then(() => toast(error.message));
    } else if (game.line.length || game.start || game.id.includes(':')) {
      this.begin(this.fresh(this.entry() ? game.id.split(':')[0] : this.catalogue.first)).then(() => toast(error.message));
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
    const resting = view.over || game.ended || !game.atEnd;
    this.clock.run(game, resting || this.paused ? -1 : view.player);
    if (resting || this.paused) return;
    if (view.player === -1) this.roll(turn);
    else if (game.seats[view.player].name !== 'human' && this.isGame()) this.think(turn);
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
    const told = this.seat(game.seats[view.player]);
    if (game.left && told.name !== 'random') told.time = Math.min(told.time ?? 60, this.clock.share(game, view.player));
    this.say('thinking…');
    const began = performance.now();
    const hurry = game.seats[view.player].level !== undefined;
    this.stopThinking = start({ type: 'think', ...this.asked(), seat: told, hurry }, (said) => {
      if (this.turn !== turn) return;
      if (said.type === 'queued' || said.type === 'compiling') this.clock.stop(); // that is not the machine's doing
      if (said.type === 'queued') this.say(said.ahead ? `waiting: ${said.ahead} ahead of you` : 'waiting for a free worker…');
      if (said.type === 'compiling') this.say(said.message);
      if (said.type === 'error') return this.failed(said, turn);
      if (said.type === 'done' && !said.stopped) {
        this.stopThinking = null;
        if (said.book) this.say('a move from the book');
        if (said.quick && this.hurried !== game) toast(`The ${told.name === 'engine' ? '' : `${told.name} `}engine is being compiled, once; plain Python has found this move.`, 'fine');
        if (said.quick) this.hurried = game; // once is enough
        const watched = this.humans().length ? 0 : 350 - (performance.now() - began); // two machines: slowly enough to be seen
        setTimeout(() => { if (this.turn === turn) this.play(said.action); }, Math.max(0, watched));
      }
    });
  }

  failed(said, turn) {
    this.stopThinking = null;
    this.say(said.lost ? `${said.message}; trying again…` : said.message);
    if (said.lost) setTimeout(() => { if (this.turn === turn) { this.views.clear(); this.update(); } }, AGAIN); // the server says what is wrong
    else {
      toast(said.message);
      this.board.beside.replaceChildren(h('button', { class: 'primary', 'data-do': 'again', onclick: () => { untoast(); this.update(); } }, 'Try again'));
    }
  }

  stop() {
    this.turn = null;
    this.stopThinking?.();
    this.stopThinking = null;
    this.clock?.stop();
  }

  /** Make a move at the cursor. In a game against a machine that goes on it is the game's; else it is tried out. */
  play(action) {
    const { game, view, sound: sure } = this;
    if (view.over || (game.ended && game.atEnd)) return;
    if (!sure || sure.game !== game || sure.node !== game.node) return; // a second click: the first move is on its way
    const text = view.legal.find((move) => move.action === action)?.text;
    if (game.seats[view.player]?.name === 'human') untoast(); // what was wrong before is not any more; a machine's move says nothing of it
    this.clock.press(game, view.player);
    const against = this.humans().length < 2 && !game.ended && !this.isFinished();
    game.play(action, this.takeback || (against && this.isGame()));
    if (game.tree.isMain(game.node)) delete game.headers.Result; // it goes on
    this.takeback = false;
    this.peek = null;
    this.said = text ? `${this.who(view.player)}: ${text}.` : '';
    this.update();
  }

  /** Whether the game has come to its end by the rules, wherever one looks now. */
  isFinished() {
    return this.game.tree.line(this.game.tree.root).at(-1)?.over === true;
  }

  /** Go on along a line that a search proposes; it stands beside the game. */
  tryLine(actions) {
    const { game } = this;
    let at = game.node;
    for (const action of actions) at = game.tree.add(at, action);
    this.visit(at);
  }

  go(to) {
    this.game.cursor = Math.max(0, Math.min(to, this.game.line.length));
    this.peek = null;
    this.update();
  }

  /** Go to a move of the tree. */
  visit(node) {
    this.game.goTo(node);
    this.peek = null;
    this.update();
  }

  /** From one variation of the last move to another. */
  sideways(step) {
    const { node } = this.game;
    const all = node.up?.below ?? [];
    const next = all[all.indexOf(node) + step];
    if (next) this.visit(next);
  }

  /** Back to the last position where a human moved; a resignation or a flag is taken back by itself. */
  undo() {
    const { game } = this;
    const to = game.ended ? game.cursor : this.before();
    if (to < 0) return;
    this.takeback = !game.ended && this.humans().length < 2;
    game.ended = null;
    this.result.forget();
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
    while (to < game.line.length && !this.humanMoved(to)) to += 1;
    this.go(to);
  }

  humanMoved(at) {
    const player = this.game.line[at]?.player;
    return player >= 0 && (!this.humans().length || this.game.seats[player].name === 'human');
  }

  /** A move as people write it, or the cells it goes through: e2e4. */
  typed() {
    const { type } = this.parts;
    const wanted = type.value.trim();
    if (!wanted || !this.view) return;
    if (this.view.over || this.game.ended) return toast('The game is over.');
    if (!this.free()) return toast('It is not your move.');
    const cells = (move) => move.path.map((at) => this.board.cells?.get(at.join())?.dataset.says?.split(':')[0] ?? '');
    const ways = [(move) => move.text === wanted, (move) => move.text.toLowerCase() === wanted.toLowerCase(),
      (move) => { const all = cells(move); return all.length > 1 && [`${all[0]}${all.at(-1)}`, `${all[0]}-${all.at(-1)}`, `${all[0]} ${all.at(-1)}`].includes(wanted.toLowerCase()); }];
    const move = ways.map((fits) => this.view.legal.findLast(fits)).find(Boolean);
    if (!move) {
      const some = this.view.legal.slice(0, 12).map((m) => m.text).join(' ');
      return toast(`${wanted} is not a move here; there are ${some}${this.view.legal.length > 12 ? ' …' : ''}`);
    }
    type.value = '';
    this.play(move.action);
  }

  hint() {
    const { view, game } = this;
    const { best, searches } = this.entry();
    const { hint } = this.parts.buttons;
    if (view.over || game.ended || view.player < 0 || !searches.length) return;
    hint.disabled = true;
    start({ type: 'think', ...this.asked(), seat: { name: best, time: 1 } }, (said) => {
      if (said.type === 'done' || said.type === 'error') hint.disabled = false;
      if (this.view !== view) return;
      if (said.type === 'compiling') this.say(said.message);
      if (said.type === 'error') toast(said.message);
      if (said.type !== 'done' || said.stopped) return;
      const text = `hint: ${said.texts[0]} (${said.words})`;
      this.board.point([{ path: said.path, rank: 0, kind: 'hint' }]);
      this.say(text);
      announce(text);
    });
  }

  flip() {
    this.game.flipped = !this.game.flipped;
    this.shownAt = null;
    this.update();
  }

  /** Two machines wait until they are let go on. */
  pause() {
    this.paused = !this.paused;
    const { pause } = this.parts.buttons;
    pause.querySelector('span').textContent = this.paused ? 'Go on' : 'Pause';
    this.update();
  }

  /** Resign, if the button is pressed twice. */
  resign() {
    const { game, view } = this;
    const { resign } = this.parts.buttons;
    if (view.over || game.ended) return;
    if (!this.sure) {
      this.askResign(resign);
      return;
    }
    this.notSure();
    const [human = -1] = this.humans();
    const loser = game.seats[view.player]?.name === 'human' || human < 0 ? Math.max(view.player, 0) : human;
    this.end(1 - loser, `${view.sides[loser]} resigns`);
  }

  askResign(button) {
    button.querySelector('span').textContent = 'Sure?';
    button.classList.add('danger');
    this.sure = setTimeout(() => this.notSure(), SURE);
  }

  notSure() {
    const { resign } = this.parts.buttons;
    clearTimeout(this.sure);
    this.sure = undefined;
    resign.querySelector('span').textContent = 'Resign';
    resign.classList.remove('danger');
  }

  end(winner, why) {
    this.game.ended = { winner, why };
    this.stop();
    sound('end');
    save(this.game);
    this.show();
  }

  /** The same again, with the sides changed. */
  rematch() {
    const { game } = this;
    this.begin(this.fresh(game.id, [...game.seats].reverse(), { start: game.start, clock: game.clock }));
  }

  // --- showing ---

  free() {
    const { game, view } = this;
    if (view.over || view.player < 0 || (game.ended && game.atEnd)) return false;
    return game.seats[view.player].name === 'human' || !game.atEnd || !this.isGame() || this.paused;
  }

  who(player) {
    return player < 0 ? 'chance' : this.view.sides[player];
  }

  seatName(side) {
    const { game, catalogue } = this;
    const { name, level } = game.seats[side];
    const named = game.headers[['white', 'black'][side]] ?? game.headers[['first', 'second'][side]];
    if (name === 'human') return named && named !== '?' ? named : 'you';
    return level ? `${catalogue.levels[Math.min(level, catalogue.levels.length) - 1].name} (${name})` : name;
  }

  say(text) {
    this.parts.status.textContent = text;
  }

  show(path = []) {
    const { game, view, parts } = this;
    const entry = this.entry();
    const [human = -1] = this.humans().length === 1 ? this.humans() : [];
    this.board.point([]);
    this.board.show(view, this.free(), { path, side: view.over || game.ended || !game.atEnd ? -1 : human });
    this.offerHand(entry);
    parts.title.textContent = entry.title;
    titled(entry.title);
    this.showPlayers(entry);
    this.clock.show(game);
    parts.buttons.flip.disabled = !entry.turns;
    parts.buttons.edit.disabled = entry.hidden;
    this.analysis.node.hidden = !entry.searches.length;
    parts.tabs.offer('analyse', entry.searches.length > 0);
    parts.tabs.offer('tree', entry.searches.length > 0);
    const status = this.statusText();
    this.say(status);
    announce(`${this.said || ''} ${status}`.trim());
    this.said = '';
    parts.note.textContent = view.svg && view.note !== status.replace(/\.$/, '') && !game.ended ? view.note : '';
    this.showChance();
    this.showButtons(entry);
    this.moves.show();
    this.review.show();
    this.living.show();
    this.result.show();
  }

  showPlayers(entry) {
    const { game, view, parts } = this;
    parts.strips.forEach(({ chip, name, hand: place, node }, side) => {
      chip.className = `chip ${entry.colours[side]}`;
      name.textContent = name.title = `${view.sides[side]} · ${this.seatName(side)}`;
      place.replaceChildren(...hand(view, side));
      node.classList.toggle('turn', !view.over && !game.ended && view.player === side);
    });
    const below = game.flipped ? 1 - entry.bottom : entry.bottom;
    parts.top.replaceChildren(parts.strips[1 - below].node);
    parts.bottom.replaceChildren(parts.strips[below].node);
    this.analysis.turn(below, entry.colours);
    this.node.dataset.paint = entry.colours.join(' ');
  }

  showButtons(entry) {
    const { game, view } = this;
    const { buttons } = this.parts;
    buttons.undo.disabled = !game.ended && this.before() < 0;
    buttons.back.disabled = buttons.first.disabled = !game.cursor;
    buttons.redo.disabled = buttons.on.disabled = buttons.last.disabled = game.atEnd;
    buttons.resign.disabled = view.over || !game.atEnd || !this.isGame(); // nobody resigns where the game is only looked at
    buttons.hint.disabled = view.over || !!game.ended || view.player < 0 || !entry.searches.length;
    buttons.pause.hidden = this.humans().length > 0;
    buttons.resign.hidden = !buttons.pause.hidden;
    if (this.sure) this.notSure();
  }

  /** Two people at one page: each looks at the own hand when the other does not. */
  offerHand(entry) {
    const { view } = this;
    if (!entry.hidden || !this.free() || this.humans().length < 2 || this.peek === view.player) return;
    const look = () => { this.peek = view.player; this.update(); };
    this.board.beside.append(h('button', { class: 'primary', 'data-do': 'peek', onclick: look }, `${view.sides[view.player]} looks`));
  }

  statusText() {
    const { game, view } = this;
    if (view.over) {
      if (!view.result) return 'The game is a draw.';
      const by = Math.abs(view.result) === 1 ? '' : ` by ${Math.abs(view.result)}`;
      return `${view.sides[view.result > 0 ? 0 : 1]} wins${by}.`;
    }
    if (game.ended && game.atEnd) return `${game.ended.why}: ${view.sides[game.ended.winner]} wins.`;
    const result = game.atEnd && game.tree.isMain(game.node) && game.headers.Result;
    return `${result ? `${result}: ` : ''}${view.player < 0 ? 'Chance moves.' : `${view.sides[view.player]} to move`}`;
  }

  showChance() {
    const thrown = this.view.style === 'cards' ? null : this.view.moves.filter((move) => move.player === -1 && !move.hidden).at(-1);
    this.parts.chance.replaceChildren(...(thrown && this.view.style !== 'points' ? [die(thrown.text)] : [])); // backgammon's lie on the board
  }

  /** Another tab is in sight. */
  tabbed(name) {
    if (name === 'tree') this.living.show();
    if (name === 'analyse') this.analysis.explain();
    if (name === 'share') this.share.offer();
  }

  key(event) {
    if (!this.node.isConnected || !this.view || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest('input, select, textarea, dialog')) return;
    const { game } = this;
    const act = {
      n: () => this.setUp(), e: () => this.edit(), u: () => this.undo(), r: () => this.redo(), h: () => this.hint(), f: () => this.flip(), a: () => this.entry().searches.length && this.analysis.toggle(),
      ArrowLeft: () => this.go(game.cursor - 1), ArrowRight: () => this.go(game.cursor + 1), Home: () => this.go(0), End: () => this.go(game.line.length),
      ArrowUp: () => this.sideways(-1), ArrowDown: () => this.sideways(1), Escape: () => this.board.letGo(),
    }[event.key];
    if (!act || (event.key === 'f' && this.parts.buttons.flip.disabled)) return;
    event.preventDefault();
    act();
  }

  /** Set up a position, beginning with the one on the board. */
  edit() {
    const { game, view } = this;
    if (this.entry().hidden) return toast('A position with hidden information cannot be set up.');
    location.hash = `edit?${new URLSearchParams({ game: game.id, start: view.text, ...(game.flipped ? { flipped: '1' } : {}) })}`;
  }

  async setUp() {
    (await import('./setup.js')).setUp(this);
  }
}

/** How many pieces a picture shows. */
const pieces = (view) => view.svg.split('class="piece').length;
