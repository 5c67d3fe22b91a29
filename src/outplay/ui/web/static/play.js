// The view in which games are played: the board, the players, the moves, and the analysis beside them.

import { ask, start } from './api.js';
import { Analysis } from './analysis.js';
import { BoardView } from './board.js';
import { announce, choice, download, h, labelled, toast } from './dom.js';
import { CLOCKS, address, asked, fromAddress, newGame, save, seat } from './game.js';
import { die } from './dice.js';

export class Play {
  constructor(catalogue) {
    this.catalogue = catalogue;
    this.stopThinking = null;
    this.views = new Map(); // what the server said of positions, by how they are asked for
    this.build();
    addEventListener('keydown', (event) => this.key(event));
  }

  // --- the page ---

  build() {
    this.boardPlace = h('div', { class: 'board-place' });
    this.board = new BoardView(this.boardPlace, (move) => this.play(move.action));
    this.strips = [0, 1].map(() => ({ name: h('span', { class: 'name' }), clock: h('span', { class: 'clock' }), hand: h('span', { class: 'hand' }) }));
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
      button('share', 'Share', 'Texts, files and links', () => this.exchange()));
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
    if (found && !known) toast(`There is no game called ${found.id} here.`);
    this.texts = [];
    await this.update();
    this.prepare();
  }

  /** Let what the machines need be compiled while the human looks at the board. */
  prepare() {
    const { game, view } = this;
    if (!view || view.over) return;
    for (const choice of game.seats) {
      if (choice.name !== 'human') start({ type: 'prepare', ...asked(game, 0), seat: seat(choice, game.seed) }, () => {});
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
    const machine = { name: entry.best, level: 5 };
    const game = newGame(id, seats || [{ name: 'human' }, machine], options);
    const mine = game.seats.findIndex((s) => s.name === 'human');
    game.flipped = entry.turns && mine >= 0 && mine !== entry.bottom && game.seats[1 - mine].name !== 'human';
    return game;
  }

  choose(id) {
    this.begin(this.fresh(id));
  }

  begin(game) {
    this.stop();
    this.game = game;
    this.texts = [];
    this.analysis.forget();
    this.update().then(() => this.prepare());
    this.boardPlace.querySelector('[tabindex="0"]')?.focus({ preventScroll: true });
  }

  // --- the course of the game ---

  /** Ask for the position at the cursor, show it, and let whoever is to move do so. */
  async update() {
    const { game } = this;
    this.stop();
    const turn = (this.turn = Symbol('turn'));
    let view;
    try {
      view = await this.ask(asked(game));
    } catch (error) {
      if (this.turn !== turn) return;
      toast(error.message);
      if (game.actions.length || game.start) return this.begin(this.fresh(this.entry(game.id) ? game.id.split(':')[0] : this.catalogue.first));
      return;
    }
    if (this.turn !== turn) return;
    this.view = view;
    view.moves.forEach((move, i) => { this.texts[i] = move; });
    this.texts.length = Math.max(game.actions.length, view.moves.length);
    if (this.texts.includes(undefined)) this.ask(asked(game, game.actions.length)).then((all) => { this.texts = all.moves; this.showMoves(); });
    save(game);
    this.show();
    this.analysis.update();
    this.proceed(turn);
  }

  async ask(position) {
    const key = JSON.stringify({ ...position, flipped: this.game.flipped });
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
    this.runClock();
    if (view.over || game.ended || game.cursor < game.actions.length) return;
    if (view.player === -1) this.roll(turn);
    else if (game.seats[view.player].name !== 'human') this.think(turn);
  }

  async roll(turn) {
    const { action } = await ask('roll', { ...asked(this.game), seed: this.game.seed });
    await new Promise((done) => { setTimeout(done, 250); });
    if (this.turn === turn) this.play(action);
  }

  think(turn) {
    const { game, view } = this;
    const told = seat(game.seats[view.player], game.seed);
    if (game.left && told.name !== 'random') {
      const most = Math.max(0.02, game.left[view.player] / 30000 + Number(game.clock.split('+')[1] || 0) * 0.7);
      if (!told.time || told.time > most) told.time = Math.min(most, 60);
    }
    this.say('thinking…');
    this.stopThinking = start({ type: 'think', ...asked(game), seat: told }, (said) => {
      if (this.turn !== turn) return;
      if (said.type === 'queued') this.say(said.ahead ? `waiting: ${said.ahead} before you` : 'waiting for a free worker…');
      if (said.type === 'compiling') this.say(said.message);
      if (said.type === 'error') return this.failed(said, turn);
      if (said.type === 'done' && !said.stopped) {
        this.stopThinking = null;
        this.thought = said;
        this.analysis.heard(said);
        this.play(said.action);
      }
    });
  }

  failed(said, turn) {
    this.stopThinking = null;
    this.say(said.message);
    toast(said.message);
    if (said.lost) setTimeout(() => { if (this.turn === turn) this.think(turn); }, 1500);
  }

  stop() {
    this.turn = null;
    this.stopThinking?.();
    this.stopThinking = null;
    clearInterval(this.ticking);
  }

  /** Make a move at the cursor; what came after it before is forgotten. */
  play(action) {
    const { game, view } = this;
    if (game.ended || view.over) return;
    const text = view.legal.find((move) => move.action === action)?.text;
    if (game.left && view.player >= 0) game.left[view.player] += 1000 * Number(game.clock.split('+')[1] || 0);
    if (game.actions[game.cursor] !== action) {
      game.actions.length = game.cursor;
      this.texts.length = game.cursor;
      game.actions.push(action);
    }
    game.cursor += 1;
    announce(`${this.who(view.player)}: ${text}`);
    this.update();
  }

  go(to) {
    this.game.cursor = Math.max(0, Math.min(to, this.game.actions.length));
    this.update();
  }

  /** Back to the last position where a human moved. */
  async undo() {
    const { game } = this;
    game.ended = null;
    let to = game.cursor - 1;
    while (to > 0 && !this.humanMoved(to)) to -= 1;
    if (to >= 0) this.go(to);
  }

  redo() {
    const { game } = this;
    let to = game.cursor + 1;
    while (to < game.actions.length && !this.humanMoved(to)) to += 1;
    this.go(to);
  }

  humanMoved(at) {
    const player = this.texts[at]?.player;
    const humans = this.game.seats.some((s) => s.name === 'human');
    return player >= 0 && (!humans || this.game.seats[player].name === 'human');
  }

  async typed() {
    const wanted = this.type.value.trim();
    if (!wanted) return;
    const fits = (move, fold) => (fold ? move.text.toLowerCase() === wanted.toLowerCase() : move.text === wanted);
    const move = this.view.legal.find((m) => fits(m)) || this.view.legal.find((m) => fits(m, true));
    if (!move) return toast(`${wanted} is not a move here. ${this.view.legal.slice(0, 12).map((m) => m.text).join(' ')}…`);
    if (!this.free()) return toast('It is not your move.');
    this.type.value = '';
    this.play(move.action);
  }

  hint() {
    const { view, game } = this;
    if (view.over || view.player < 0) return;
    const best = this.entry(game.id).best;
    this.buttons.hint.disabled = true;
    start({ type: 'think', ...asked(game), seat: { name: best, time: 1 } }, (said) => {
      if (said.type === 'done' || said.type === 'error') this.buttons.hint.disabled = false;
      if (said.type === 'error') return toast(said.message);
      if (said.type === 'compiling') this.say(said.message);
      if (said.type !== 'done' || this.view !== view) return;
      this.board.point([{ path: said.path, rank: 0, kind: 'hint' }]);
      this.say(`hint: ${said.texts[0] ?? view.legal.find((m) => m.action === said.action)?.text}`);
      announce(`hint: ${said.texts[0]}`);
    });
  }

  flip() {
    this.game.flipped = !this.game.flipped;
    this.update();
  }

  resign() {
    const { game, view } = this;
    if (view.over || game.ended) return;
    const human = game.seats.findIndex((s) => s.name === 'human');
    const loser = game.seats[view.player]?.name === 'human' || human < 0 ? Math.max(view.player, 0) : human;
    this.end(1 - loser, `${view.sides[loser]} resigns`);
  }

  end(winner, why) {
    this.game.ended = { winner, why };
    this.stop();
    save(this.game);
    this.show();
  }

  // --- clocks ---

  runClock() {
    clearInterval(this.ticking);
    const { game, view } = this;
    this.showClocks();
    if (!game.left || view.over || game.ended || view.player < 0 || game.cursor < game.actions.length) return;
    let then = performance.now();
    this.ticking = setInterval(() => {
      const now = performance.now();
      game.left[view.player] -= now - then;
      then = now;
      this.showClocks();
      if (game.left[view.player] <= 0) {
        game.left[view.player] = 0;
        this.end(1 - view.player, `${view.sides[view.player]} ran out of time`);
      }
    }, 100);
  }

  showClocks() {
    const { game } = this;
    this.strips.forEach(({ clock }, side) => {
      clock.hidden = !game.left;
      if (!game.left) return;
      const seconds = Math.max(0, game.left[side]) / 1000;
      const rest = seconds < 20 ? (seconds % 60).toFixed(1).padStart(4, '0') : String(Math.floor(seconds % 60)).padStart(2, '0');
      clock.textContent = `${Math.floor(seconds / 60)}:${rest}`;
      clock.classList.toggle('short', seconds < 20);
    });
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
    this.board.show(view, this.free());
    this.board.point([]);
    this.gameChoice.value = game.id.split(':')[0];
    document.title = `${this.entry(game.id).title} · Outplay`;
    this.strips.forEach(({ name }, side) => { name.textContent = `${view.sides[side]} · ${this.seatName(side)}`; });
    this.stripNodes.forEach((strip, side) => strip.classList.toggle('turn', !view.over && view.player === side));
    const { bottom, turns } = this.entry(game.id);
    const below = game.flipped ? 1 - bottom : bottom;
    this.top.replaceChildren(this.stripNodes[1 - below]);
    this.bottom.replaceChildren(this.stripNodes[below]);
    this.buttons.flip.disabled = !turns;
    this.say(this.statusText());
    this.note.textContent = view.svg && view.note !== this.status.textContent ? view.note : '';
    this.showChance();
    this.buttons.undo.disabled = this.buttons.back.disabled = this.buttons.first.disabled = !game.cursor;
    this.buttons.redo.disabled = this.buttons.on.disabled = this.buttons.last.disabled = game.cursor >= game.actions.length;
    this.buttons.resign.disabled = this.buttons.hint.disabled = view.over || !!game.ended;
    this.showMoves();
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
    const thrown = this.view.moves.filter((move) => move.player === -1).at(-1);
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
    const current = this.list.querySelector('[aria-current]');
    if (current) this.list.scrollTop = current.offsetTop - this.list.offsetTop - this.list.clientHeight / 2;
  }

  key(event) {
    if (!this.node.isConnected || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest('input, select, textarea, dialog')) return;
    const act = {
      n: () => this.setUp(), u: () => this.undo(), r: () => this.redo(), h: () => this.hint(), f: () => this.flip(), a: () => this.analysis.toggle(),
      ArrowLeft: () => this.go(this.game.cursor - 1), ArrowRight: () => this.go(this.game.cursor + 1),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  // --- dialogs ---

  /** Choose the game, its size, who plays and with what clock. */
  setUp() {
    let id = this.game.id.split(':')[0];
    const sizes = h('div', { class: 'fields' });
    const seats = [0, 1].map((side) => new SeatChoice(this, side, this.game.seats[side]));
    const games = choice({ onchange: () => refill(games.value) },
      this.catalogue.games.filter((game) => game.starts).map((game) => [game.id, `${game.title}: ${game.about}`]), id);
    const clock = choice({}, CLOCKS, this.game.clock);
    const position = h('input', { placeholder: 'the usual start', autocomplete: 'off' });
    const refill = (chosen) => {
      id = chosen;
      const entry = this.entry(id);
      sizes.replaceChildren(...Object.entries(entry.parameters).map(([name, value]) =>
        labelled(name, h('input', { type: 'number', name, min: 0, max: 9999, value, 'data-usual': value }))));
      seats.forEach((s) => s.fill(entry));
    };
    const dialog = h('dialog', { class: 'card set-up', 'aria-label': 'New game' },
      h('form', { method: 'dialog', onsubmit: (event) => { event.preventDefault(); begin(); } },
        h('h2', {}, 'New game'),
        labelled('Game', games), sizes,
        seats.map((s) => s.node),
        h('div', { class: 'fields' }, labelled('Clock', clock), labelled('Position', position)),
        h('div', { class: 'row end' },
          h('button', { type: 'button', class: 'quiet', onclick: () => dialog.close() }, 'Cancel'),
          h('button', { class: 'primary', type: 'submit' }, 'Start'))));
    const begin = async () => {
      const changed = [...sizes.querySelectorAll('input')].filter((input) => input.value !== input.dataset.usual);
      const spec = id + (changed.length ? `:${changed.map((input) => `${input.name}=${Number(input.value)}`).join(',')}` : '');
      try {
        const game = this.fresh(spec, seats.map((s) => s.chosen()), { clock: clock.value, start: position.value.trim() });
        await ask('position', { game: spec, start: game.start });
        dialog.close();
        this.begin(game);
      } catch (error) {
        toast(error.message);
      }
    };
    refill(id);
    this.openDialog(dialog);
  }

  /** Texts in and out. */
  exchange() {
    const text = h('textarea', { rows: 10, spellcheck: 'false', 'aria-label': 'Game or position as text' });
    const chess = this.game.id.startsWith('chess');
    const write = async (form) => {
      const names = [0, 1].map((side) => this.seatName(side));
      try {
        const body = { ...asked(this.game, this.game.actions.length), form, headers: { first: names[0], second: names[1] } };
        text.value = (await ask('write', body)).text;
      } catch (error) { toast(error.message); }
    };
    const read = async () => {
      try {
        const found = await ask('read', { text: text.value, game: this.game.id });
        dialog.close();
        this.begin(this.imported(found));
      } catch (error) { toast(error.message); }
    };
    const link = () => {
      text.value = `${location.href.split('#')[0]}#${address(this.game)}`;
      navigator.clipboard?.writeText(text.value).then(() => toast('The link is in the clipboard.', 'fine'), () => {});
    };
    const dialog = h('dialog', { class: 'card exchange', 'aria-label': 'Import and export' },
      h('h2', {}, 'Import · export'),
      h('p', { class: 'note' }, 'Paste a saved game, a position as the game writes it', chess ? ' (FEN), a PGN' : '', ' or a tree, and read it; or write this game down.'),
      text,
      h('div', { class: 'row' },
        h('button', { class: 'primary', onclick: read, 'data-do': 'read' }, 'Read this'),
        h('button', { onclick: () => write('record'), 'data-do': 'write' }, 'Write the game'),
        chess && h('button', { onclick: () => write('pgn'), 'data-do': 'pgn' }, 'as PGN'),
        h('button', { onclick: () => { text.value = this.view.text; }, 'data-do': 'position' }, chess ? 'Position (FEN)' : 'Position'),
        h('button', { onclick: link, 'data-do': 'link' }, 'Link'),
        h('button', { onclick: () => download('game.txt', new Blob([text.value])) }, 'Save as file'),
        h('button', { class: 'quiet', onclick: () => dialog.close() }, 'Close')));
    this.openDialog(dialog);
  }

  imported(found) {
    const game = newGame(found.game, [{ name: 'human' }, { name: 'human' }], { start: found.start });
    return { ...game, actions: found.actions, cursor: found.actions.length };
  }

  openDialog(dialog) {
    dialog.addEventListener('close', () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  }
}

/** Who sits on one side: you, a search with its limits, or a bot. */
class SeatChoice {
  constructor(play, side, now) {
    this.play = play;
    this.side = side;
    this.now = now;
    this.who = h('select', { 'data-seat': side, onchange: () => this.toggle() });
    this.level = h('input', { type: 'range', min: 1, max: 10, value: now.level || 5, 'aria-label': 'Strength', oninput: () => this.tell() });
    this.says = h('output', {});
    const number = (name, props) => h('input', { type: 'number', min: 0, placeholder: '–', value: now.level ? '' : now[name] ?? '', ...props });
    this.limits = { depth: number('depth', { max: 200 }), nodes: number('nodes', {}), time: number('time', { step: 'any', max: 60 }) };
    this.on = h('input', { placeholder: 'all -tapered -plausible', value: now.on || '', autocomplete: 'off', list: 'switches' });
    this.more = h('details', {}, h('summary', {}, 'Limits and switches'),
      h('div', { class: 'fields' }, labelled('Depth', this.limits.depth), labelled('Nodes', this.limits.nodes), labelled('Seconds', this.limits.time),
        labelled('Switches of the engine', this.on)),
      h('p', { class: 'note' }, play.catalogue.switches.map((one) => one.name).join(', '), '; exact, all, none; a minus leaves one out.'));
    this.machine = h('div', {}, h('div', { class: 'row' }, h('span', {}, 'Strength'), this.level, this.says), this.more);
    this.title = h('legend', {});
    this.node = h('fieldset', {}, this.title, this.who, this.machine);
  }

  fill(entry) {
    this.title.textContent = `${entry.sides[this.side]}${this.side ? '' : ' (first)'}`;
    const names = [['human', 'You'], ...entry.searches.map((name) => [name, name]), ['random', 'random moves'],
      ...this.play.catalogue.bots.map((name) => [name, `${name} (yours)`])];
    const kept = names.some(([name]) => name === this.now.name) ? this.now.name : entry.best;
    this.who.replaceChildren(...names.map(([value, text]) => h('option', { value, selected: value === kept }, text)));
    this.toggle();
  }

  toggle() {
    this.machine.hidden = this.who.value === 'human' || this.who.value === 'random';
    this.tell();
  }

  tell() {
    this.says.textContent = this.level.value;
  }

  chosen() {
    const name = this.who.value;
    if (name === 'human' || name === 'random') return { name };
    const given = Object.fromEntries(Object.entries(this.limits).filter(([, input]) => input.value).map(([key, input]) => [key, Number(input.value)]));
    if (this.on.value.trim() && name === 'engine') given.on = this.on.value.trim();
    const limited = given.depth || given.nodes || given.time;
    return { name, ...(limited ? {} : { level: Number(this.level.value) }), ...given };
  }
}
