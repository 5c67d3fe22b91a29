// The workspace: the board with its players, bar and graph, and beside it the panel with its tabs. Which part lies
// where on which screen is for workspace.css to say.

import { h } from './dom.js';
import { icon } from './icons.js';

/** A button with an icon and its name. */
export function tool(name, text, title, act, props = {}) {
  return h('button', { class: 'tool', onclick: act, title, 'data-do': name, ...props }, icon(props.icon ?? name), h('span', {}, text));
}

/** Put the parts of a Play together. */
export function workspace(play) {
  const { parts } = play;
  parts.strips = [0, 1].map((side) => strip(side));
  parts.title = h('h1', { class: 'game-title' });
  parts.status = h('p', { class: 'status', id: 'status' });
  parts.chance = h('span', { class: 'chance' });
  parts.note = h('p', { class: 'note' });
  parts.type = h('input', { id: 'type', 'aria-label': 'Type a move', placeholder: 'type a move', autocomplete: 'off', size: 10 });
  parts.top = h('div', { class: 'strip-place top' });
  parts.bottom = h('div', { class: 'strip-place bottom' });
  parts.buttons = {};
  const button = (name, text, title, act, props) => {
    parts.buttons[name] = tool(name, text, title, act, props);
    return parts.buttons[name];
  };
  const controls = h('div', { class: 'toolbar', role: 'group', 'aria-label': 'Game' },
    button('new', 'New', 'New game: choose players and clock (n)', () => play.setUp()),
    button('undo', 'Undo', 'Take the last move back (u)', () => play.undo()),
    button('redo', 'Redo', 'Play it again (r)', () => play.redo()),
    button('hint', 'Hint', 'What would the machine play? (h)', () => play.hint()),
    button('flip', 'Flip', 'Turn the board (f)', () => play.flip()),
    button('edit', 'Set up', 'Set up a position by hand (e)', () => play.edit()),
    button('pause', 'Pause', 'Let the machines wait', () => play.pause(), { hidden: true }),
    button('resign', 'Resign', 'Resign the game', () => play.resign()));
  const steps = h('div', { class: 'steps', role: 'group', 'aria-label': 'Go through the game' },
    .../** @type {[string, string, () => void][]} */ ([['first', 'To the start (Home)', () => play.go(0)], ['back', 'One move back (←)', () => play.go(play.game.cursor - 1)],
      ['on', 'One move on (→)', () => play.go(play.game.cursor + 1)], ['last', 'To the end (End)', () => play.go(play.game.line.length)]]).map(([name, title, act]) => {
      parts.buttons[name] = h('button', { class: 'tool', onclick: act, title, 'aria-label': title.replace(/ \(.*/, ''), 'data-do': name }, icon(name));
      return parts.buttons[name];
    }));
  const typing = h('form', { class: 'typing', onsubmit: (event) => { event.preventDefault(); play.typed(); } }, parts.type);
  const moves = h('div', { class: 'moves-page' }, play.moves.opening, play.moves.hint, play.moves.node, h('div', { class: 'row spread moves-foot' }, steps, typing), play.moves.tools);
  parts.tabs = tabs([['moves', 'Moves', moves], ['analyse', 'Analysis', play.analysis.more], ['tree', 'Tree', play.living.node], ['share', 'Share', play.share.node]],
    (name) => play.tabbed(name));
  const panel = h('section', { class: 'panel', 'aria-label': 'Game and analysis' },
    h('div', { class: 'head' }, h('div', { class: 'head-row' }, parts.title, parts.chance), parts.status, parts.note),
    controls, play.result.node, play.analysis.node, play.review.better, parts.tabs.node);
  const node = h('div', { class: 'workspace' },
    h('section', { class: 'seats', 'aria-label': 'Board' }, parts.top, play.boardPlace, parts.bottom, play.review.graph),
    panel);
  const aligned = new ResizeObserver(() => align(play, node));
  for (const part of [play.boardPlace, play.board.frame]) aligned.observe(part);
  return node;
}

/** Let the players and the graph stand exactly above and below the board, however large it is. */
function align(play, node) {
  const board = (play.board.svg?.querySelector('.table') ?? play.board.frame).getBoundingClientRect();
  const place = play.boardPlace.getBoundingClientRect();
  const inset = (space) => `${Math.max(0, Math.round(space))}px`;
  node.style.setProperty('--ratio', play.boardPlace.style.getPropertyValue('--ratio') || '1');
  node.style.setProperty('--before', inset(board.left - place.left));
  node.style.setProperty('--after', inset(place.right - board.right));
}

function strip(side) {
  const parts = { chip: h('span', { class: 'chip' }), name: h('span', { class: 'name' }), hand: h('span', { class: 'hand' }), clock: h('span', { class: 'clock', role: 'timer' }) };
  return { ...parts, node: h('div', { class: 'strip', 'data-side': side }, Object.values(parts)) };
}

/** Tabs by the usual pattern: arrow keys go from one to the next. `chosen(name)` hears of it. */
function tabs(pages, chosen) {
  const heads = pages.map(([name, text], i) => h('button', {
    role: 'tab', id: `tab-${name}`, 'data-tab': name, 'aria-controls': `page-${name}`, onclick: () => open(i),
    onkeydown: (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      event.stopPropagation();
      let to = i;
      do to = (to + step + pages.length) % pages.length; while (heads[to].hidden);
      open(to).focus();
    },
  }, icon(name), h('span', {}, text)));
  const bodies = pages.map(([name, , body]) => h('div', { role: 'tabpanel', id: `page-${name}`, class: 'tab-page', 'aria-labelledby': `tab-${name}` }, body));
  let now = 0;
  const open = (i) => {
    now = i;
    heads.forEach((head, n) => { head.setAttribute('aria-selected', n === i); head.tabIndex = n === i ? 0 : -1; });
    bodies.forEach((body, n) => { body.hidden = n !== i; });
    chosen(pages[i][0]);
    return heads[i];
  };
  const node = h('div', { class: 'tabs' }, h('div', { class: 'tab-heads', role: 'tablist', 'aria-label': 'Panel' }, heads), bodies);
  heads.forEach((head, n) => { head.setAttribute('aria-selected', n === 0); head.tabIndex = n ? -1 : 0; });
  bodies.forEach((body, n) => { body.hidden = n > 0; });
  const at = (name) => pages.findIndex(([one]) => one === name);
  const offer = (name, is) => { heads[at(name)].hidden = !is; if (!is && now === at(name)) open(0); };
  return { node, open: (name) => open(at(name)), now: () => pages[now][0], offer };
}
