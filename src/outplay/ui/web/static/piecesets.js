// Piece sets for chess beside the one that the server draws: of each shape its drawing, about (0, 0) in a cell from -30
// to 30. `body` has the piece's colour, `detail` is a line on it, `initial` a letter on it.

const disc = (letter) => `<circle class="body" r="23"/><circle class="rim" r="19"/><text class="initial" y="10">${letter}</text>`;

/** @type {Record<string, import('./picture.js').PieceSet>} */
export const SETS = {
  cut: { // flat, with straight edges: easy to tell apart when small
    pawn: '<path class="body" d="M-13 23L-7 5H7L13 23Z"/><path class="body" d="M0 -17L9 -8L6 4H-6L-9 -8Z"/>',
    rook: '<path class="body" d="M-16 23V14H-11V-6H-16V-21H-9V-15H-4V-21H4V-15H9V-21H16V-6H11V14H16V23Z"/><path class="detail" d="M-11 -6H11M-11 14H11"/>',
    knight: '<path class="body" d="M-14 23L-9 7L0 -3L-10 2L-17 0L-18 -7L-7 -18L-5 -25L2 -19L12 -12L15 2L13 23Z"/><path class="detail" d="M6 -9L9 3L7 17"/><circle class="eye" cx="-5" cy="-11" r="2"/>',
    bishop: '<path class="body" d="M-14 23L-8 8H8L14 23Z"/><path class="body" d="M0 -25L12 -7L8 8H-8L-12 -7Z"/><path class="detail" d="M1 -14L7 -5M-8 8H8"/>',
    queen: '<path class="body" d="M-19 -15L-9 -2L-10 -21L0 -5L10 -21L9 -2L19 -15L13 23H-13Z"/><path class="detail" d="M-15 10H15"/>',
    king: '<path class="body" d="M-3 -27H3V-22H8V-16H3V-9H-3V-16H-8V-22H-3Z"/><path class="body" d="M-18 -8L-6 -11L0 -3L6 -11L18 -8L13 23H-13Z"/><path class="detail" d="M-15 10H15"/>',
  },
  letters: { pawn: disc('P'), rook: disc('R'), knight: disc('N'), bishop: disc('B'), queen: disc('Q'), king: disc('K') },
};
