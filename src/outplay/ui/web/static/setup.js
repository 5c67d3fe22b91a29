// The dialog for a new game: which one, of what size, who plays, with what clock, from where.

import { ask } from './api.js';
import { choice, h, labelled, openDialog, toast } from './dom.js';
import { CLOCKS } from './game.js';

export function setUp(play) {
  let id = play.game.id.split(':')[0];
  const sizes = h('div', { class: 'fields' });
  const seats = [0, 1].map((side) => new SeatChoice(play.catalogue, side, play.game.seats[side]));
  const games = choice({ onchange: () => refill(games.value) },
    play.catalogue.games.filter((game) => game.starts).map((game) => [game.id, game.about ? `${game.title}: ${game.about}` : game.title]), id);
  const clock = choice({}, CLOCKS, play.game.clock);
  const position = h('input', { placeholder: 'the usual start', autocomplete: 'off' });
  const refill = (chosen) => {
    id = chosen;
    const entry = play.entry(id);
    sizes.replaceChildren(...Object.entries(entry.parameters).map(([name, value]) =>
      labelled(name, h('input', { type: 'number', name, min: 0, max: 9999, value, 'data-usual': value }))));
    seats.forEach((seat) => seat.fill(entry));
  };
  const dialog = h('dialog', { class: 'card set-up', 'aria-label': 'New game' },
    h('form', { method: 'dialog', onsubmit: (event) => { event.preventDefault(); begin(); } },
      h('h2', {}, 'New game'),
      labelled('Game', games), sizes,
      seats.map((seat) => seat.node),
      h('div', { class: 'fields' }, labelled('Clock', clock), labelled('Position', position)),
      h('div', { class: 'row end' },
        h('button', { type: 'button', class: 'quiet', onclick: () => dialog.close() }, 'Cancel'),
        h('button', { class: 'primary', type: 'submit' }, 'Start'))));
  const begin = async () => {
    const changed = [...sizes.querySelectorAll('input')].filter((input) => input.value !== input.dataset.usual);
    const spec = id + (changed.length ? `:${changed.map((input) => `${input.name}=${Number(input.value)}`).join(',')}` : '');
    try {
      const game = play.fresh(spec, seats.map((seat) => seat.chosen()), { clock: clock.value, start: position.value.trim() });
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

/** Who sits on one side: you, a search with its limits, or a bot. */
class SeatChoice {
  constructor(catalogue, side, now) {
    this.catalogue = catalogue;
    this.side = side;
    this.now = now;
    this.who = h('select', { 'data-seat': side, onchange: () => this.toggle() });
    this.level = h('input', { type: 'range', min: 1, max: 10, value: now.level || 5, 'aria-label': 'Strength', oninput: () => this.tell() });
    this.says = h('output', {});
    const number = (name, props) => h('input', { type: 'number', min: 0, placeholder: '–', value: now.level ? '' : now[name] ?? '', ...props });
    this.limits = { depth: number('depth', { max: 200 }), nodes: number('nodes', {}), time: number('time', { step: 'any', max: 60 }) };
    this.on = h('input', { placeholder: 'all -tapered -plausible', value: now.on || '', autocomplete: 'off' });
    this.more = h('details', {}, h('summary', {}, 'Limits and switches'),
      h('div', { class: 'fields' }, labelled('Depth', this.limits.depth), labelled('Nodes', this.limits.nodes), labelled('Seconds', this.limits.time),
        labelled('Switches of the engine', this.on)),
      h('p', { class: 'note' }, catalogue.switches.map((one) => one.name).join(', '), '; exact, all, none; a minus leaves one out.'));
    this.machine = h('div', {}, h('div', { class: 'row' }, h('span', {}, 'Strength'), this.level, this.says), this.more);
    this.title = h('legend', {});
    this.node = h('fieldset', {}, this.title, this.who, this.machine);
  }

  fill(entry) {
    this.title.textContent = `${entry.sides[this.side]}${this.side ? '' : ' (first)'}`;
    this.who.setAttribute('aria-label', `Who plays ${entry.sides[this.side]}`);
    const names = [['human', 'You'], ...entry.searches.map((name) => [name, name]), ['random', 'random moves'],
      ...(entry.hidden ? [] : this.catalogue.bots.map((name) => [name, `${name} (yours)`]))];
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
