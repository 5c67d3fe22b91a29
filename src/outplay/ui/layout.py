"""The layout of a tree in a picture: tidy drawing after Reingold & Tilford (1981)."""

from collections.abc import Sequence


def tidy(children: Sequence[Sequence[int]], widths: Sequence[tuple[float, float]], gap: float) -> list[float]:
    """The x coordinate of every node; the drawing's left edge is at 0.

    Parents are numbered before their children, the root is 0. A node extends by `widths[i]` to the left and right of
    its x. Neighbouring subtrees come as close as `gap` on every level, and a parent is centred between its first and
    last child.
    """
    shifts = [0.0] * len(children)  # of a node relative to its parent
    lefts: dict[int, list[float]] = {}  # how far a subtree reaches on each level below its root
    rights: dict[int, list[float]] = {}
    for i in reversed(range(len(children))):
        left: list[float] = []
        right: list[float] = []
        for child in children[i]:
            near, far = lefts.pop(child), rights.pop(child)
            at = max((edge + gap + reach for edge, reach in zip(right, near, strict=False)), default=0.0)
            shifts[child] = at
            left += [reach - at for reach in near[len(left) :]]
            right[: len(far)] = [at + reach for reach in far]
        middle = (shifts[children[i][0]] + shifts[children[i][-1]]) / 2 if children[i] else 0.0
        for child in children[i]:
            shifts[child] -= middle
        lefts[i] = [widths[i][0], *(reach + middle for reach in left)]
        rights[i] = [widths[i][1], *(reach - middle for reach in right)]
    places = [max(lefts[0])] + [0.0] * (len(children) - 1)
    for i, below in enumerate(children):
        for child in below:
            places[child] = places[i] + shifts[child]
    return places
