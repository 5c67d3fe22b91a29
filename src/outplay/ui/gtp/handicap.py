"""The placement of handicap stones."""


def most_stones(size: int) -> int:
    """The maximum number of handicap stones on a board of this size."""
    if size < 7:
        return 0
    return 9 if size % 2 and size > 7 else 4


def fixed(size: int, count: int) -> list[int]:
    """The points of handicap stones in the protocol's order: corners, sides, centre."""
    if not 2 <= count <= most_stones(size):
        raise ValueError(f"{count} stones cannot be placed on {size}x{size}: 2 to {most_stones(size)} can")
    low = 3 if size > 12 else 2
    high, middle = size - 1 - low, size // 2
    corners = [(low, low), (high, high), (high, low), (low, high)]
    sides = [(middle, low), (middle, high), (low, middle), (high, middle)]
    places = corners[: min(count, 4)] + (sides[: count // 2 * 2 - 4] if count > 5 else [])
    if count > 4 and count % 2:
        places.append((middle, middle))
    return [size * row + column for row, column in places]
