// A tree made by clicking: what can be done with the node that was chosen, where the tree was typed in.

import { ask } from './api.js';
import { choice, h, labelled, toast } from './dom.js';

const TYPED = ['tree', 'chancetree'];
const KINDS = [['', 'whose turn it is'], ['max', 'MAX'], ['min', 'MIN'], ['chance', 'chance']];

export class TreeBuilder {
  /** @param {any} page the TreePage */
  constructor(page) {
    this.page = page;
    this.node = h('div', { class: 'tree-build', hidden: true, role: 'group', 'aria-label': 'Change the tree' });
  }

  /** Whether the tree on the page is one that can be changed. */
  fits() {
    return TYPED.includes(this.page.game.value) && !this.page.moves.length;
  }

  /**
   * What can be done with a node of the first tree.
   * @param {number} i
   */
  show(i) {
    this.node.hidden = !this.fits();
    if (this.node.hidden) return;
    const view = this.page.views[0];
    const node = view.nodes[i];
    const inner = view.below[i].length > 0;
    const path = view.path(i).map((at) => Number(view.nodes[at].action));
    const act = (change, more = {}, to = path) => this.change({ path, change, ...more }, to);
    const button = (name, text, doing) => h('button', { type: 'button', 'data-do': name, onclick: doing }, text);
    const number = (text) => { const [over, under] = text.replace('−', '-').split('/').map(Number); return under === undefined ? over : over / under; };
    const value = h('input', { size: 5, value: (node.static ?? '').replace('−', '-'), 'data-do': 'leaf-value', autocomplete: 'off', onchange: () => act('value', { value: number(value.value) }) });
    const kind = choice({ 'data-do': 'node-kind', onchange: () => act('kind', { kind: kind.value }) }, KINDS, { MAX: 'max', MIN: 'min', chance: 'chance' }[node.who] ?? '');
    const chance = /\(([^()]*)\)$/.exec(node.name ?? '');
    const share = h('input', { size: 5, value: chance?.[1] ?? '', 'data-do': 'node-chance', autocomplete: 'off', onchange: () => act('probability', { value: number(share.value) }) });
    this.node.replaceChildren(h('h3', {}, 'Change the tree'),
      h('div', { class: 'row' }, inner ? labelled('Who moves', kind, { class: 'field inline' }) : labelled('Value', value, { class: 'field inline' }),
        chance && view.nodes[node.up].who === 'chance' && labelled('Probability', share, { class: 'field inline' })),
      h('div', { class: 'row' }, button('add-child', inner ? 'Add a child' : 'Give it children', () => act('add')),
        i > 0 && button('remove-node', 'Take it away', () => act('remove', {}, path.slice(0, -1)))));
  }

  /** Let the server change the tree, search it again, and choose the node of a path in it. */
  async change(wanted, to) {
    const { page } = this;
    try {
      const found = await ask('typed', { text: page.start.value.trim(), ...wanted });
      page.setGame(found.game);
      page.fits();
      page.start.value = found.start;
      await page.grow();
      page.goTo(page.most());
      const [view] = page.views;
      let at = 0;
      for (const action of to) at = view.below[at].find((child) => Number(view.nodes[child].action) === action) ?? at;
      view.reveal(at);
      view.choose(at);
      this.node.querySelector('input, button')?.focus({ preventScroll: true });
    } catch (error) {
      toast(error.message);
    }
  }
}
