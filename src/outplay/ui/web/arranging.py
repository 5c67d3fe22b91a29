"""Setting up positions in games without a text format for boards (no `board_text`).

How a state's fields encode pieces is learned from random games: which bit, element or letter changes which cell of the
board, and its value for each symbol. If the pieces determine the player to move, changing one may show the whole board
from the other side; then the slots whose values agree with a cell in all positions played are used instead. A state
built this way is accepted only if its board is the requested one.
"""

import dataclasses
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from outplay.game import GameError, legal
from outplay.ui.board import board_of
from outplay.ui.web.catalogue import Refused
from outplay.words import MASK, wrap

GAMES, PLIES = 24, 60  # random games to learn from
LOOKS = 8  # states per player in which every slot is tried
SEEN = 200  # states per player in which slots are compared with cells
WORD = 64  # bits
SMALL = 32  # ints below this are numbers, larger ones may be bitboards

Path = tuple[Any, ...]  # to a leaf of a state: field names and indices
Cell = tuple[int, int]


class Slot(NamedTuple):
    """A part of a state that may encode a cell's content: a leaf, or a bit of one."""

    path: Path
    bit: int = -1

    @property
    def family(self) -> Any:
        """Slots of a family have the same meaning on their cells: the leaves of a sequence, the bits of a word."""
        return self.path[:1] if self.bit < 0 else self.path[:1] + ("bit",)


class Learned:
    """The learned encoding of a game's boards."""

    def __init__(self, start: Any) -> None:
        self.samples: dict[int, list[Any]] = {0: [], 1: []}
        shape = _shape(_rows(start))
        for state in _played(start):
            if state.player() in self.samples and _shape(_rows(state)) == shape:
                self.samples[state.player()].append(state)
        for states in self.samples.values():
            random.Random(0).shuffle(states)  # so that the samples are from all stages of the game
        self.symbols = sorted({symbol for states in self.samples.values() for state in states
                               for row in _rows(state) for symbol in row} - {" "})  # fmt: skip
        self.wide = self._wide()
        self.values = self._values()
        self.cells: dict[int, dict[Cell, tuple[Slot, ...]]] = {}
        self.patterns: dict[int, dict[str, tuple[Any, ...]]] = {}

    def arranged(self, state: Any, rows: tuple[str, ...], player: int) -> Any:
        """The state with these rows on its board and this player to move; otherwise like `state` if possible."""
        cells, patterns = self._of(player)
        base = state if state.player() == player else next(iter(self.samples[player]), None)
        if base is None or not cells:
            raise Refused(
                "this game does not say how to set up its board: type the position, or add board_text to the class"
            )
        unknown = next((symbol for r, c in cells if (symbol := rows[r][c]) not in patterns), None)
        if unknown is not None:
            raise Refused(f"no random game had {unknown!r} on this board: type the position instead")
        built = self._built(base, rows, player)
        if _rows(built) != rows:
            raise Refused("no state of this game has such a board")
        return built

    def _built(self, base: Any, rows: tuple[str, ...], player: int) -> Any:
        changes: dict[Slot, Any] = {}
        for (r, c), slots in self.cells[player].items():
            changes |= dict(zip(slots, self.patterns[player][rows[r][c]], strict=True))
        return _changed(base, changes)

    def _of(self, player: int) -> tuple[dict[Cell, tuple[Slot, ...]], dict[str, tuple[Any, ...]]]:
        if player not in self.cells:
            self.cells[player] = self._find_cells(player)
            self.patterns[player] = self._find_patterns(player)
            if self.samples[player] and not self._fits(player):
                self.cells[player] = self._agreed(player)
                self.patterns[player] = self._find_patterns(player)
        return self.cells[player], self.patterns[player]

    def _fits(self, player: int) -> bool:
        """Whether the learned encoding reproduces boards of the games played."""
        states = self.samples[player]
        for state in states[:: max(1, len(states) // LOOKS)]:
            rows = _rows(state)
            try:
                if _rows(self._built(states[0], rows, player)) != rows:
                    return False
            except (ValueError, TypeError, ArithmeticError, LookupError, GameError):
                return False
        return True

    def _wide(self) -> set[Path]:
        """The leaves with ints too large for plain numbers: they are bitboards."""
        return {path for states in self.samples.values() for state in states
                for path, leaf in _leaves(state) if type(leaf) is int and not 0 <= leaf < SMALL}  # fmt: skip

    def _values(self) -> dict[Any, list[Any]]:
        """The values seen in the leaves of a family."""
        found: dict[Any, list[Any]] = defaultdict(list)
        for states in self.samples.values():
            for state in states:
                for path, leaf in _leaves(state):
                    if path not in self.wide and leaf not in found[path[:1]] and len(found[path[:1]]) < SMALL:
                        found[path[:1]].append(leaf)
        return found

    def _slots(self, state: Any) -> Iterator[tuple[Slot, list[Any]]]:
        """Every slot of a state, with its other possible values."""
        for path, leaf in _leaves(state):
            if path in self.wide:
                for bit in range(WORD):
                    yield Slot(path, bit), [1 - (leaf >> bit & 1)]
            else:
                yield Slot(path), [value for value in self.values[path[:1]] if value != leaf]

    def _find_cells(self, player: int) -> dict[Cell, tuple[Slot, ...]]:
        """The slots of each cell: those whose change alters that cell and no other."""
        states = self.samples[player]
        found: dict[Slot, Cell] = {}
        for state in states[:: max(1, len(states) // LOOKS)]:
            before = _rows(state)
            for slot, others in self._slots(state):
                if slot in found:
                    continue
                for value in others:
                    cell = _differs(before, _tried(state, slot, value))
                    if cell is not None:
                        found[slot] = cell
                        break
        return _aligned(found)

    def _agreed(self, player: int) -> dict[Cell, tuple[Slot, ...]]:
        """The slots of each cell that together determine its symbol in all states played."""
        states = self.samples[player][:SEEN]
        boards, leaves = [_rows(state) for state in states], [dict(_leaves(state)) for state in states]
        there = [slot for slot, _ in self._slots(states[0]) if all(slot.path in each for each in leaves)]
        held = {slot: [_held(each, slot) for each in leaves] for slot in there}
        held = {slot: values for slot, values in held.items() if len(set(values)) > 1}
        found = {}
        for r, c in [(r, c) for r, row in enumerate(boards[0]) for c in range(len(row))]:
            slots = _telling(held, [rows[r][c] for rows in boards])
            if slots:  # none for a cell that never changes
                found[r, c] = tuple(sorted(slots, key=lambda slot: str(slot.family)))
        alike = Counter(map(_families, found.values())).most_common(1)
        return {at: slots for at, slots in found.items() if alike and _families(slots) == alike[0][0]}

    def _find_patterns(self, player: int) -> dict[str, tuple[Any, ...]]:
        """By symbol, the values of a cell's slots."""
        seen: dict[str, Counter[tuple[Any, ...]]] = defaultdict(Counter)
        for state in self.samples[player]:
            rows, leaves = _rows(state), dict(_leaves(state))
            for (r, c), slots in self.cells[player].items():
                seen[rows[r][c]][tuple(_held(leaves, slot) for slot in slots)] += 1
        return {symbol: counts.most_common(1)[0][0] for symbol, counts in seen.items()}


def _families(slots: tuple[Slot, ...]) -> tuple[Any, ...]:
    return tuple(slot.family for slot in slots)


def _telling(held: dict[Slot, list[Any]], symbols: list[str]) -> list[Slot]:
    """Slots of different families whose values determine a cell's symbol; empty if there are none."""
    found: list[Slot] = []
    known: list[Any] = [()] * len(symbols)  # the values of the slots found, by state
    told = _agreement(known, symbols)
    while told < len(symbols):
        taken = {slot.family for slot in found}
        scores = {
            slot: (
                _agreement(zip(known, values, strict=True), symbols),
                bool(found) and slot.bit == found[0].bit,
            )
            for slot, values in held.items()
            if slot.family not in taken
        }
        best = max(scores, key=lambda slot: scores[slot], default=None)
        if best is None or scores[best][0] <= told:
            return []
        found.append(best)
        known, told = list(zip(known, held[best], strict=True)), scores[best][0]
    return found


def _agreement(values: Iterable[Any], symbols: list[str]) -> int:
    """In how many states the values tell the symbol, where of each the commonest is guessed."""
    seen: dict[Any, Counter[str]] = defaultdict(Counter)
    for value, symbol in zip(values, symbols, strict=True):
        seen[value][symbol] += 1
    return sum(max(counts.values()) for counts in seen.values())


def _played(start: Any) -> Iterator[Any]:
    rng = random.Random(0)
    for _ in range(GAMES):
        state = start
        for _ in range(PLIES):
            yield state
            actions = legal(state)
            if not actions:
                break
            state = state.result(rng.choice(actions))


def _aligned(found: dict[Slot, Cell]) -> dict[Cell, tuple[Slot, ...]]:
    """The slots by cell, with the same families for each; the index of an unseen bit is copied from another word."""
    by_cell: dict[Cell, dict[Any, Slot]] = defaultdict(dict)
    for slot, cell in found.items():
        by_cell[cell].setdefault(slot.family, slot)
    families = sorted({slot.family for slot in found}, key=str)
    for slots in by_cell.values():
        for family in families:
            twin = next((slot for slot in slots.values() if slot.bit >= 0 and len(slot.path) == 1), None)
            if family not in slots and twin is not None and family[-1] == "bit":
                slots[family] = Slot(family[:1], twin.bit)
    complete = {cell: slots for cell, slots in by_cell.items() if len(slots) == len(families)}
    return {cell: tuple(slots[family] for family in families) for cell, slots in complete.items()}


# --- leaves ---------------------------------------------------------------------------------------------


def _leaves(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """The leaves of a state, with their paths."""
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        for name in value._fields:
            yield from _leaves(getattr(value, name), (*path, name))
    elif dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            yield from _leaves(getattr(value, field.name), (*path, field.name))
    elif isinstance(value, tuple) or type(value) is str:
        for i, part in enumerate(value):
            if type(value) is str:
                yield (*path, i), part
            else:
                yield from _leaves(part, (*path, i))
    else:
        yield path, value


def _replaced(value: Any, path: Path, new: Any) -> Any:
    """A value with one leaf replaced."""
    if not path:
        return new
    head, rest = path[0], path[1:]
    if isinstance(head, str):
        part = _replaced(getattr(value, head), rest, new)
        return (
            value._replace(**{head: part})
            if hasattr(value, "_replace")
            else dataclasses.replace(value, **{head: part})
        )
    if type(value) is str:
        return value[:head] + new + value[head + 1 :]
    return (*value[:head], _replaced(value[head], rest, new), *value[head + 1 :])


def _held(leaves: dict[Path, Any], slot: Slot) -> Any:
    return leaves.get(slot.path) if slot.bit < 0 else leaves[slot.path] >> slot.bit & 1


def _changed(state: Any, changes: dict[Slot, Any]) -> Any:
    leaves = dict(_leaves(state))
    for slot, value in changes.items():
        if slot.bit >= 0:
            bit = 1 << slot.bit
            value = wrap((leaves[slot.path] | bit if value else leaves[slot.path] & ~bit) & MASK)
        leaves[slot.path] = value
    for path in {slot.path for slot in changes}:
        state = _replaced(state, path, leaves[path])
    return state


def _tried(state: Any, slot: Slot, value: Any) -> tuple[str, ...]:
    try:
        return _rows(_changed(state, {slot: value}))
    except (ValueError, TypeError, ArithmeticError, LookupError, GameError):
        return ()  # an impossible state


def _rows(state: Any) -> tuple[str, ...]:
    board = board_of(state, ())
    return tuple(board.rows) if board is not None else ()


def _shape(rows: tuple[str, ...]) -> list[int]:
    return [len(row) for row in rows]


def _differs(before: tuple[str, ...], after: tuple[str, ...]) -> Cell | None:
    """The only cell in which two boards differ."""
    if _shape(before) != _shape(after):
        return None
    cells = [(r, c) for r, row in enumerate(before) for c, symbol in enumerate(row) if after[r][c] != symbol]
    return cells[0] if len(cells) == 1 else None
