// A trace in a notebook: the tree of the page, stepped there. outplay/ui/notebook.py puts this, and what it needs of
// the page, into the notebook itself.

import { h } from './dom.js';
import { TreeView } from './tree.js';
import { UctView } from './uct.js';

/** Show a tree in a place of its own, whose old content stays for where nothing runs. */
export function show(place, data, css) {
  const sheet = h('style', {});
  sheet.textContent = css;
  const view = new (data.search === 'uct' ? UctView : TreeView)(() => {});
  const words = h('p', { class: 'step-words', 'aria-live': 'polite' });
  const slider = h('input', { type: 'range', min: 0, 'aria-label': 'Step', oninput: () => goTo(Number(slider.value)) });
  const button = (name, text, label, act) => h('button', { 'data-do': name, 'aria-label': label, title: label, onclick: act }, text);
  const goTo = (step) => {
    view.goTo(step);
    slider.value = view.step;
    view.title.textContent = view.heading();
    words.textContent = `Step ${view.step} of ${view.steps.length}. ${view.words()}`;
  };
  const jump = (on) => {
    const next = on ? view.cutoffs.find((t) => t > view.step) : view.cutoffs.filter((t) => t < view.step).at(-1);
    goTo(next ?? (on ? view.steps.length : 0));
  };
  const stops = data.search === 'uct' ? 'iteration' : 'cutoff';
  const controls = h('div', { class: 'row' },
    button('first', '«', 'To the start', () => goTo(0)), button('back', '‹', 'One step back', () => goTo(view.step - 1)),
    button('on', '›', 'One step on', () => goTo(view.step + 1)), button('last', '»', 'To the end', () => goTo(view.steps.length)),
    button('cut-back', `‹ ${stops}`, `To the previous ${stops}`, () => jump(false)), button('cut-on', `${stops} ›`, `To the next ${stops}`, () => jump(true)),
    button('fit', 'fit', 'Show all of it', () => view.fit()), slider);
  (place.shadowRoot || place.attachShadow({ mode: 'open' })).replaceChildren(sheet, h('div', { class: 'notebook' }, controls, words, view.node));
  view.load(data);
  slider.max = view.steps.length;
  goTo(view.steps.length);
}
