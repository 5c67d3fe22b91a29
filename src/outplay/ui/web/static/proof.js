// What is proven of a move: whether best play wins after it, draws or loses, for whoever made it.

import { h } from './dom.js';

/** @typedef {'won' | 'drawn' | 'lost'} Outcome */

/** @type {Record<Outcome, string>} */
export const SIGNS = { won: '▲', drawn: '■', lost: '▼' };
const WORDS = { won: 'proven: wins', drawn: 'proven: draws', lost: 'proven: loses' };

/**
 * The outcome of a move for its player; nothing where nothing is proven.
 * @param {{share?: number | null, proven?: boolean} | undefined} value MAX's part of the score after the move
 * @param {number} player who made it
 * @returns {Outcome | null}
 */
export function outcome(value, player) {
  if (!value?.proven || typeof value.share !== 'number') return null;
  const share = player === 1 ? 1 - value.share : value.share;
  return share > 0.5 ? 'won' : share < 0.5 ? 'lost' : 'drawn';
}

/**
 * A sign for an outcome, in its colour and its shape.
 * @param {Outcome} found
 */
export function sign(found) {
  return h('span', { class: `proof ${found}`, role: 'img', 'aria-label': WORDS[found], title: WORDS[found] }, SIGNS[found]);
}

/**
 * A value in a sentence: who wins, where that is known.
 * @param {{says: string, words?: string}} value
 */
export const told = ({ says, words }) => (/^[a-z]/.test(says) && words) || says;
