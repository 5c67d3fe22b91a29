// A tree moved about: by mouse, by one finger or two, by keys.

/** Let a TreeView be handled. */
export function listen(view) {
  const { svg } = view;
  const fingers = new Map();
  let moved = 0;
  svg.addEventListener('wheel', (event) => {
    event.preventDefault();
    const box = svg.getBoundingClientRect();
    view.zoom(Math.exp(-event.deltaY * 0.0015), event.clientX - box.left, event.clientY - box.top);
  }, { passive: false });
  svg.addEventListener('pointerdown', (event) => {
    fingers.set(event.pointerId, event);
    moved = 0;
    view.touched = event.target.closest('[data-node]')?.dataset.node;
    svg.setPointerCapture?.(event.pointerId);
  });
  svg.addEventListener('pointermove', (event) => {
    const was = fingers.get(event.pointerId);
    if (!was) return;
    moved += Math.abs(event.clientX - was.clientX) + Math.abs(event.clientY - was.clientY);
    if (fingers.size === 2) {
      const other = [...fingers.values()].find((finger) => finger.pointerId !== event.pointerId);
      const apart = (a) => Math.hypot(a.clientX - other.clientX, a.clientY - other.clientY);
      const box = svg.getBoundingClientRect();
      view.zoom(apart(event) / Math.max(1, apart(was)), (event.clientX + other.clientX) / 2 - box.left, (event.clientY + other.clientY) / 2 - box.top);
    } else {
      view.handled = true;
      view.x += event.clientX - was.clientX;
      view.y += event.clientY - was.clientY;
      view.refresh();
    }
    fingers.set(event.pointerId, event);
  });
  const up = (event) => {
    fingers.delete(event.pointerId);
    if (moved < 5 && view.touched !== undefined && event.type === 'pointerup') view.choose(Number(view.touched));
  };
  svg.addEventListener('pointerup', up);
  svg.addEventListener('pointercancel', up);
  svg.addEventListener('dblclick', () => { if (view.chosen >= 0) view.toggle(view.chosen); });
  svg.addEventListener('keydown', (event) => key(view, event));
}

/** Arrow keys walk the tree while it has the focus; space folds a node. */
function key(view, event) {
  const at = Math.max(view.chosen, 0);
  const siblings = view.nodes[at].up < 0 ? [at] : view.below[view.nodes[at].up];
  const to = {
    ArrowUp: view.nodes[at].up, ArrowDown: view.collapsed.has(at) ? -1 : view.below[at][0],
    ArrowLeft: siblings[siblings.indexOf(at) - 1], ArrowRight: siblings[siblings.indexOf(at) + 1],
  }[event.key];
  if (event.key === ' ') view.toggle(at);
  else if (event.key === '+' || event.key === '=') view.zoom(1.25);
  else if (event.key === '-') view.zoom(0.8);
  else if (event.key === '0') view.fit();
  else if (event.key.startsWith('Arrow')) {
    if (to !== undefined && to >= 0) { view.choose(to); view.bringIntoView(to); }
  } else return;
  event.preventDefault();
  event.stopPropagation();
}
