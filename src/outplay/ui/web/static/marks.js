// Arrows and circles on a board.

import { s } from './dom.js';

/** An arrow along a path, or a circle for a single cell; `middle(cell)` says where a cell is. */
export function marked({ path, rank, kind = '' }, middle) {
  if (!path?.length) return null;
  const to = middle(path.at(-1));
  if (path.length === 1) return s('circle', { class: `arrow ring ${kind} rank-${rank}`, cx: to.x, cy: to.y, r: 20 });
  const from = middle(path[0]);
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const [ux, uy] = [(to.x - from.x) / length, (to.y - from.y) / length];
  const tip = { x: to.x - 6 * ux, y: to.y - 6 * uy };
  const neck = { x: tip.x - 18 * ux, y: tip.y - 18 * uy };
  const head = `M${tip.x} ${tip.y}L${neck.x - 11 * uy} ${neck.y + 11 * ux}L${neck.x + 11 * uy} ${neck.y - 11 * ux}Z`;
  return s('g', { class: `arrow ${kind} rank-${rank}` },
    s('path', { class: 'shaft', d: `M${from.x + 8 * ux} ${from.y + 8 * uy}L${neck.x} ${neck.y}` }),
    s('path', { class: 'head', d: head }));
}
