"""What the perfect strategy knows in advance."""

from __future__ import annotations

from crawler_project.simulator.web import Web


def leading_to_target(web: Web) -> bytes:
    """Mark the reachable target pages and all their ancestors in the breadth-first tree of the whole web.

    Returns one byte a page, 1 for the marked. Source: R19; Somboonviwat 2006, Section 6.1 ("determined
    in advance by breadth first crawling"). The parent of a page is its first discoverer.
    """
    order, parents = _breadth_first_tree(web)
    marks = bytearray(web.n_pages)
    is_target = web.is_target.tobytes()
    for page in reversed(order):
        if is_target[page]:
            marks[page] = 1
        if marks[page] and parents[page] >= 0:
            marks[parents[page]] = 1
    return bytes(marks)


def _breadth_first_tree(web: Web) -> tuple[list[int], list[int]]:
    """Pages in the order of breadth-first discovery, and the page that discovered each (-1: none)."""
    order = web.seeds.tolist()
    parents = [-1] * web.n_pages
    seen = bytearray(web.n_pages)
    for page in order:
        seen[page] = 1
    offsets, targets = web.offsets, web.targets
    for page in order:  # grows while it is walked
        for target in targets[offsets[page] : offsets[page + 1]].tolist():
            if not seen[target]:
                seen[target] = 1
                parents[target] = page
                order.append(target)
    return order, parents
