// The search as the textbook writes it, with the line lit that the current step runs.

import { h } from './dom.js';

const MINIMAX = [
  'function VALUE(s)',
  '  if TERMINAL-TEST(s) then return UTILITY(s)',
  '  MAX:  v ← −∞     MIN:  v ← +∞',
  '  for each a in ACTIONS(s):',
  '    v ← MAX|MIN(v, VALUE(RESULT(s, a)))',
  '  return v',
];
const ALPHABETA = [
  'function VALUE(s, α, β)',
  '  if TERMINAL-TEST(s) then return UTILITY(s)',
  '  MAX:  v ← −∞     MIN:  v ← +∞',
  '  for each a in ACTIONS(s):',
  '    v ← MAX|MIN(v, VALUE(RESULT(s, a), α, β))',
  '    MAX:  α ← MAX(α, v)     MIN:  β ← MIN(β, v)',
  '    if β ≤ α then return v      (cutoff)',
  '  return v',
];
const CHANCE = [...MINIMAX.slice(0, 4), '    v ← MAX|MIN(v, VALUE(RESULT(s, a)))', '  CHANCE:  return Σ P(r) · VALUE(RESULT(s, r))', '  return v'];
const UCT = [
  'repeat:',
  '  SELECT:  the child with the greatest Q + C √(ln N / n)',
  '  EXPAND:  add one child that was never tried',
  '  SIMULATE:  play at random to the end',
  '  BACK UP:  N ← N + 1 and mean Q, on the whole path',
];

/** Of a search: its text, and which line a kind of step runs. */
const TEXTS = {
  minimax: [MINIMAX, { enter: 0, leaf: 1, action: 4, value: 5 }],
  alphabeta: [ALPHABETA, { enter: 0, leaf: 1, action: 4, cutoff: 6, value: 7 }],
  expectiminimax: [CHANCE, { enter: 0, leaf: 1, action: 4, value: 6 }],
  uct: [UCT, { iteration: 0, select: 1, expand: 2, simulate: 3, backup: 4 }],
};

export class Pseudocode {
  constructor() {
    this.code = h('pre', { class: 'pseudocode', tabindex: 0, 'aria-label': 'The search as the textbook writes it' });
    this.node = h('details', { class: 'card code-card', open: true }, h('summary', {}, 'The search, line by line'), this.code);
  }

  /** The text of a search; nothing where the textbook has none. */
  load(search) {
    const [text, lines] = TEXTS[search] ?? TEXTS[search.replace(/-hard$/, '')] ?? [[], {}];
    this.lines = lines;
    this.node.hidden = !text.length;
    this.code.replaceChildren(...text.map((line) => {
      const shown = h('span', { class: 'code-line' }, `${line.trimStart()}\n`);
      shown.style.setProperty('--in', line.length - line.trimStart().length); // what goes on in the next row stands further in
      return shown;
    }));
  }

  /** Light the line of a step of this kind. */
  light(kind) {
    [...this.code.children].forEach((line, i) => {
      const lit = this.lines[kind] === i;
      line.classList.toggle('lit', lit);
      if (lit) line.setAttribute('aria-current', 'step');
      else line.removeAttribute('aria-current');
    });
  }
}
