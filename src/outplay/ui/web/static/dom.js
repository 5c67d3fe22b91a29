// Small helpers for building the page.

const SVG = 'http://www.w3.org/2000/svg';

/** An element: h('button', {class: 'quiet', onclick: f}, 'text', child, ...). */
export function h(tag, props = {}, ...children) {
  return fill(document.createElement(tag), props, children);
}

/** The same for SVG. */
export function s(tag, props = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), props, children);
}

function fill(element, props, children) {
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'value') element.value = value;
    else if (name === 'checked') element.checked = value;
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** A select with options [value, text]. */
export function choice(props, options, chosen) {
  return h('select', props, options.map(([value, text]) =>
    h('option', { value, selected: String(value) === String(chosen) }, text)));
}

/** A label around a control. */
export function labelled(text, control, props = {}) {
  return h('label', { class: 'field', ...props }, h('span', {}, text), control);
}

/**
 * An element that the page itself has.
 * @param {string} id
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no element ${id}`);
  return found;
}

/** Tell those who listen. */
export function announce(text) {
  byId('live').textContent = text;
}

const TO_READ = 6000; // ms

let hiding;
let isRead = false; // what went wrong: there was time for it

/** A line: what was done, which goes away by itself; or what went wrong, which stays until it is read and one goes on. */
export function toast(text, kind = 'problem') {
  const box = byId('toast');
  (document.querySelector('dialog[open]') || document.body).append(box); // nobody sees what is behind a dialog
  box.textContent = text;
  box.className = kind;
  box.hidden = false;
  isRead = false;
  clearTimeout(hiding);
  hiding = setTimeout(() => { if (kind === 'problem') isRead = true; else box.hidden = true; }, TO_READ);
}

addEventListener('keydown', () => { if (isRead) untoast(); }, { capture: true });
addEventListener('click', ({ target }) => { if (isRead || target instanceof Element && target.id === 'toast') untoast(); }, { capture: true });

/** What was wrong is not any more; what is only told stays its time. */
export function untoast() {
  const box = byId('toast');
  if (box.className === 'problem') box.hidden = true;
  isRead = false;
}

/** What the page is called, in the browser's tab. */
export function titled(text) {
  document.title = `${text} · Outplay`;
}

/** Show a dialog until it is closed; a line that it shows stays when it goes. */
export function openDialog(dialog) {
  dialog.addEventListener('close', () => {
    document.body.append(byId('toast'));
    dialog.remove();
  });
  document.body.append(dialog);
  dialog.showModal();
}

export function download(name, blob) {
  const link = h('a', { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/**
 * 1,234,567 as "1.2 M".
 * @param {number} number
 */
export function short(number) {
  for (const [size, unit] of /** @type {[number, string][]} */ ([[1e9, ' G'], [1e6, ' M'], [1e3, ' k']])) {
    if (number >= size) return (number / size).toFixed(number >= 10 * size ? 0 : 1) + unit;
  }
  return String(Math.round(number));
}
