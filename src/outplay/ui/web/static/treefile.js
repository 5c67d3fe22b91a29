// A tree as a file for slides: SVG, which needs nothing else, and PNG.

import { s } from './dom.js';
import { painted } from './imagefile.js';

const WIDEST = 12_000; // pixels of a tree that is drawn in full; a wider one is drawn as it looks from far away
const FAR = 4_000; // pixels, then

/** The tree as it stands, as the text of an SVG file and its size; `css` paints it. */
export function svgFile(view, css) {
  const far = view.width > WIDEST;
  const kept = [view.scale, view.room];
  [view.scale, view.room] = far ? [FAR / view.width, FAR / 3] : [1, 0];
  const [w, t] = [Math.ceil(view.width * view.scale + 40), Math.ceil(view.height * view.steep() + 40)];
  const parts = far ? view.outline(view.seen) : view.detail(view.seen);
  [view.scale, view.room] = kept;
  const style = s('style', {});
  style.textContent = css;
  const svg = s('svg', { xmlns: 'http://www.w3.org/2000/svg', class: 'tree', width: w, height: t, viewBox: `-20 -10 ${w} ${t}`, 'data-drawn': far ? 'far' : 'near' },
    style, s('rect', { class: 'paper', x: -20, y: -10, width: w, height: t }), parts);
  return { text: new XMLSerializer().serializeToString(svg), width: w, height: t };
}

/** The same picture as a PNG, twice as fine where that is not too large. */
export async function pngFile(view, css) {
  const { text, width, height } = svgFile(view, css);
  return painted(text, width, height);
}
