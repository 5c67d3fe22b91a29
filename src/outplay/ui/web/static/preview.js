// A small board that shows where a line leads, beside the pointer.

import { ask } from './api.js';
import { h } from './dom.js';
import { picture } from './picture.js';

const box = h('div', { class: 'preview', hidden: true, 'aria-hidden': 'true' });
/** @type {object | null} */
let wanted = null; // whose picture is on its way

/** Let an element show the position after some moves while it is pointed at; `position` is what the server is asked. */
export function previews(element, position) {
  const open = async () => {
    const mine = (wanted = {});
    const view = await ask('position', position).catch(() => null);
    if (wanted !== mine || !view?.svg || !element.isConnected) return;
    document.body.append(box);
    box.replaceChildren(picture(view.svg));
    box.hidden = false;
    const [at, size] = [element.getBoundingClientRect(), box.getBoundingClientRect()];
    box.style.setProperty('left', `${Math.max(4, Math.min(at.left, innerWidth - size.width - 4))}px`);
    box.style.setProperty('top', `${at.bottom + size.height + 8 < innerHeight ? at.bottom + 6 : Math.max(4, at.top - size.height - 6)}px`);
  };
  element.addEventListener('pointerenter', (event) => { if (event.pointerType === 'mouse') open(); });
  element.addEventListener('pointerleave', away);
  element.addEventListener('focus', () => { if (element.matches(':focus-visible')) open(); });
  element.addEventListener('blur', away);
  element.addEventListener('click', away);
  return element;
}

export function away() {
  wanted = null;
  box.hidden = true;
}
