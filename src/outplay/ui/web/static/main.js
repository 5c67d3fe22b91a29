// The page: which view is shown, how it looks, with sounds or without.

import { ask } from './api.js';
import { byId, titled, toast, untoast } from './dom.js';
import { icon } from './icons.js';
import { dressUp } from './look.js';
import { isOn, switchTo } from './sound.js';

const VIEWS = {
  home: async (catalogue) => new (await import('./home.js')).Home(catalogue),
  play: async (catalogue) => new (await import('./play.js')).Play(catalogue),
  edit: async (catalogue) => new (await import('./editor.js')).Editor(catalogue),
  tree: async (catalogue) => new (await import('./treepage.js')).TreePage(catalogue),
  quiz: async (catalogue) => new (await import('./quiz.js')).Quiz(catalogue),
};
const TITLES = { home: 'Home', play: 'Play', edit: 'Set up a position', tree: 'Search trees', quiz: 'Quiz' };

const main = byId('main');
const views = {}; // promises: a view may still be on its way
let catalogue;
let current;
let routes = 0; // how often the address has changed

/** Show what an address names. Meanwhile the view that is left may still write its own into the address bar. */
async function route(address) {
  const [, name = '', query = ''] = address.match(/^#([a-z]*)\??(.*)$/) || [];
  const wanted = VIEWS[name] ? name : catalogue.opened ? 'play' : 'home';
  const parts = new URLSearchParams(query);
  document.querySelectorAll('dialog').forEach((dialog) => dialog.close()); // it belonged to what was there before
  untoast(); // and so did what went wrong there
  routes += 1;
  const mine = routes;
  try {
    views[wanted] ??= VIEWS[wanted](catalogue).catch((error) => { delete views[wanted]; throw error; }); // it may load the next time
    const view = await views[wanted];
    if (mine !== routes) return; // somebody has gone elsewhere while it was loaded
    if (current !== view) {
      current?.close();
      current = view;
      main.replaceChildren(current.node);
      document.body.dataset.view = wanted;
      titled(TITLES[wanted]);
      for (const link of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('nav a'))) {
        if (link.dataset.view === wanted) link.setAttribute('aria-current', 'page');
        else link.removeAttribute('aria-current');
      }
    }
    if (location.hash !== address) history.replaceState(null, '', address || '#');
    await current.open(parts);
  } catch (error) {
    toast(error.message);
  }
}

function sounds() {
  const button = byId('sound');
  const show = () => { button.replaceChildren(icon(isOn() ? 'sound' : 'mute')); button.setAttribute('aria-pressed', String(isOn())); };
  button.addEventListener('click', () => { switchTo(!isOn()); show(); });
  show();
}

byId('skip').addEventListener('click', (event) => { // a hash of its own would be another view
  event.preventDefault();
  /** @type {HTMLElement | null} */
  const first = main.querySelector('.board [tabindex="0"], .tree, .quiz input, .door');
  (first ?? main).focus();
});
sounds();
try {
  [catalogue] = await Promise.all([ask('catalogue'), dressUp()]);
  addEventListener('hashchange', ({ newURL }) => route(new URL(newURL).hash));
  await route(location.hash);
  document.body.dataset.ready = 'true';
} catch (error) {
  main.textContent = error.message;
}
