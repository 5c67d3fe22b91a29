// Moves that move: from the picture before a move to the one after it, pieces slide, fall, turn over or go.

const LONG = 170; // milliseconds
export const still = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Where a piece stands in its picture. */
function place(piece) {
  const [, x, y] = piece.getAttribute('transform').match(/translate\(([-\d.]+)[ ,]([-\d.]+)\)/);
  return { x: Number(x), y: Number(y) };
}

const css = ({ x, y }, more = '') => `translate(${x}px, ${y}px) ${more}`;
const pieces = (svg) => new Map([...svg.querySelectorAll('.piece')].map((piece) => [piece.dataset.at, piece]));

/** Move a piece along some places. */
export function slide(piece, places) {
  if (still() || places.length < 2) return;
  piece.animate(places.map((at) => ({ transform: css(at) })), { duration: Math.min(LONG * (places.length - 1), 400), easing: 'ease-in-out' });
}

function appear(piece, falls) {
  const at = place(piece);
  const from = falls ? css({ x: at.x, y: 10 }) : css(at, 'scale(0.4)');
  piece.animate([{ transform: from, opacity: falls ? 1 : 0 }, { transform: css(at), opacity: 1 }], { duration: falls ? 200 : 130, easing: falls ? 'ease-in' : 'ease-out' });
}

function turnOver(piece) {
  const at = place(piece);
  piece.animate([{ transform: css(at, 'scaleX(0)') }, { transform: css(at) }], { duration: LONG, easing: 'ease-out' });
}

function vanish(svg, piece) {
  const ghost = piece.cloneNode(true);
  ghost.removeAttribute('data-at');
  ghost.classList.add('ghost');
  svg.append(ghost);
  const at = place(piece);
  ghost.animate([{ opacity: 1, transform: css(at) }, { opacity: 0, transform: css(at, 'scale(0.7)') }], { duration: LONG }).finished.then(() => ghost.remove(), () => ghost.remove());
}

/**
 * From one picture to the next: `path` are the cells that the move went through. `shown`: the piece that moved was
 * put there already. Played backwards, the path is too.
 */
export function settle(before, after, path, shown, falls) {
  if (still() || !before || !path.length) return;
  const [was, is] = [pieces(before), pieces(after)];
  const [from, to] = [path[0].join(), path.at(-1).join()];
  const mover = is.get(to);
  const gone = [...was].filter(([at]) => !is.has(at) && at !== from);
  for (const [at, piece] of is) {
    const old = was.get(at);
    if (piece === mover) {
      if (shown) continue;
      if (path.length > 1 && was.has(from)) slide(piece, [place(was.get(from)), ...path.slice(1).map((cell) => middle(after, cell) ?? place(piece))]);
      else if (!old) appear(piece, falls);
    } else if (!old) {
      const twin = gone.findIndex(([, other]) => other.getAttribute('class') === piece.getAttribute('class'));
      if (twin >= 0) slide(piece, [place(gone.splice(twin, 1)[0][1]), place(piece)]); // the rook of a castled king
      else appear(piece, false);
    } else if (old.getAttribute('class') !== piece.getAttribute('class')) turnOver(piece);
  }
  if (path.length > 1 && !shown && was.has(to) && to !== from) gone.push([to, was.get(to)]);
  for (const [, piece] of gone) vanish(after, piece);
}

/** The middle of a cell. */
export function middle(svg, at) {
  const square = svg.querySelector(`.cell[data-at="${at}"] .square`);
  if (!square) return null;
  const [x, y, w, t] = ['x', 'y', 'width', 'height'].map((name) => Number(square.getAttribute(name)));
  return { x: x + w / 2, y: y + t / 2 };
}
