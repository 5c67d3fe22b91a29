// A game as a tree of moves. Trying another move loses none: it stands beside the one that was played. Of the moves
// that follow the same one, the first is the main line.

/**
 * @typedef {object} MoveNode
 * @property {MoveNode | null} up the move that it follows
 * @property {string} action
 * @property {MoveNode[]} below the moves that follow it
 * @property {string} [text] as people write it
 * @property {number} [player] who made it; -1 is chance
 * @property {boolean} [hidden]
 * @property {string} [comment]
 * @property {string} [sign] ! or ? or the like
 * @property {boolean} [over] the game is over there
 * @property {object} [value] what a review or an analysis said of the position after it
 */

const KEPT = ['text', 'player', 'hidden', 'comment', 'sign', 'over', 'value']; // of a move, when it is stored

const made = (up, action, more = {}) => ({ ...more, up, action, below: [] });

export class MoveTree {
  constructor() {
    this.root = made(null, '');
  }

  /** A tree that was told or stored as a list: of every move, the number of the one it follows. */
  static read(list) {
    const tree = new MoveTree();
    const nodes = [];
    for (const { up, action, ...more } of list) {
      const node = made(nodes[up] ?? tree.root, String(action), more);
      node.up.below.push(node);
      nodes.push(node);
    }
    return tree;
  }

  /** As such a list. */
  list() {
    const numbers = new Map([[this.root, -1]]);
    const told = [];
    for (const node of this.walk()) {
      numbers.set(node, told.length);
      const more = Object.fromEntries(KEPT.filter((name) => node[name] !== undefined && node[name] !== '').map((name) => [name, node[name]]));
      told.push({ up: numbers.get(node.up), action: node.action, ...more });
    }
    return told;
  }

  /** Every move, each after the one it follows. */
  * walk() {
    const waiting = [...this.root.below].reverse();
    while (waiting.length) {
      const node = waiting.pop();
      yield node;
      for (let i = node.below.length - 1; i >= 0; i -= 1) waiting.push(node.below[i]);
    }
  }

  /** The move of this action after another one, made if it was not there; `first`: as the main line. */
  add(up, action, first = false) {
    let node = up.below.find((one) => one.action === action);
    if (!node) {
      node = made(up, action);
      up.below.push(node);
    }
    if (first) front(node);
    return node;
  }

  /** The moves from the start through a move to the end of its line. */
  line(node) {
    const line = [];
    for (let at = node; at.up; at = at.up) line.unshift(at);
    for (let at = node; at.below.length; at = at.below[0]) line.push(at.below[0]);
    return line;
  }

  /** The moves of these actions, made where they are missing. */
  along(actions) {
    let at = this.root;
    return actions.map((action) => { at = this.add(at, action); return at; });
  }

  isMain(node) {
    for (let at = node; at.up; at = at.up) if (at.up.below[0] !== at) return false;
    return true;
  }

  /** Make the line to a move the main line. */
  promote(node) {
    for (let at = node; at.up; at = at.up) front(at);
  }

  /** Take a move out, with all that follows it; the move that is left. */
  remove(node) {
    node.up.below.splice(node.up.below.indexOf(node), 1);
    return node.up;
  }
}

function front(node) {
  const { below } = node.up;
  below.splice(below.indexOf(node), 1);
  below.unshift(node);
}
