// The dialog for texts: games and positions in and out, and links.

import { ask } from './api.js';
import { download, h, openDialog, toast } from './dom.js';
import { address } from './game.js';

export function exchange(play) {
  const text = h('textarea', { rows: 10, spellcheck: 'false', 'aria-label': 'Game or position as text' });
  const chess = play.game.id.split(':')[0] === 'chess';
  const go = play.game.id.split(':')[0] === 'go';
  const write = async (form) => {
    const [first, second] = [0, 1].map((side) => play.seatName(side));
    try {
      text.value = (await ask('write', { ...play.asked(play.game.actions.length), form, headers: { first, second } })).text;
    } catch (error) { toast(error.message); }
  };
  const read = async () => {
    try {
      const found = await ask('read', { text: text.value, game: play.game.id });
      dialog.close();
      play.begin(play.imported(found));
    } catch (error) { toast(error.message); }
  };
  const position = () => {
    if (play.view.text) text.value = play.view.text;
    else toast('A position that hides something cannot be written down: share the link.');
  };
  const link = () => {
    text.value = `${location.href.split('#')[0]}#${address(play.game)}`;
    navigator.clipboard?.writeText(text.value).then(() => toast('The link is in the clipboard.', 'fine'), () => {});
  };
  const load = async (event) => {
    const [file] = event.target.files;
    if (file) text.value = await file.text();
  };
  const dialog = h('dialog', { class: 'card exchange', 'aria-label': 'Import and export' },
    h('h2', {}, 'Import · export'),
    h('p', { class: 'note' }, 'Paste a saved game, a position as the game writes it', chess ? ' (FEN), a PGN' : go ? ', an SGF' : '', ' or a tree, and read it; or write this game down.'),
    text,
    h('div', { class: 'row' },
      h('button', { class: 'primary', onclick: read, 'data-do': 'read' }, 'Read this'),
      h('button', { onclick: () => write('record'), 'data-do': 'write' }, 'Write the game'),
      chess && h('button', { onclick: () => write('pgn'), 'data-do': 'pgn' }, 'as PGN'),
      go && h('button', { onclick: () => write('sgf'), 'data-do': 'sgf' }, 'as SGF'),
      h('button', { onclick: position, 'data-do': 'position' }, chess ? 'Position (FEN)' : 'Position'),
      h('button', { onclick: link, 'data-do': 'link' }, 'Link'),
      h('button', { onclick: () => download('game.txt', new Blob([text.value])) }, 'Save as file'),
      h('label', { class: 'file' }, 'From a file', h('input', { type: 'file', class: 'unseen', onchange: load })),
      h('button', { class: 'quiet', onclick: () => dialog.close() }, 'Close')));
  openDialog(dialog);
}
