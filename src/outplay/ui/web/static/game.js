// The game on the page: a record with a cursor in it, kept in the address and in the browser's storage: in the tab's
// own, so that another tab's game does not take its place, and in the one that outlives the tab. Actions are texts:
// some are longer than the numbers of this language, and those that nobody may see are sealed.

const KEY = 'outplay.game';

export const LEVELS = [
  { depth: 1 }, { depth: 2 }, { depth: 3 }, { depth: 4 }, { depth: 6 },
  { time: 0.2 }, { time: 0.5 }, { time: 1 }, { time: 3 }, { time: 10 },
];

export const CLOCKS = [
  ['', 'No clock'], ['60+0', '1 minute'], ['180+2', '3 minutes + 2 s'], ['300+3', '5 minutes + 3 s'],
  ['600+5', '10 minutes + 5 s'], ['1800+0', '30 minutes'],
];

/** A new game: the first seat is MAX's. */
export function newGame(id, seats, { start = '', clock = '' } = {}) {
  const [base] = clock.split('+').map(Number);
  return {
    id, start, seats, clock,
    actions: [], cursor: 0,
    left: clock ? [1000 * base, 1000 * base] : null, // milliseconds
    times: [], // what was left when each position was reached
    ended: null, // {winner, why} if somebody resigned or ran out of time
    seed: Math.floor(Math.random() * 2 ** 32),
    flipped: false,
  };
}

/** What the server needs to know of it. */
export function asked(game, at = game.cursor) {
  return { game: game.id, start: game.start, actions: game.actions.slice(0, at) };
}

/** The seat as the server wants it. */
export function seat(choice, seed) {
  let limits = choice.level ? LEVELS[choice.level - 1] : choice;
  if (choice.name === 'uct' && limits.depth) limits = { nodes: 25 * 4 ** Math.min(limits.depth, 8) }; // it counts no plies
  const told = { name: choice.name, seed };
  for (const key of ['depth', 'nodes', 'time']) if (limits[key]) told[key] = limits[key];
  if (choice.on) told.on = choice.on;
  return told;
}

// --- keeping it ---

export function save(game) {
  keep(game);
  const wanted = `#${address(game)}`;
  if (location.hash !== wanted) history.replaceState(null, '', wanted);
}

export function keep(game) {
  try {
    for (const storage of [sessionStorage, localStorage]) storage.setItem(KEY, JSON.stringify(game));
  } catch { /* a private window: the address keeps the moves */ }
}

export function address(game) {
  const parts = new URLSearchParams({ game: game.id });
  if (game.start) parts.set('start', game.start);
  if (game.actions.length) parts.set('moves', game.actions.join('.'));
  return `play?${parts}`;
}

export function stored() {
  try {
    const game = JSON.parse(sessionStorage.getItem(KEY) ?? localStorage.getItem(KEY));
    return game && Array.isArray(game.actions) && Array.isArray(game.seats) && typeof game.id === 'string' ? game : null;
  } catch {
    return null;
  }
}

/** The game in the address, if there is one; the stored one where it is the same. */
export function fromAddress(parts) {
  const id = parts.get('game');
  if (!id) return stored();
  const actions = (parts.get('moves') || '').split('.').filter(Boolean);
  const start = parts.get('start') || '';
  const kept = stored();
  if (kept && kept.id === id && kept.start === start && kept.actions.join() === actions.join()) return kept;
  const game = newGame(id, [{ name: 'human' }, { name: 'human' }], { start });
  return { ...game, actions, cursor: actions.length };
}
