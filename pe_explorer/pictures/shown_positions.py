"""Convert between positions and coordinates, and find the areas without rows."""

from pe_explorer.exploration import Exploration
from pe_explorer.numeric.positions import count_positions, find_blocks_inside
from pe_explorer.pictures.places import PanelAxis, Rectangle


def find_coordinate(state: Exploration, position: int) -> float | None:
    """Return the coordinate of a position on its axis, or None if the position is not shown."""
    return float(position - state.start) if position in state.positions else None


def find_nearest_position(state: Exploration, place: float) -> int:
    """Return the shown position nearest to a coordinate on the axis."""
    return state.start + min(max(0, round(place)), state.count - 1)


def find_row_ends(positions: range, block: int, domain: range) -> tuple[int, int]:
    """Return the coordinates where the blocks of positions with rows begin and end."""
    count = count_positions(positions)
    inner_blocks = find_blocks_inside(positions.start, block, -(-count // block), domain)
    if not inner_blocks:
        return count, count
    return inner_blocks.start * block, min(inner_blocks.stop * block, count)


def find_hatched_areas(
    state: Exploration, block: int, domain: range, y: PanelAxis
) -> tuple[Rectangle, Rectangle]:
    """Return the areas of a panel before and after the positions that have rows."""
    first, end = find_row_ends(state.positions, block, domain)
    first_area = Rectangle(-0.5, y.low, first, y.length)
    return first_area, Rectangle(end - 0.5, y.low, state.count - end, y.length)


def find_table_hatched_areas(
    positions: range, block: int, domain: range, width: int
) -> tuple[Rectangle, Rectangle]:
    """Return the areas of a table above and below the positions that have rows."""
    first, end = find_row_ends(positions, block, domain)
    top_area = Rectangle(-0.5, -0.5, width, first)
    return top_area, Rectangle(-0.5, end - 0.5, width, count_positions(positions) - end)
