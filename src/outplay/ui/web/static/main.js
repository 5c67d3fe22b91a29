// The page: which view is shown, light or dark.

import { ask } from './api.js';
import { toast } from './dom.js';
import { Play } from './play.js';

const VIEWS = {
  play: (catalogue) => new Play(catalogue),
  tree: async (catalogue) => new (await import('./treepage.js')).TreePage(catalogue),
  quiz: async (catalogue) => new (await import('./quiz.js')).Quiz(catalogue),
};

const main = document.getElementById('main');
const views = {};
let catalogue;
let current;

async function route() {
  const [, name = '', query = ''] = location.hash.match(/^#([a-z]*)\??(.*)$/) || [];
  const wanted = VIEWS[name] ? name : 'play';
  const parts = new URLSearchParams(query);
  try {
    views[wanted] ??= await VIEWS[wanted](catalogue);
    if (current !== views[wanted]) {
      current?.close();
      current = views[wanted];
      main.replaceChildren(current.node);
      for (const link of document.querySelectorAll('nav a')) {
        link.toggleAttribute('aria-current', link.dataset.view === wanted);
        if (link.dataset.view === wanted) link.setAttribute('aria-current', 'page');
      }
    }
    await current.open(parts);
  } catch (error) {
    toast(error.message);
  }
}

function theme() {
  const root = document.documentElement;
  const kept = localStorage.getItem('outplay.theme');
  if (kept) root.dataset.theme = kept;
  document.getElementById('theme').addEventListener('click', () => {
    const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    root.dataset.theme = dark ? 'light' : 'dark';
    localStorage.setItem('outplay.theme', root.dataset.theme);
  });
}

document.querySelector('.skip').addEventListener('click', (event) => { // a hash of its own would be another view
  event.preventDefault();
  (main.querySelector('.board [tabindex="0"], .tree, .quiz input') || main).focus();
});
theme();
try {
  catalogue = await ask('catalogue');
  addEventListener('hashchange', route);
  await route();
  document.body.dataset.ready = 'true';
} catch (error) {
  main.textContent = error.message;
}
