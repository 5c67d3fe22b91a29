// Pictures of boards as the server draws them, with the pieces of the set that was chosen.

import { s } from './dom.js';

/**
 * A piece as the server tells it: its classes, and its drawing.
 * @typedef {{classes: string, svg: string}} Told
 */

/** @typedef {Record<string, string>} PieceSet the drawing of each shape, about (0, 0) in a cell from -30 to 30 */

/** @type {PieceSet | null} */
let chosen = null; // null: as the server draws them
/** @type {WeakMap<Element, Node[]>} */
const drawn = new WeakMap(); // what the server drew, of pieces that wear another set

/**
 * An SVG's text as an element; it holds no script, and the page's policy would run none.
 * @param {string} text
 * @returns {SVGSVGElement}
 */
function read(text) {
  return /** @type {any} */ (document.importNode(new DOMParser().parseFromString(text, 'image/svg+xml').documentElement, true));
}

/**
 * The picture that the server drew, as an element.
 * @param {string} text
 */
export function picture(text) {
  return dress(read(text));
}

/**
 * A piece for a board, with further attributes.
 * @param {Told} told
 * @param {Record<string, unknown>} [props]
 */
export function piece(told, props = {}) {
  return dress(s('g', { class: told.classes, ...props }, ...read(told.svg).childNodes));
}

/**
 * A piece as a picture of its own.
 * @param {Told} told
 */
export function face(told) {
  return s('svg', { class: 'board glyph', viewBox: '-30 -30 60 60', 'aria-hidden': 'true' }, piece(told));
}

/**
 * Some pieces of a board's picture side by side, in a certain set whichever is chosen.
 * @param {string} text the picture
 * @param {string[]} which selectors
 * @param {PieceSet | null} set
 */
export function sampled(text, which, set) {
  const all = read(text);
  return which.map((selector) => all.querySelector(selector)).filter((one) => one !== null).map((one) => {
    one.removeAttribute('transform');
    one.classList.add('still');
    redraw(one, set);
    return s('svg', { class: 'board glyph', viewBox: '-30 -30 60 60' }, one);
  });
}

/**
 * Let all pieces wear another set: those in sight at once, the others when they are drawn.
 * @param {PieceSet | null} set
 */
export function wear(set) {
  chosen = set;
  dress(document.documentElement);
}

/**
 * Draw the pieces within an element anew.
 * @template {Element} E
 * @param {E} element
 * @returns {E}
 */
function dress(element) {
  for (const one of element.matches('.piece') ? [element] : element.querySelectorAll('.piece:not(.still)')) redraw(one, chosen);
  return element;
}

/**
 * @param {Element} one
 * @param {PieceSet | null} set
 */
function redraw(one, set) {
  const shape = set && Object.keys(set).find((name) => one.classList.contains(name));
  if (shape) {
    if (!drawn.has(one)) drawn.set(one, [...one.childNodes]);
    one.replaceChildren(...read(`<svg xmlns="http://www.w3.org/2000/svg">${set[shape]}</svg>`).childNodes);
  } else {
    const own = drawn.get(one);
    if (!own) return;
    one.replaceChildren(...own);
    drawn.delete(one);
  }
}
