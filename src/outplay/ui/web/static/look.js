// How the page looks: its colours, the board's, and the pieces. What is chosen stays in the browser.

import { ask } from './api.js';
import { byId, h, openDialog } from './dom.js';
import { icon } from './icons.js';
import { sampled, wear } from './picture.js';

const KEY = 'outplay.look';
/** @type {Record<string, [string, Record<string, string>]>} of each choice its title and what there is */
const CHOICES = {
  colours: ['Colours', { system: 'As the system', light: 'Light', dark: 'Dark', contrast: 'High contrast' }],
  board: ['Board', { meadow: 'Meadow', walnut: 'Walnut', harbour: 'Harbour', slate: 'Slate', dusk: 'Dusk', print: 'Print' }],
  pieces: ['Chess pieces', { carved: 'Carved', cut: 'Cut', letters: 'Letters' }],
};

/** @typedef {{colours: string, board: string, pieces: string}} Look */

/** @returns {Look} */
function kept() {
  const usual = { colours: 'system', board: 'meadow', pieces: 'carved' };
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    for (const [name, [, options]] of Object.entries(CHOICES)) if (Object.hasOwn(options, found[name])) usual[name] = found[name];
  } catch { /* a private window, or nonsense */ }
  return usual;
}

/** The pieces of a set that is not the server's own. */
const pieceSet = async (/** @type {string} */ name) => (name === 'carved' ? null : (await import('./piecesets.js')).SETS[name]);

const strong = matchMedia('(prefers-contrast: more)');

/** @param {Look} look */
async function apply({ colours, board, pieces }) {
  const { dataset } = document.documentElement;
  if (colours === 'light' || colours === 'dark') dataset.theme = colours;
  else delete dataset.theme;
  if (colours === 'contrast' || strong.matches) dataset.contrast = 'more';
  else delete dataset.contrast;
  dataset.board = board;
  wear(await pieceSet(pieces));
}

/** Look as it was chosen; the button at the top opens the choice. */
export async function dressUp() {
  const button = byId('look');
  button.append(icon('look'));
  button.addEventListener('click', () => openDialog(dialog()));
  strong.addEventListener('change', () => apply(kept()));
  await apply(kept());
}

function dialog() {
  const look = kept();
  const choose = (name, value) => {
    look[name] = value;
    try { localStorage.setItem(KEY, JSON.stringify(look)); } catch { /* a private window: until it is closed */ }
    apply(look);
  };
  const box = h('dialog', { class: 'card look', 'aria-label': 'Look' },
    h('form', { method: 'dialog' },
      h('h2', {}, 'Look'),
      Object.entries(CHOICES).map(([name, [title, options]]) => h('fieldset', {}, h('legend', {}, title),
        h('div', { class: 'looks' }, Object.entries(options).map(([value, text]) => h('label', { class: 'one-look' },
          h('input', { type: 'radio', name, value, checked: look[name] === value, class: 'out-of-sight', onchange: () => choose(name, value) }),
          sample(name, value), h('span', {}, text)))))),
      h('div', { class: 'row end' }, h('button', { class: 'primary', type: 'submit' }, 'Done'))));
  return box;
}

/**
 * What a choice looks like.
 * @param {string} name
 * @param {string} value
 */
function sample(name, value) {
  const look = h('span', { class: `sample of-${name}`, 'data-sample': value, 'aria-hidden': 'true' });
  if (name === 'board') look.append(...[0, 1, 2, 3].map(() => h('span')));
  if (name === 'colours') look.append('Aa');
  if (name === 'pieces') showPieces(look, value);
  return look;
}

/**
 * @param {HTMLElement} place
 * @param {string} name of the set
 */
async function showPieces(place, name) {
  const [set, { svg }] = await Promise.all([pieceSet(name), ask('position', { game: 'chess' })]);
  place.append(...sampled(svg, ['.white.knight', '.black.queen', '.white.pawn'], set));
}
