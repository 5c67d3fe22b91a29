// Pictures as files: a board as it stands, or anything drawn as SVG, as SVG or PNG.

import { download, h, toast } from './dom.js';
import { picture } from './picture.js';

const LARGEST = 12_000; // pixels of a side that a browser paints

/**
 * An SVG's text painted as a PNG, twice as fine where that is not too large.
 * @param {string} text
 * @param {number} width
 * @param {number} height
 * @returns {Promise<Blob>}
 */
export async function painted(text, width, height) {
  const url = URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' }));
  const image = new Image();
  await new Promise((done, failed) => { image.onload = done; image.onerror = failed; image.src = url; });
  const scale = Math.min(2, LARGEST / Math.max(width, height));
  const canvas = h('canvas', { width: Math.ceil(width * scale), height: Math.ceil(height * scale) });
  canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(url);
  return new Promise((done) => { canvas.toBlob(done, 'image/png'); });
}

/**
 * A board's picture with what paints it inside, so that it needs nothing else: the pieces and colours that were chosen.
 * @param {string} svg as the server drew it
 */
export async function boardFile(svg) {
  const css = (await Promise.all(['board.css', 'themes.css'].map(async (name) => (await fetch(name)).text()))).join('\n');
  const drawn = picture(svg);
  drawn.dataset.board = document.documentElement.dataset.board;
  const text = new XMLSerializer().serializeToString(drawn);
  const head = text.slice(0, text.indexOf('>') + 1);
  const style = `<style>${css.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</style>`; // text: the page's policy lets no such element be
  return { text: head + style + text.slice(head.length), width: Number(drawn.getAttribute('width')), height: Number(drawn.getAttribute('height')) };
}

/**
 * Save a board as a file of this kind.
 * @param {string} svg
 * @param {string} name
 * @param {string} kind svg or png
 */
export async function savePicture(svg, name, kind) {
  if (!svg) { toast('This game has no board to draw.'); return; }
  try {
    const { text, width, height } = await boardFile(svg);
    download(`${name}.${kind}`, kind === 'png' ? await painted(text, width, height) : new Blob([text], { type: 'image/svg+xml' }));
  } catch {
    toast('The picture cannot be made: is the server still running?');
  }
}
