"""What a game may tell: one table of all methods and class attributes that the system asks of a game class.

A newcomer needs the group "rules". Everything else is optional: what a class leaves out costs nothing. The table is
the only list of its kind: the contract's page, `outplay check`, the compile layer and its error texts are made
from it.
"""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

GROUPS = {
    "rules": "the six methods of the lectures",
    "text": "how people write it",
    "drawing": "how people see it",
    "hidden": "imperfect information",
    "judgement": "how good a state is",
    "identity": "which positions are the same",
    "sampling": "random play and Monte Carlo tree search",
    "ordering": "what the engine tries first, and what it may prune",
    "bounds": "what is known before the game is over",
    "tables": "positions that the game numbers by itself, for endgame tables",
    "network": "what a neural network sees",
}


class GameError(ValueError):
    """A game class breaks the contract; the message names class, method, line and cure."""


def offers(cls: Any, name: str) -> bool:
    """Whether a class has a method of that name; a field may be called so too, and every tuple has a `count`."""
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
    takes: str  # its arguments, beside the state: "", "action", "random", "weights=weights" ...
    gives: str  # "player", "actions", "state", "bool", "int", "score", "chance", "words", "text" ...
    otherwise: str  # what a class without it means
    about: str  # one sentence

    @property
    def compiled(self) -> bool:
        """Whether searches ask it of native states."""
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
         "ACTIONS(s), the legal actions: ints, no two alike, yielded or returned as a sequence. A state that is not "
         "terminal has at least one: a pass is an action."),
    Hook("result", "rules", "action", "state", REQUIRED, "RESULT(s, a), the state after a legal action."),
    Hook("terminal", "rules", "", "bool", "over where there are no actions",
         "TERMINAL-TEST(s), whether the game is over."),
    Hook("utility", "rules", "", "score", REQUIRED,
         "UTILITY(s) at the end, for MAX; MIN's is its negative, so a game of two is zero sum. Where `players` is more "
         "than 2, `utility(player)`: each player's own."),
    Hook("probability", "rules", "outcome", "chance", "no chance",
         "Where `player()` is `CHANCE`, `actions()` yields the outcomes and this their probabilities. Each lies "
         "between 0 and 1, and they sum to 1."),
    # --- text ---
    Hook("__str__", "text", "", "text", "the fields by name", "One line that says all about the state."),
    Hook("parse", "text", "text", "state", "reads the fields by name",
         "The state that `str` wrote (a class method)."),
    Hook("board_text", "text", "board, player", "text", "learned from games at random",
         "The text of the position that a `Board` shows, with this player to move; whatever no board shows is taken "
         "from this state. With it people set up positions; `parse` refuses those that cannot be."),
    Hook("action_text", "text", "action", "text", "the number",
         "The usual notation of an action, different for each action of a state."),
    Hook("parse_action", "text", "text", "action", "reads what `action_text` writes",
         "The legal action that is written so, for a game with several notations (chess: SAN and UCI)."),
    Hook("weight_text", "text", "name, place", "text", "`name[place]`",
         "What a number of a group of weights stands for, as in `knight_squares on f3`; `explain` shows it."),
    Hook("unclaimed", "text", "", "state", "the state itself",
         "The state where nobody claims the draw that could be claimed (chess: fifty moves): a record may go on."),
    Hook("families", "text", "text", "dict", "tables of all that can come from a position",
         "The families that a text names (chess: `KQKR`, or `4` for all of up to four pieces): a name and an example "
         "state of each, after the families that its moves can lead to (a class method)."),
    # --- drawing ---
    Hook("board", "drawing", "", "Board", "no board",
         "A `Board` that terminal, notebook and page draw. A class with `percept` takes `eyes`, the seats that look: "
         "(0,) is MAX alone, () an onlooker, (0, 1) all; `examples/kuhn.py` hides a card so."),
    Hook("action_squares", "drawing", "action", "cells", "seen from the boards before and after",
         "The cells (row, column) that an action goes through, from its first to its last."),
    Hook("action_ways", "drawing", "action", "ways", "the cells it goes through",
         "The ways to make an action of several moves (a play of backgammon), each a sequence of pairs of cells, from "
         "and to; (-1, -1) is beside the board."),
    # --- hidden ---
    Hook("percept", "hidden", "action, seat", "int", "perfect information",
         "What a seat learns when an action is taken: the action itself, or something else where it is hidden from "
         "that seat. A player's seat is its number, unless there are more seats than players."),
    Hook("seat", "hidden", "", "int", "`player()`",
         "Who acts, from 0 to `seats` - 1, where several seats play for one player (bridge): seat i for player "
         "i % players."),
    # --- judgement ---
    Hook("evaluate", "judgement", "weights=weights", "score", "0; no search to a depth alone",
         "EVAL(s), the static value of any state for MAX. The parameter is needed only where it is tuned or learned. "
         "Where `players` is more than 2, `evaluate(player)`."),
    # --- identity ---
    Hook("key", "identity", "", "int", "all fields", "An int that equal positions share."),
    Hook("symmetries", "identity", "", "words", "no symmetries",
         "The keys of all equivalent states, the state's own first: mirror images share a table entry."),
    Hook("repetition_key", "identity", "", "int", "`key()`",
         "An int that positions share which count as repeated; it tells mirror images apart."),
    Hook("irreversible", "identity", "action", "bool", "never",
         "Whether no later position can equal an earlier one; searches look back no further."),
    Hook("drawn", "identity", "", "bool", "never",
         "Whether the rules call a draw though moves are left (fifty moves): `terminal()` is True there, "
         "`actions()` yields the moves all the same, and perft counts through it."),
    # --- sampling ---
    Hook("count", "sampling", "", "int", "the number of actions",
         "How many actions there are, where that is cheaper to say than to list them; perft asks it at its last ply."),
    Hook("sample", "sampling", "random", "int", "picks from `actions()`",
         "A legal action, each as likely as any other, chosen by 64 random bits; random play uses it."),
    Hook("playout", "sampling", "random", "int", "any legal action",
         "An action for a simulation of Monte Carlo tree search, chosen by 64 random bits."),
    Hook("prior", "sampling", "action", "int", "every action is tried once",
         "What an action seems to be worth before it is tried, in percent of the reward for the mover: 50 is even."),
    # --- ordering ---
    Hook("order", "ordering", "action", "int", "0",
         "How promising an action is; the engine tries greater ones first and does not reduce those above 0."),
    Hook("trait", "ordering", "action", "int", "the action",
         "An int from 0 to 4095 by which histories know an action again elsewhere (chess: the piece and its target)."),
    Hook("noisy", "ordering", "", "words", "none",
         "The tactical actions (captures) that quiescence search looks at before it trusts the static evaluation."),
    Hook("exchange", "ordering", "action", "int", "0",
         "What an action wins or loses if both sides go on capturing on its square (static exchange evaluation)."),
    Hook("forced", "ordering", "", "bool", "never",
         "Whether the player to move is in check, or under a threat like it: the engine extends such positions."),
    Hook("forces", "ordering", "action", "bool", "asks `forced()` of the state after it",
         "Whether an action makes the opponent react: such actions are not pruned."),
    Hook("skip", "ordering", "", "state", "no null move",
         "The state where the mover passes though the rules know no pass (the null move), or the state itself where "
         "that would prove nothing."),
    # --- bounds ---
    Hook("ceiling", "bounds", "", "int", "no bound",
         "The greatest utility that the player to move can still reach, for that player."),
    Hook("finish", "bounds", "", "words", "not known",
         "Yields the utility of best play, where the game knows it at once, else nothing. For games of points; asked "
         "only beside `plies_left()`."),
    Hook("promising", "bounds", "", "words", "all actions",
         "Some of the actions, one of the best among them; nothing where the game does not know."),
    Hook("plies_left", "bounds", "", "int", "not known",
         "About how many plies the game still lasts. A hint: values do not depend on it."),
    # --- tables ---
    Hook("family", "tables", "", "int", "-1",
         "Which family a state belongs to (chess: the material), from 0 on; -1 for none. One family is one table."),
    Hook("slots", "tables", "", "int", "0", "How many slots the state's family has."),
    Hook("slot", "tables", "", "int", "-1",
         "The state's slot in its family; mirror images may share one. -1 where it has none."),
    Hook("slot_state", "tables", "slot", "state", "no families",
         "The state in a slot of this state's family. Where the slot is unused, or repeats another one, the state's "
         "own `slot()` is a different number."),
    Hook("banked", "tables", "", "int", "0",
         "What the state is worth to its mover beyond the one in its slot: points made before (kalah: the stores)."),
    Hook("bearoff", "tables", "", "int", "-1",
         "The index of the side on roll in the two-sided bear-off table of six points, times 2^32, plus the index of "
         "the other side; -1 where the table does not apply."),
    # --- network ---
    Hook("planes", "network", "", "words", "no planes",
         "For each plane of `plane_shape` a word (several where a plane has more than 64 cells), cell i being bit i."),
    Hook("policy_index", "network", "action", "int", "no policy",
         "The action's place among a network's answers, from 0 to `policy_size` - 1."),
    Hook("net_cells", "network", "", "int", "no net",
         "A word with a bit for each cell of the board that holds something."),
    Hook("net_feature", "network", "cell", "int", "no net",
         "What the player to move and the other see on a cell: `views(mine, yours)`."),
    Hook("net_changed", "network", "before", "int", "no net",
         "A word with a bit for each cell that differs in another state."),
    Hook("informed", "network", "learned, weights=weights", "score", "`evaluate`",
         "EVAL(s), given the net's output."),
    Hook("features", "network", "", "words", "the bits of `planes()`, or else of all fields",
         "What a value net sees of a state: its inputs that are not 0, each as `feature(place, times, over)`, places "
         "from 0 to `feature_count` - 1."),
    Hook("viewer", "network", "", "int", "0 (MAX)",
         "The player as whom `features()` looks: a value net's answers are that player's."),
)  # fmt: skip

FACTS = (
    Fact("max_actions", "rules", "256", "The most actions that a state may have; one more raises an error."),
    Fact("players", "rules", "2", "The number of players: 1, 2, or more."),
    Fact("text_words", "text", "none",
         "What the words of `str` are called, where people may change them by hand: `(\"\", \"\", \"castling\")`; \"\" "
         "for a word that the board shows."),
    Fact("seats", "hidden", "`players`", "How many act and perceive by themselves: 4 in bridge, on two sides."),
    Fact("points", "judgement", "False",
         "True: utility and evaluation count the same (discs, seeds). Otherwise utility is an outcome and outranks "
         "every evaluation."),
    Fact("scores", "judgement", "int, or `float` where there is chance",
         "`float` where utilities are not ints. `int` in a game with chance: scores are fixed point, `unit` steps to a "
         "point of utility, and a mean is rounded to a step."),
    Fact("win", "judgement", "not known", "The greatest utility: once it is found, only shorter wins are looked for."),
    Fact("unit", "judgement", "100",
         "What a pawn is worth in points of `evaluate`: margins are counted in it. With chance and `scores = int`: "
         "what a point of utility is worth."),
    Fact("weights", "judgement", "none", "The numbers of `evaluate`, apart from its terms: `Weights(...)`."),
    Fact("repetition", "identity", "0",
         "How often a position must come to be a draw; `FORBIDDEN`: no action may bring one back (superko)."),
    Fact("uct", "sampling", "{}", "How UCT searches this game unless told otherwise: `{\"c\": 0.1, \"rave\": 1000}`."),
    Fact("plane_shape", "network", "none", "(planes, rows, columns) of `planes()`."),
    Fact("policy_size", "network", "none", "How many answers a network's policy has."),
    Fact("value_net", "network", "none", "The path of a value net's file: `td` plays by it unless told otherwise."),
    Fact("feature_count", "network", "none", "How many inputs `features()` has."),
    Fact("net", "network", "none", "The network whose sums the engine keeps by ply: `NNUE.load(...)`."),
)  # fmt: skip

HOOK = {hook.name: hook for hook in HOOKS}
COMPILED = tuple(hook.name for hook in HOOKS if hook.compiled)
NEEDED = tuple(hook.name for hook in HOOKS if hook.required)


def told(gives: Iterable[str], takes: Callable[[str], Any]) -> tuple[str, ...]:
    """The compiled hooks that give one of these, and whose arguments are as asked for."""
    wanted = set(gives)
    return tuple(h.name for h in HOOKS if h.compiled and h.gives in wanted and takes(h.takes))


OF_STATES = told(("int", "bool"), lambda takes: not takes)  # an int or bool about the state
OF_ACTIONS = told(
    ("int", "bool"), lambda takes: takes in ("action", "random")
)  # about an action or random bits
NET_RULES = ("net_cells", "net_feature", "net_changed")  # what a class with a net must say
OF_PLAYERS = ("utility", "evaluate")  # with the player as argument, where there are more than two
OF_CELLS = told(("int", "bool"), lambda takes: takes in ("cell", "before"))  # for a net
LISTED = told(("words",), lambda takes: True)  # a run of words
ASKED_FOR = (  # searches ask whether a class has these: `s.has_noisy()`
    "noisy", "exchange", "trait", "forces", "drawn", "sample", "playout", "policy_index", "irreversible", "features",
)  # fmt: skip
NET_FACTS = ("has_net", "net_width", "net_features", "net_buckets")  # of its net, which searches ask for
RESERVED = {  # what searches call on a state: no names for fields
    *COMPILED, *NET_FACTS, *(f"has_{name}" for name in ASKED_FOR), "has_finish", "has_own_identity",
    "net_slot", "chance", "hash", "worth", "outranks", "unit", "repetition", "win_score", "weighed", "identity",
    *(f"{name}_for" for name in (*OF_PLAYERS, "weighed")),
} - {"key"}  # fmt: skip
WEIGHING = tuple(h.name for h in HOOKS if "weights" in h.takes)


def page(group: str) -> str:
    """A group of the table in Markdown, as the contract's page has it."""
    rows = [f"| `{h.signature}` | {h.about} | {h.otherwise} |" for h in HOOKS if h.group == group]
    rows += [f"| `{f.name}` | {f.about} | {f.otherwise} |" for f in FACTS if f.group == group]
    return "\n".join(["| method or attribute | meaning | if left out |", "|---|---|---|", *rows])
