// The game on the page: a tree of moves with a place in it, kept in the address and in the browser's storage: in the
// tab's own, so that another tab's game does not take its place, and in the one that outlives the tab. Actions are
// texts: some are longer than the numbers of this language, and those that nobody may see are sealed.

import { MoveTree } from './movetree.js';

const KEY = 'outplay.game';
const RECENT = 'outplay.recent';
const REMEMBERED = 8; // games that were left
/** @type {Seat} */
export const HUMAN = { name: 'human' };

export const CLOCKS = [
  ['', 'No clock'], ['60+0', '1 minute'], ['180+2', '3 minutes + 2 s'], ['300+3', '5 minutes + 3 s'],
  ['600+5', '10 minutes + 5 s'], ['1800+0', '30 minutes'],
];

/** @typedef {{name: string, level?: number, depth?: number, nodes?: number, time?: number, on?: string}} Seat who sits on a side */

/**
 * A game as it is kept.
 * @typedef {object} Kept
 * @property {string} id
 * @property {string} [start] a position; the usual one if there is none
 * @property {Seat[]} [seats] MAX's first
 * @property {string} [clock] seconds and increment: "300+3"
 * @property {(string | number)[]} [actions] the line that is shown
 * @property {number} [cursor] the place in it
 * @property {any[]} [tree]
 * @property {number[] | null} [left] milliseconds of each side
 * @property {number[][]} [times] what was left when each position was reached
 * @property {{winner: number, why: string} | null} [ended] if somebody resigned or ran out of time
 * @property {number} [seed]
 * @property {boolean} [flipped]
 * @property {Record<string, string>} [headers] of an imported game: players, date ...
 */

export class Game {
  /** @param {Kept} kept */
  constructor({ id, start = '', seats = [HUMAN, HUMAN], clock = '', actions = [], cursor = actions.length, tree, left, times, ended, seed, flipped, headers }) {
    this.id = id;
    this.start = start;
    this.seats = seats;
    this.clock = clock;
    this.cursor = cursor;
    const [base] = clock.split('+').map(Number);
    this.tree = tree ? MoveTree.read(tree) : new MoveTree();
    this.line = this.tree.along(actions.map(String));
    if (this.line.length) this.line = this.tree.line(this.line.at(-1));
    this.left = left ?? (clock ? [1000 * base, 1000 * base] : null); // milliseconds
    this.times = times ?? [];
    this.ended = ended ?? null;
    this.seed = seed ?? Math.floor(Math.random() * 2 ** 32);
    this.flipped = flipped ?? false;
    this.headers = headers ?? {};
  }

  /** The move that led to the place where it stands; the root of the tree at the start. */
  get node() {
    return this.cursor ? this.line[this.cursor - 1] : this.tree.root;
  }

  get actions() {
    return this.line.map((node) => node.action);
  }

  /** Whether it stands at the end of its line. */
  get atEnd() {
    return this.cursor >= this.line.length;
  }

  /** Make a move; as the main line, if `first`. */
  play(action, first = false) {
    const known = this.line[this.cursor];
    const node = this.tree.add(this.node, action, first);
    if (node !== known) {
      this.line = this.tree.line(node);
      this.times.length = Math.min(this.times.length, this.cursor + 1);
    }
    this.cursor += 1;
    return node;
  }

  /** Go to a move of the tree. */
  goTo(node) {
    if (node.up === null) { this.cursor = 0; return; }
    const at = this.line.indexOf(node);
    if (at < 0) this.line = this.tree.line(node);
    this.cursor = this.line.indexOf(node) + 1;
  }

  /** What the server needs to know of it. */
  asked(at = this.cursor) {
    return { game: this.id, start: this.start, actions: this.actions.slice(0, at) };
  }

  toJSON() {
    const { id, start, seats, clock, actions, cursor, left, times, ended, seed, flipped, headers } = this;
    return { id, start, seats, clock, actions, cursor, left, times, ended, seed, flipped, headers, tree: this.tree.list() };
  }
}

/** The seat as the server wants it; what a level means depends on the search: nodes, simulations (fewer with a network), or plays that a net judges. */
export function seat(choice, seed, catalogue, { samples, judges, guided }) {
  const told = { name: choice.name, seed };
  const level = catalogue.levels[Math.min(choice.level ?? 0, catalogue.levels.length) - 1];
  if (level && judges.includes(choice.name)) Object.assign(told, { depth: level.plies + 1, ...(level.plays ? { nodes: level.plays } : {}) });
  else if (level) told.nodes = guided.includes(choice.name) ? level.guided : samples.includes(choice.name) ? level.simulations : level.nodes;
  for (const key of ['depth', 'nodes', 'time']) if (choice[key]) told[key] = choice[key];
  if (choice.on) told.on = choice.on;
  return told;
}

// --- keeping it ---

/** Keep the game, and put it into the address; `fresh`: as a place of its own to come back to. */
export function save(game, fresh = false) {
  keep(game);
  const wanted = `#${address(game)}`;
  if (location.hash === wanted) return;
  if (fresh) history.pushState(null, '', wanted);
  else history.replaceState(null, '', wanted);
}

export function keep(game) {
  try {
    const text = JSON.stringify(game);
    for (const storage of [sessionStorage, localStorage]) storage.setItem(KEY, text);
  } catch { /* a private window: the address keeps the moves */ }
}

/** Remember a game that is left for another one. */
export function remember(game) {
  if (!game?.line.length) return;
  try {
    const others = recent().filter((one) => one.seed !== game.seed);
    localStorage.setItem(RECENT, JSON.stringify([game.toJSON(), ...others].slice(0, REMEMBERED)));
  } catch { /* no room, or a private window */ }
}

/** The games that were left, the last first. */
export function recent() {
  try {
    const kept = JSON.parse(localStorage.getItem(RECENT) ?? '[]');
    return kept.filter(isGame);
  } catch {
    return [];
  }
}

const isGame = (game) => game && Array.isArray(game.actions) && Array.isArray(game.seats) && typeof game.id === 'string';

export function address(game) {
  const parts = new URLSearchParams({ game: game.id });
  if (game.start) parts.set('start', game.start);
  if (game.seats.some((one) => one.name !== 'human')) parts.set('with', game.seats.map((one) => (one.level ? `${one.name}.${one.level}` : one.name)).join('_'));
  const { actions } = game;
  if (actions.length) parts.set('moves', actions.join('.'));
  return `play?${parts}`;
}

export function stored() {
  try {
    const game = JSON.parse(sessionStorage.getItem(KEY) ?? localStorage.getItem(KEY) ?? 'null');
    return isGame(game) ? new Game(game) : null;
  } catch {
    return null;
  }
}

/** The game in the address, if there is one; the stored one where it is the same. `players` are the names there are. */
export function fromAddress(parts, players) {
  const id = parts.get('game');
  if (!id) return stored();
  const actions = (parts.get('moves') || '').split('.').filter(Boolean);
  const start = parts.get('start') || '';
  const kept = stored();
  if (kept && kept.id === id && kept.start === start && kept.actions.join() === actions.join()) return kept;
  const seats = (parts.get('with') || '').split('_').map((one) => one.split('.')).filter(([name]) => players.includes(name))
    .map(([name, level]) => (level ? { name, level: Number(level) || 1 } : { name }));
  return new Game({ id, start, actions, seats: seats.length === 2 ? seats : undefined });
}
