// The page's icons, drawn with one pen on a grid of 24.

import { s } from './dom.js';

const PATHS = {
  new: 'M12 5v14M5 12h14',
  undo: 'M8 6L4 10l4 4M4 10h10a5 5 0 0 1 0 10h-3',
  redo: 'M16 6l4 4-4 4M20 10H10a5 5 0 0 0 0 10h3',
  hint: 'M9.5 18h5M10.5 21h3M12 3a6 6 0 0 0-3.4 10.9c.9.6 1.2 1.3 1.3 2.1h4.2c.1-.8.4-1.5 1.3-2.1A6 6 0 0 0 12 3z',
  flip: 'M7 20V5M4 8l3-3 3 3M17 4v15M14 16l3 3 3-3',
  resign: 'M6 21V4M6 5c4-2.5 7 2.5 12 0v9c-5 2.5-8-2.5-12 0',
  first: 'M18 6l-6 6 6 6M11 6l-6 6 6 6',
  back: 'M15 6l-6 6 6 6',
  on: 'M9 6l6 6-6 6',
  last: 'M6 6l6 6-6 6M13 6l6 6-6 6',
  sound: 'M4 10v4h4l5 4V6L8 10zM16 9a4 4 0 0 1 0 6M18.5 6.5a8 8 0 0 1 0 11',
  mute: 'M4 10v4h4l5 4V6L8 10zM17 9.5l5 5M22 9.5l-5 5',
  analyse: 'M3 12h4l3-7 4 14 3-7h4',
  play: 'M8 5l11 7-11 7z',
  pause: 'M8 5v14M16 5v14',
  moves: 'M4 7h2M9 7h11M4 12h2M9 12h11M4 17h2M9 17h11',
  tree: 'M12 4v5M12 9l-6 6M12 9l6 6M6 15v5M18 15v5',
  share: 'M12 15V4M8 8l4-4 4 4M5 13v6h14v-6',
  review: 'M12 4l2.4 5 5.6.7-4.1 3.8 1.1 5.5-5-2.8-5 2.8 1.1-5.5L4 9.7 9.6 9z',
  close: 'M6 6l12 12M18 6L6 18',
  promote: 'M12 19V5M6 11l6-6 6 6',
  delete: 'M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13',
  comment: 'M5 5h14v10h-8l-4 4v-4H5z',
  quiz: 'M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.3-1.5 2.4M12 17.5v.5M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z',
  look: 'M12 4a8 8 0 1 0 0 16c1.4 0 2-.9 1.7-2-.5-1.6.4-2.6 2-2.6H18a2.3 2.3 0 0 0 2.3-2.6C19.7 7.7 16.2 4 12 4zM8 11v.01M11 7.8v.01M15 8.6v.01',
  edit: 'M4 20l1-4L16 5l3 3L8 19z',
};

/** An icon; what it means is said by the text beside it or by its button's label. */
export function icon(name) {
  return s('svg', { class: 'icon', viewBox: '0 0 24 24', 'aria-hidden': 'true' }, s('path', { d: PATHS[name] }));
}
