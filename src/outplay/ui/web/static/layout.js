// Where the nodes of a tree stand: tidy drawing after Reingold and Tilford (1981), as in outplay/ui/layout.py.

/** The x of every node. `children[i]` lists i's children (later numbers); `reach[i]` is [left, right] of its x. */
export function tidy(children, reach, gap) {
  const count = children.length;
  const shift = new Float64Array(count);
  const lefts = new Array(count);
  const rights = new Array(count);
  for (let i = count - 1; i >= 0; i -= 1) {
    const left = [];
    const right = [];
    for (const child of children[i]) {
      const near = lefts[child];
      const far = rights[child];
      lefts[child] = rights[child] = null;
      let at = 0;
      for (let d = 0; d < Math.min(right.length, near.length); d += 1) at = Math.max(at, right[d] + gap + near[d]);
      shift[child] = at;
      for (let d = left.length; d < near.length; d += 1) left.push(near[d] - at);
      for (let d = 0; d < far.length; d += 1) right[d] = at + far[d];
    }
    const below = children[i];
    const middle = below.length ? (shift[below[0]] + shift[below.at(-1)]) / 2 : 0;
    for (const child of below) shift[child] -= middle;
    lefts[i] = [reach[i][0], ...left.map((x) => x + middle)];
    rights[i] = [reach[i][1], ...right.map((x) => x - middle)];
  }
  const places = new Float64Array(count);
  if (count) places[0] = Math.max(...lefts[0]);
  for (let i = 0; i < count; i += 1) for (const child of children[i]) places[child] = places[i] + shift[child];
  return places;
}
