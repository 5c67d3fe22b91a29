// The short way to a game: which side you play, and how strong the machine is.

import { h } from './dom.js';

/** @typedef {{name: string, level?: number}} Seat who sits on a side */

const WAYS = { random: 'Random', people: 'Two people', machines: 'Watch two machines' };

export class SideChoice {
  /**
   * @param {any} catalogue
   * @param {Seat[]} seats who sat there before
   * @param {(seats: Seat[]) => void} chosen hears who shall sit there now
   */
  constructor(catalogue, seats, chosen) {
    this.catalogue = catalogue;
    this.chosen = chosen;
    this.touched = false;
    this.level = seats.find((seat) => seat.level)?.level ?? catalogue.level;
    this.way = wayOf(seats);
    this.sides = h('div', { class: 'choices', role: 'radiogroup', 'aria-label': 'You play' });
    this.levels = h('div', { class: 'choices levels', role: 'radiogroup', 'aria-label': 'Strength' });
    this.strength = h('div', { class: 'quick' }, h('span', { class: 'note' }, 'Strength'), this.levels);
    this.node = h('div', { class: 'quick' }, h('span', { class: 'note' }, 'You play'), this.sides, this.strength);
  }

  /** Offer the sides of a game by their names and colours. */
  fill(entry) {
    this.entry = entry;
    const sides = entry.sides.map((side, n) => [String(n), side, entry.colours[n]]);
    const [first, second] = sides;
    const ways = [first, second, ['random', WAYS.random, ''], ['people', WAYS.people, ''], ...(entry.best === 'random' ? [] : [['machines', WAYS.machines, '']])];
    this.sides.replaceChildren(...ways.map(([way, text, colour]) => this.offer('you-play', way, this.way === way, () => { this.way = way; this.tell(); },
      colour ? [h('span', { class: `chip ${colour}` }), ` ${text}`] : text)));
    this.levels.replaceChildren(...this.catalogue.levels.map((level, i) => this.offer('strength', String(i + 1), this.level === i + 1, () => { this.level = i + 1; this.tell(); }, level.name)));
    this.show();
    if (this.touched) this.tell(); // another game: its own sides and machine
  }

  offer(group, value, checked, act, content) {
    return h('label', { class: 'choice' }, h('input', { type: 'radio', name: group, value, checked, onchange: act }), h('span', {}, content));
  }

  /** Somebody has chosen the seats one by one. */
  take(seats) {
    this.touched = false;
    this.way = wayOf(seats);
    for (const input of this.sides.querySelectorAll('input')) input.checked = input.value === this.way;
    this.show();
  }

  show() {
    this.strength.hidden = this.way === 'people' || this.entry.best === 'random';
  }

  tell() {
    this.touched = true;
    this.show();
    this.chosen(this.seats(this.way === 'random' ? '0' : this.way));
  }

  /** Who sits on each side, if one goes this way. */
  seats(way) {
    const human = { name: 'human' };
    const machine = this.entry.best === 'random' ? { name: 'random' } : { name: this.entry.best, level: this.level };
    return { 0: [human, machine], 1: [machine, human], people: [human, human], machines: [machine, machine] }[way];
  }

  /** The seats for the game that begins: chance decides where it was asked to. */
  drawn(seats) {
    return this.way === 'random' && Math.random() < 0.5 ? [...seats].reverse() : seats;
  }
}

/** Which way leads to these seats. */
function wayOf(seats) {
  const people = seats.map((seat) => seat.name === 'human');
  if (people[0] && people[1]) return 'people';
  if (!people[0] && !people[1]) return 'machines';
  return people[0] ? '0' : '1';
}
