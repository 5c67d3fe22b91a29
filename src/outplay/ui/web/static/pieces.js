// What lies beside a board: a die that was thrown, any other outcome of chance, and what a player holds.

import { h, s } from './dom.js';

const PIPS = {
  1: [[0, 0]], 2: [[-1, -1], [1, 1]], 3: [[-1, -1], [0, 0], [1, 1]], 4: [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]], 6: [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
};

export function die(text) {
  const pips = PIPS[text];
  if (!pips) return h('span', { class: 'outcome' }, text);
  return s('svg', { class: 'die', viewBox: '-12 -12 24 24', role: 'img', 'aria-label': `die: ${text}` },
    s('rect', { x: -11, y: -11, width: 22, height: 22, rx: 4 }),
    pips.map(([x, y]) => s('circle', { cx: 6 * x, cy: 6 * y, r: 2.2 })));
}

/** What a side holds: cards, those that nobody here may see face down, or a number of things. */
export function hand(view, side) {
  const words = view.hands[side].split(' ').filter(Boolean);
  if (!words.length || ['pits', 'bars'].includes(view.style)) return []; // they are in the picture
  if (view.style === 'points') return [h('span', { class: 'holds' }, [view.counts[side], `${words[0]} off`].filter(Boolean).join(', '))];
  if (view.style !== 'cards') return [h('span', { class: 'holds' }, `holds ${words.join(' ')}`)];
  return words.map((word) => (word === '?'
    ? h('span', { class: 'playing-card down', role: 'img', 'aria-label': 'a card face down' })
    : h('span', { class: 'playing-card', role: 'img', 'aria-label': `card ${word}` }, word)));
}
