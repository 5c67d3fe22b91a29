// "What does it do next?": while a search is stepped through, the reader says it first.

import { announce, h } from './dom.js';

const CLOSING = ['leaf', 'value', 'table', 'repeated']; // a child has answered
const NEXT = ['action', 'cutoff', 'value']; // what a node may do then

/**
 * A question: the step that answers it, what it says, and the answers that are offered.
 * @typedef {object} Question
 * @property {number} at the number of the step
 * @property {string} says
 * @property {{name: string, right: boolean}[]} offers
 * @property {string} [value] what is returned, where that has to be said too
 */

export class Predict {
  /** @param {any} page the TreePage */
  constructor(page) {
    this.page = page;
    this.on = false;
    this.right = 0;
    this.asked = 0;
    this.button = h('button', { 'data-do': 'predict', 'aria-pressed': 'false', title: 'Say what the search does next before it does it', onclick: () => this.toggle() }, 'Predict');
    this.place = h('div', { class: 'predict', role: 'group', 'aria-label': 'What does it do next?', hidden: true });
    this.score = h('span', { class: 'note', role: 'status' });
  }

  toggle() {
    this.on = !this.on;
    this.right = this.asked = 0;
    this.button.setAttribute('aria-pressed', String(this.on));
    this.score.textContent = this.on ? 'Step on: you are asked what comes next.' : '';
    this.forget();
  }

  /** Another step is shown: what was asked is answered. */
  forget() {
    this.question = null;
    this.place.hidden = true;
  }

  /** Ask about what comes next instead of showing it; where there is nothing to ask, go on to where there is. */
  ask() {
    const { page } = this;
    if (this.question) return;
    const question = next(page.views[0], page.step);
    if (!question) { page.goTo(page.most()); return; }
    page.goTo(question.at);
    this.question = question;
    this.show(question);
  }

  /** @param {Question} question */
  show(question) {
    const buttons = question.offers.map((offer) => (offer.name === 'return' ? this.returned(question, offer)
      : h('button', { 'data-answer': offer.name, onclick: () => this.judge(question, offer.right) }, offer.name)));
    this.place.hidden = false;
    this.place.replaceChildren(h('p', {}, question.says), h('div', { class: 'row' }, buttons));
    this.place.querySelector('button, input')?.focus();
    announce(question.says);
  }

  /** The answer "it returns ...": with the value, where it is right. */
  returned(question, offer) {
    const field = h('input', { 'aria-label': 'It returns the value', size: 5, 'data-answer': 'value', autocomplete: 'off' });
    const number = (text) => Number(text.trim().replace('−', '-').replace('∞', 'Infinity'));
    const answer = (event) => {
      event.preventDefault();
      this.judge(question, offer.right && field.value.trim() !== '' && Math.abs(number(field.value) - number(question.value)) < 0.006);
    };
    return h('form', { class: 'row', onsubmit: answer }, h('label', { class: 'field inline' }, h('span', {}, 'It returns'), field), h('button', { 'data-answer': 'return', type: 'submit' }, 'Return'));
  }

  judge(question, right) {
    const { page } = this;
    this.asked += 1;
    if (right) this.right += 1;
    this.forget();
    page.goTo(question.at + 1);
    const verdict = `${right ? 'Right' : 'Wrong'}: ${page.views[0].words(question.at + 1)}`;
    page.words.replaceChildren(h('span', { class: right ? 'good' : 'bad' }, right ? 'Right' : 'Wrong'), verdict.slice(verdict.indexOf(':')));
    this.score.textContent = `${this.right} of ${this.asked} predicted`;
    announce(verdict);
    page.node.querySelector('[data-do=on]').focus();
  }
}

/**
 * The next question from a step on; null where there is none left.
 * @param {any} view
 * @param {number} from
 * @returns {Question | null}
 */
export function next(view, from) {
  for (let at = from; at < view.steps.length; at += 1) {
    const found = view.data.search === 'uct' ? selected(view, at) : decided(view, at);
    if (found) return found;
  }
  return null;
}

/** A child of a node has answered: is the next one tried, are the others cut off, or does the node return? */
function decided(view, at) {
  const [kind, i] = view.steps[at];
  if (!at || !NEXT.includes(kind) || !CLOSING.includes(view.steps[at - 1][0])) return null;
  const node = view.nodes[i];
  const nothingLeft = kind === 'cutoff' && !node.cut;
  const tried = view.below[i].filter((child) => view.entered[child] <= at);
  const untried = view.below[i].filter((child) => view.entered[child] > at);
  const window = view.window(i, at);
  const child = tried.at(-1);
  const bounds = window ? `, window [${window[0]}, ${window[1]}]` : '';
  const says = `At ${view.name(i)} (${node.who}${bounds}): ${child === undefined ? 'a child' : view.nodes[child].name} has answered ${child === undefined ? '' : view.nodes[child].value}. What comes next?`;
  const goesOn = untried.length ? view.nodes[untried[0]].name.split(' ')[0] : 'another move';
  const prunes = window !== null;
  return {
    at, says, value: node.value,
    offers: [
      { name: `Try ${goesOn}`, right: kind === 'action' },
      ...(prunes ? [{ name: 'Cut off the rest', right: kind === 'cutoff' }] : []),
      { name: 'return', right: kind === 'value' || nothingLeft },
    ],
  };
}

/** UCT descends: which child has the greatest upper confidence bound? */
function selected(view, at) {
  const [kind, i] = view.steps[at];
  if (kind !== 'select') return null;
  const { up } = view.nodes[i];
  const before = view.step;
  view.step = at; // bounds are those of that step
  const children = view.below[up].filter((child) => view.entered[child] <= at && view.ucb(child) !== null);
  view.step = before;
  if (children.length < 2) return null;
  return { at, says: `Selection at ${view.name(up)}: which child has the greatest upper confidence bound?`,
    offers: children.map((child) => ({ name: view.nodes[child].name, right: child === i })) };
}
