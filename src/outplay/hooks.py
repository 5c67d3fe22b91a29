"""The hooks: one table of all methods and class attributes that a game class may define.

A newcomer needs only the group "rules". Everything else is optional, and omitted hooks cost nothing. The table is
the single source: the contract page, `outplay check`, the compile layer and its error messages are generated
from it.
"""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

GROUPS = {
    "rules": "the six methods of the lectures",
    "text": "notation",
    "drawing": "display",
    "hidden": "imperfect information",
    "judgement": "how good a state is",
    "identity": "which positions are the same",
    "sampling": "random play and Monte Carlo tree search",
    "ordering": "what the engine tries first, and what it may prune",
    "bounds": "what is proven before the game is over",
    "tables": "position indexing for endgame tables",
    "network": "inputs and outputs of neural networks",
}


class GameError(ValueError):
    """A game class breaks the contract; the message names the class, method, line and fix."""


def offers(cls: Any, name: str) -> bool:
    """Whether a class defines this method; a field of the same name, or tuple's own `count`, is not one."""
    method = getattr(cls, name, None)
    builtin = (getattr(base, name, None) for base in (tuple, str))
    return (
        name not in getattr(cls, "_fields", ())
        and callable(method)
        and all(method is not known for known in builtin)
    )


class Hook(NamedTuple):
    """A method of a game class."""

    name: str
    group: str
    takes: str  # its arguments, besides the state: "", "action", "random", "weights=weights" ...
    gives: str  # what it returns: "player", "actions", "state", "bool", "int", "score", "chance", "words", "text" ...
    otherwise: str  # the default for a class without it
    about: str  # one sentence

    @property
    def compiled(self) -> bool:
        """Whether searches call it on native states."""
        return self.group not in ("text", "drawing", "hidden")

    @property
    def required(self) -> bool:
        return self.otherwise == REQUIRED

    @property
    def signature(self) -> str:
        return f"{self.name}({self.takes})"


class Fact(NamedTuple):
    """A class attribute."""

    name: str
    group: str
    otherwise: str
    about: str


REQUIRED = "required"

HOOKS = (
    # --- rules ---
    Hook("player", "rules", "", "player", REQUIRED,
         "PLAYER(s), whose move it is: 0 (MAX), 1 (MIN) or `CHANCE`. Players need not alternate."),
    Hook("actions", "rules", "", "actions", REQUIRED,
         "ACTIONS(s), the legal actions: distinct ints, yielded or returned as a sequence. A state that is not "
         "terminal has at least one: a pass is an action."),
    Hook("result", "rules", "action", "state", REQUIRED, "RESULT(s, a), the state after a legal action."),
    Hook("terminal", "rules", "", "bool", "over when there are no actions",
         "TERMINAL-TEST(s), whether the game is over."),
    Hook("utility", "rules", "", "score", REQUIRED,
         "UTILITY(s) of a terminal state, for MAX; MIN's is its negative, so a two-player game is zero-sum. If "
         "`players` is more than 2, `utility(player)`: each player's own."),
    Hook("probability", "rules", "outcome", "chance", "no chance",
         "The probability of a chance outcome. Where `player()` is `CHANCE`, `actions()` yields the outcomes. Each "
         "probability is between 0 and 1, and they sum to 1."),
    # --- text ---
    Hook("__str__", "text", "", "text", "the fields by name", "One line of text that describes the state completely."),
    Hook("parse", "text", "text", "state", "reads the fields by name",
         "The state that `str` wrote (a class method)."),
    Hook("board_text", "text", "board, player", "text", "learned from random games",
         "The text of the position that a `Board` shows, with this player to move; whatever a board does not show is "
         "taken from this state. The board editor uses it; `parse` rejects impossible positions."),
    Hook("action_text", "text", "action", "text", "the number",
         "The usual notation of an action, unique among the actions of a state."),
    Hook("parse_action", "text", "text", "action", "reads what `action_text` writes",
         "The legal action with this notation, for a game with several notations (chess: SAN and UCI)."),
    Hook("weight_text", "text", "name, place", "text", "`name[place]`",
         "The label of one number in a group of weights, as in `knight_squares on f3`; `explain` shows it."),
    Hook("unclaimed", "text", "", "state", "the state itself",
         "The state in which nobody claims an available draw (chess: fifty moves), so that a record can continue."),
    Hook("families", "text", "text", "dict", "tables of all states reachable from a position",
         "The families that a text names (chess: `KQKR`, or `4` for all with up to four pieces): the name of each with "
         "an example state, after the families that its moves lead to (a class method)."),
    # --- drawing ---
    Hook("board", "drawing", "", "Board", "no board",
         "A `Board` that terminal, notebook and page draw. With `percept`, it takes `eyes`, the seats that watch: "
         "(0,) is MAX alone, () a spectator, (0, 1) everybody; `examples/kuhn.py` hides a card this way."),
    Hook("action_squares", "drawing", "action", "cells", "derived from the boards before and after",
         "The cells (row, column) that an action goes through, from its first to its last."),
    Hook("action_ways", "drawing", "action", "ways", "the cells it goes through",
         "The ways to make an action of several moves (a play in backgammon), each a sequence of pairs of cells, from "
         "and to; (-1, -1) is off the board."),
    # --- hidden ---
    Hook("percept", "hidden", "action, seat", "int", "perfect information",
         "What a seat observes when an action is taken: the action itself, or something else where it is hidden from "
         "that seat. A player's seat is its number, unless there are more seats than players."),
    Hook("seat", "hidden", "", "int", "`player()`",
         "The seat to act, from 0 to `seats` - 1, where several seats play for one player (bridge): seat i plays for "
         "player i % players."),
    # --- judgement ---
    Hook("evaluate", "judgement", "weights=weights", "score", "0; no fixed-depth search",
         "EVAL(s), the static evaluation of any state for MAX. The parameter is needed only for tuning or learning. "
         "If `players` is more than 2, `evaluate(player)`."),
    # --- identity ---
    Hook("key", "identity", "", "int", "all fields", "An int that equal positions share."),
    Hook("symmetries", "identity", "", "words", "no symmetries",
         "The keys of all equivalent states, the state's own first: mirror images share a table entry."),
    Hook("repetition_key", "identity", "", "int", "`key()`",
         "An int shared by positions that count as repetitions of each other; mirror images differ."),
    Hook("irreversible", "identity", "action", "bool", "never",
         "Whether the action rules out repetition of any earlier position; searches look back no further."),
    Hook("drawn", "identity", "", "bool", "never",
         "Whether the rules declare a draw although moves are left (fifty moves): `terminal()` is True, but "
         "`actions()` still yields the moves, and perft counts through it."),
    # --- sampling ---
    Hook("count", "sampling", "", "int", "the number of actions",
         "The number of actions, where counting is cheaper than listing; perft calls it at its last ply."),
    Hook("sample", "sampling", "random", "int", "picks from `actions()`",
         "A legal action drawn uniformly, using 64 random bits; random play calls it."),
    Hook("playout", "sampling", "random", "int", "any legal action",
         "The playout policy of Monte Carlo tree search: an action, chosen using 64 random bits."),
    Hook("prior", "sampling", "action", "int", "every action is tried once",
         "The estimated value of an untried action, in percent of the reward for the mover: 50 is even."),
    # --- ordering ---
    Hook("order", "ordering", "action", "int", "0",
         "The ordering score of an action; the engine tries higher ones first and does not reduce those above 0."),
    Hook("trait", "ordering", "action", "int", "the action",
         "An int from 0 to 4095 that identifies an action in the history tables (chess: piece and target square)."),
    Hook("noisy", "ordering", "", "words", "none",
         "The tactical actions (captures) that quiescence search tries before it trusts the static evaluation."),
    Hook("exchange", "ordering", "action", "int", "0",
         "Static exchange evaluation: what an action wins or loses if both sides keep capturing on its square."),
    Hook("forced", "ordering", "", "bool", "never",
         "Whether the player to move is in check, or under a similar threat: the engine extends such positions."),
    Hook("forces", "ordering", "action", "bool", "calls `forced()` on the state after it",
         "Whether an action forces the opponent to react (a check): such actions are not pruned."),
    Hook("skip", "ordering", "", "state", "no null move",
         "The null move: the state after the mover passes, though the rules allow no pass; the state itself where "
         "a null move would prove nothing."),
    # --- bounds ---
    Hook("ceiling", "bounds", "", "int", "no bound",
         "An upper bound on the utility that the player to move can still reach, for that player."),
    Hook("finish", "bounds", "", "words", "not known",
         "Yields the utility of best play where the game knows it without search, else nothing. For games of points; "
         "called only if the class has `plies_left()`."),
    Hook("promising", "bounds", "", "words", "all actions",
         "A subset of the actions that contains a best one; yields nothing where the game does not know."),
    Hook("plies_left", "bounds", "", "int", "not known",
         "The approximate number of plies left in the game. A hint: values do not depend on it."),
    # --- tables ---
    Hook("family", "tables", "", "int", "-1",
         "The family that a state belongs to (chess: its material), from 0; -1 for none. One family is one table."),
    Hook("slots", "tables", "", "int", "0", "The number of slots in the state's family."),
    Hook("slot", "tables", "", "int", "-1",
         "The state's slot in its family; mirror images may share one. -1 where it has none."),
    Hook("slot_state", "tables", "slot", "state", "no families",
         "The state in a slot of this state's family. If the slot is unused or a duplicate, the returned state's "
         "`slot()` is a different number."),
    Hook("banked", "tables", "", "int", "0",
         "Points the mover has already banked, to be added to the value in the slot (kalah: the lead in the stores)."),
    Hook("bearoff", "tables", "", "int", "-1",
         "The index of the side on roll in the two-sided bear-off table of six points, times 2^32, plus the index of "
         "the other side; -1 where the table does not apply."),
    # --- network ---
    Hook("planes", "network", "", "words", "no planes",
         "One word per plane of `plane_shape` (several if a plane has more than 64 cells); bit i is cell i."),
    Hook("policy_index", "network", "action", "int", "no policy",
         "The action's index in the network's policy, from 0 to `policy_size` - 1."),
    Hook("net_cells", "network", "", "int", "no net",
         "A bitboard of the occupied cells."),
    Hook("net_feature", "network", "cell", "int", "no net",
         "The feature of a cell, as the player to move and as the opponent see it: `views(mine, yours)`."),
    Hook("net_changed", "network", "before", "int", "no net",
         "A bitboard of the cells that differ from another state."),
    Hook("informed", "network", "learned, weights=weights", "score", "`evaluate`",
         "EVAL(s), given the net's output."),
    Hook("features", "network", "", "words", "the bits of `planes()`, or else of all fields",
         "The nonzero inputs of a value net, each as `feature(place, times, over)`, with places from 0 to "
         "`feature_count` - 1."),
    Hook("viewer", "network", "", "int", "0 (MAX)",
         "The player from whose point of view `features()` describes the state; a value net's outputs are for them."),
)  # fmt: skip

FACTS = (
    Fact("max_actions", "rules", "256", "The maximum number of actions in a state; one more raises an error."),
    Fact("players", "rules", "2", "The number of players: 1, 2, or more."),
    Fact("text_words", "text", "none",
         "Labels for the words of `str` that can be changed in the position editor: `(\"\", \"\", \"castling\")`; \"\" "
         "for a word that the board shows."),
    Fact("seats", "hidden", "`players`", "The number of seats that act and observe: 4 in bridge, on two sides."),
    Fact("points", "judgement", "False",
         "True: utility and evaluation are on the same scale (discs, seeds). Otherwise utility is an outcome and "
         "outranks every evaluation."),
    Fact("scores", "judgement", "int, or `float` where there is chance",
         "`float` if utilities are fractions; evaluations then lie between them. `int` in a game with chance: scores "
         "are fixed-point, `unit` steps per point of utility, and a mean is rounded to a step."),
    Fact("estimates", "judgement", "int, or `float` if it is seen in play",
         "`float` if `evaluate` returns floats, and utilities are outcomes that outrank them."),
    Fact("win", "judgement", "not known", "The maximum utility: once it is proven, only shorter wins are sought."),
    Fact("unit", "judgement", "100",
         "The value of a pawn in points of `evaluate`: pruning margins are multiples of it. With chance and "
         "`scores = int`: the steps per point of utility."),
    Fact("weights", "judgement", "none", "The weights of the terms of `evaluate`: `Weights(...)`."),
    Fact("repetition", "identity", "0",
         "How many occurrences of a position make a draw; `FORBIDDEN`: no action may repeat a position (superko)."),
    Fact("uct", "sampling", "{}", "Default options of UCT in this game: `{\"c\": 0.1, \"rave\": 1000}`."),
    Fact("plane_shape", "network", "none", "(planes, rows, columns) of `planes()`."),
    Fact("policy_size", "network", "none", "The size of a network's policy."),
    Fact("value_net", "network", "none", "The path of a value net's file, the default net of `td`."),
    Fact("feature_count", "network", "none", "The number of inputs that `features()` has."),
    Fact("net", "network", "none", "The network whose accumulator the engine updates ply by ply: `NNUE.load(...)`."),
)  # fmt: skip

HOOK = {hook.name: hook for hook in HOOKS}
COMPILED = tuple(hook.name for hook in HOOKS if hook.compiled)
NEEDED = tuple(hook.name for hook in HOOKS if hook.required)


def told(gives: Iterable[str], takes: Callable[[str], Any]) -> tuple[str, ...]:
    """The compiled hooks with one of these return kinds whose arguments satisfy `takes`."""
    wanted = set(gives)
    return tuple(h.name for h in HOOKS if h.compiled and h.gives in wanted and takes(h.takes))


OF_STATES = told(("int", "bool"), lambda takes: not takes)  # an int or bool about the state
OF_ACTIONS = told(
    ("int", "bool"), lambda takes: takes in ("action", "random")
)  # about an action or random bits
NET_RULES = ("net_cells", "net_feature", "net_changed")  # a class with a net must define these
OF_PLAYERS = ("utility", "evaluate")  # take the player as argument if there are more than two
OF_CELLS = told(("int", "bool"), lambda takes: takes in ("cell", "before"))  # for a net
LISTED = told(("words",), lambda takes: True)  # a run of words
ASKED_FOR = (  # searches test whether a class has these: `s.has_noisy()`
    "noisy", "exchange", "trait", "forces", "drawn", "sample", "playout", "policy_index", "irreversible", "features",
)  # fmt: skip
NET_FACTS = ("has_net", "net_width", "net_features", "net_buckets")  # facts about its net that searches use
RESERVED = {  # methods that searches call on a state: fields may not have these names
    *COMPILED, *NET_FACTS, *(f"has_{name}" for name in ASKED_FOR), "has_finish", "has_own_identity",
    "net_slot", "chance", "hash", "worth", "outranks", "unit", "repetition", "win_score", "weighed", "identity",
    *(f"{name}_for" for name in (*OF_PLAYERS, "weighed")),
} - {"key"}  # fmt: skip
WEIGHING = tuple(h.name for h in HOOKS if "weights" in h.takes)


def page(group: str) -> str:
    """A group of the table in Markdown, as on the contract page."""
    rows = [f"| `{h.signature}` | {h.about} | {h.otherwise} |" for h in HOOKS if h.group == group]
    rows += [f"| `{f.name}` | {f.about} | {f.otherwise} |" for f in FACTS if f.group == group]
    return "\n".join(["| method or attribute | meaning | if left out |", "|---|---|---|", *rows])
