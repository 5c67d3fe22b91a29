// The dialog for a new game: which one, who plays how strongly, and for those who want it size, clock and position.

import { ask } from './api.js';
import { choice, h, labelled, openDialog, toast } from './dom.js';
import { CLOCKS } from './game.js';
import { SideChoice } from './sides.js';

const SIZES = { size: 'Board size', width: 'Width', height: 'Height', komi: 'Komi', half: 'Half a point of komi more (0 or 1)', limit: 'Longest game (moves, 0: any)', suicide: 'Suicide allowed (0 or 1)', pits: 'Pits', seeds: 'Seeds in a pit', goal: 'Points to win' };

export function setUp(play, wanted = play.game.id.split(':')[0]) {
  let id = wanted;
  const sizes = h('div', { class: 'fields' });
  const seats = [0, 1].map((side) => new SeatChoice(play.catalogue, side, play.game.seats[side], () => sides.take(seats.map((seat) => seat.chosen()))));
  const sides = new SideChoice(play.catalogue, play.game.seats, (chosen) => seats.forEach((seat, side) => seat.take(chosen[side])));
  const games = choice({ onchange: () => refill(games.value) },
    play.catalogue.games.filter((game) => game.starts).map((game) => [game.id, game.about ? `${game.title}: ${game.about}` : game.title]), id);
  const clock = choice({}, CLOCKS, play.game.clock);
  const position = h('input', { placeholder: 'the usual start', autocomplete: 'off' });
  const swap = h('button', { type: 'button', 'data-do': 'swap', onclick: () => { const [a, b] = seats.map((seat) => seat.chosen()); seats[0].take(b); seats[1].take(a); sides.take([b, a]); } }, 'Change sides');
  const refill = (chosen) => {
    id = chosen;
    const entry = play.entry(id);
    sizes.replaceChildren(...Object.entries(entry.parameters).map(([name, value]) =>
      labelled(SIZES[name] ?? name, h('input', { type: 'number', name, min: 0, max: 9999, value, 'data-usual': value }))));
    seats.forEach((seat) => seat.fill(entry));
    sides.fill(entry);
    setByHand.hidden = entry.hidden;
  };
  const setByHand = h('button', { type: 'button', 'data-do': 'by-hand', onclick: () => { dialog.close(); location.hash = `edit?game=${id}`; } }, 'Set up a position by hand');
  const dialog = h('dialog', { class: 'card set-up', 'aria-label': 'New game' },
    h('form', { method: 'dialog', onsubmit: (event) => { event.preventDefault(); begin(); } },
      h('h2', {}, 'New game'),
      labelled('Game', games),
      sides.node,
      h('details', { class: 'more-players' }, h('summary', {}, 'More: other searches and bots, limits, switches'), h('div', { class: 'seats' }, seats.map((seat) => seat.node)), h('div', { class: 'row' }, swap)),
      h('details', {}, h('summary', {}, 'Size, clock, position'), sizes, h('div', { class: 'fields' }, labelled('Clock', clock), labelled('Position', position)), setByHand),
      h('div', { class: 'row end' },
        h('button', { type: 'button', class: 'quiet', onclick: () => dialog.close() }, 'Cancel'),
        h('button', { class: 'primary', type: 'submit' }, 'Start'))));
  const begin = async () => {
    const changed = [...sizes.querySelectorAll('input')].filter((input) => input.value !== input.dataset.usual);
    const spec = id + (changed.length ? `:${changed.map((input) => `${input.name}=${Number(input.value)}`).join(',')}` : '');
    try {
      const game = play.fresh(spec, sides.drawn(seats.map((seat) => seat.chosen())), { clock: clock.value, start: position.value.trim() });
      await ask('position', { game: spec, start: game.start });
      dialog.close();
      play.begin(game);
    } catch (error) {
      toast(error.message);
    }
  };
  refill(id);
  openDialog(dialog);
}

/** Who sits on one side: you, a machine of some strength, or for those who know them a certain search or bot. */
class SeatChoice {
  constructor(catalogue, side, now, changed) {
    this.catalogue = catalogue;
    this.side = side;
    this.now = now;
    this.who = h('select', { 'data-seat': side, onchange: () => { this.toggle(); changed(); } });
    this.level = choice({ 'aria-label': 'Strength', 'data-level': side }, catalogue.levels.map((level, i) => [i + 1, level.name]), Math.min(now.level || catalogue.level, catalogue.levels.length));
    const number = (name, props) => h('input', { type: 'number', min: 0, placeholder: '–', value: now.level ? '' : now[name] ?? '', ...props });
    this.limits = { depth: number('depth', { max: 200 }), nodes: number('nodes', {}), time: number('time', { step: 'any', max: 60 }) };
    this.on = h('input', { placeholder: 'all -tapered -plausible', value: now.on || '', autocomplete: 'off' });
    this.more = h('details', {}, h('summary', {}, 'Limits'),
      h('div', { class: 'fields' }, labelled('Depth', this.limits.depth), labelled('Nodes', this.limits.nodes), labelled('Seconds', this.limits.time),
        this.switches = labelled('Switches of the engine', this.on)),
      this.names = h('p', { class: 'note' }, catalogue.switches.map((one) => one.name).join(', '), '; exact, all, none; a minus leaves one out.'));
    this.strength = labelled('Strength', this.level);
    this.machine = h('div', {}, this.strength, this.more);
    this.chip = h('span', { class: 'chip' });
    this.title = h('span', {});
    this.node = h('fieldset', {}, h('legend', {}, this.chip, this.title), this.who, this.machine);
  }

  fill(entry) {
    this.entry = entry;
    this.chip.className = `chip ${entry.colours[this.side]}`;
    this.title.textContent = ` ${entry.sides[this.side]}${this.side ? '' : ' (first)'}`;
    this.who.setAttribute('aria-label', `Who plays ${entry.sides[this.side]}`);
    const others = entry.searches.filter((name) => name !== entry.best);
    const options = [['human', 'You'], ...(entry.best === 'random' ? [] : [[entry.best, `The machine (${entry.best})`]]), ['random', 'Random moves'],
      ...(entry.hidden ? [] : this.catalogue.bots.map((name) => [name, `${name} (yours)`]))];
    const more = h('optgroup', { label: 'Other searches' }, others.map((name) => h('option', { value: name }, name)));
    this.who.replaceChildren(...options.map(([value, text]) => h('option', { value }, text)), ...(others.length ? [more] : []));
    const machine = !['human', 'random', ...this.catalogue.bots].includes(this.now.name);
    this.who.value = machine ? entry.best : this.now.name; // the search that was best at another game may be poor at this one
    if (this.who.selectedIndex < 0) this.who.value = entry.best;
    this.toggle();
  }

  /** Take what sat on the other side. */
  take(seat) {
    this.who.value = seat.name;
    if (seat.level) this.level.value = seat.level;
    for (const [name, input] of Object.entries(this.limits)) input.value = seat[name] ?? '';
    this.on.value = seat.on ?? '';
    this.toggle();
  }

  toggle() {
    this.machine.hidden = this.who.value === 'human' || this.who.value === 'random';
    this.strength.hidden = this.catalogue.bots.includes(this.who.value);
    this.switches.hidden = this.names.hidden = this.who.value !== 'engine';
  }

  chosen() {
    const name = this.who.value;
    if (name === 'human' || name === 'random') return { name };
    const given = Object.fromEntries(Object.entries(this.limits).filter(([, input]) => input.value).map(([key, input]) => [key, Number(input.value)]));
    if (this.on.value.trim() && name === 'engine') given.on = this.on.value.trim();
    const limited = given.depth || given.nodes || given.time || this.catalogue.bots.includes(name);
    return { name, ...(limited ? {} : { level: Number(this.level.value) }), ...given };
  }
}
