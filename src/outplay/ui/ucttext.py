"""The trace of UCT as text: a line for every iteration, then the tree."""

from outplay.game import action_text
from outplay.search.mcts.trace import UctTrace
from outplay.search.textbook.uct import Node, PlainUCT

MAX_LINES = 40  # of the tree


def text(trace: UctTrace) -> str:
    """The iterations, and the resulting tree."""
    made = f"{trace.iterations} iteration{'s' * (trace.iterations != 1)}"
    return "\n".join(
        [
            f"uct: {trace.start}, C = {trace.c:.4g}, {made}",
            *_iterations(trace),
            "",
            "visits  mean    ucb     the mean is for the player who chose the action",
            *_tree(trace.search),
        ]
    )


def _iterations(trace: UctTrace) -> list[str]:
    lines: list[str] = []
    for event in trace.events:
        if event["event"] == "iteration":
            lines.append(f"{event['number']:>{len(str(trace.iterations))}} ")
        elif event["event"] == "select":
            why = f"ucb {event['ucb']:.3f}" if "ucb" in event else f"chance {event['probability']:.3f}"
            lines[-1] += f" {event['text']} ({why})"
        elif event["event"] == "expand":
            lines[-1] += f" +{event['text']}"
        elif event["event"] == "simulate":
            plies = event["plies"]
            how = f"after {plies} {'ply' if plies == 1 else 'plies'}" if plies else "known"
            lines[-1] += f": {event['result']:g} for MAX, {how}"
    return lines


def _tree(search: PlainUCT) -> list[str]:
    """The most visited nodes, each below its parent."""
    waiting: list[tuple[int, Node | None, Node]] = [(0, None, search.root)]
    every: list[tuple[int, Node | None, Node]] = []
    while waiting:
        depth, parent, node = waiting.pop()
        every.append((depth, parent, node))
        children = sorted(node.children, key=lambda child: child.visits)
        waiting += [(depth + 1, node, child) for child in children]
    least = sorted((node.visits for _, _, node in every), reverse=True)[:MAX_LINES][-1]
    shown = [row for row in every if row[2].visits >= least][:MAX_LINES]
    left = len(every) - len(shown)
    lines = [_line(search, *row) for row in shown]
    return [*lines, f"... and {left} nodes more"] if left else lines


def _line(search: PlainUCT, depth: int, parent: Node | None, node: Node) -> str:
    named = "root" if parent is None else action_text(parent.state, node.action or 0)
    ucb = ""
    if parent is not None and parent.state.player() >= 0 and not node.dropped:
        ucb = f"{search.ucb(parent, node):.3f}"
    known = f"  proven {node.bounds[0]:g} for MAX" if node.proven else ""
    return f"{node.visits:>6}  {node.mean:.3f}  {ucb:>6}  {'  ' * depth}{named}{known}"
