"""HITS and PageRank of a link graph, community by community."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from crawler_project.core.errors import ConfigurationError
from crawler_project.seeding.rank_pages import SMALL, LinkGraph, rank_pages


def graph(links: list[tuple[int, int]], size: int) -> LinkGraph:
    ends = np.array(links, dtype=np.int64).reshape(-1, 2)
    return LinkGraph([f"http://{page}.kr/" for page in range(size)], ends[:, 0], ends[:, 1])


def star(hub: int, leaves: range) -> list[tuple[int, int]]:
    """A hub that links to its leaves, which are linked in a row."""
    return [*((hub, leaf) for leaf in leaves), *pairwise(leaves)]


def test_hits_gives_the_principal_singular_vectors_of_each_community() -> None:
    links = [*star(0, range(1, 9)), (9, 2), (9, 3), (9, 10), (0, 1), *star(20, range(11, 20)), (8, 11)]
    found = rank_pages(graph(links, 21))
    matrix = np.zeros((21, 21))
    for source, target in links:
        matrix[source, target] = 1
    for community in set(found.community.tolist()):
        pages = np.flatnonzero(found.community == community)
        hubs, _, authorities = np.linalg.svd(matrix[np.ix_(pages, pages)])
        assert found.hub[pages] == pytest.approx(np.abs(hubs[:, 0]) / np.abs(hubs[:, 0]).sum(), abs=1e-6)
        assert found.authority[pages] == pytest.approx(np.abs(authorities[0]) / np.abs(authorities[0]).sum(), abs=1e-6)
    assert {0, 20} == set(found.order[:2].tolist())


def test_communities_take_turns_so_that_the_tightest_does_not_take_all() -> None:
    links = star(0, range(1, 20)) + star(20, range(21, 30)) + star(30, range(31, 37)) + [(19, 20), (29, 30)]
    found = rank_pages(graph(links, 37))
    large = [number for number, size in enumerate(np.bincount(found.community)) if size >= SMALL]
    first = found.order[: len(large)]
    assert len(large) >= 3
    assert found.community[first].tolist() == large
    assert [found.hub[page] for page in first] == [found.hub[found.community == number].max() for number in large]
    assert sorted(found.order.tolist()) == list(range(37))


def test_pages_without_a_score_come_after_all_others() -> None:
    found = rank_pages(graph(star(0, range(1, 9)), 12))
    scores = found.hub[found.order]
    assert (scores[: int((scores > 0).sum())] > 0).all()


def test_ranking_is_the_same_each_time() -> None:
    random = np.random.default_rng(0)
    links = [(int(a), int(b)) for a, b in random.integers(0, 300, (2_000, 2))]
    first, second = rank_pages(graph(links, 300)), rank_pages(graph(links, 300))
    assert all(np.array_equal(one, other) for one, other in zip(first, second, strict=True))


def test_pagerank_is_of_the_whole_graph() -> None:
    found = rank_pages(graph([(0, 2), (1, 2), (2, 0), (3, 2), (4, 2)], 5), "pagerank")
    assert found.pagerank.sum() == pytest.approx(1, abs=1e-6)
    assert found.pagerank.argmax() == 2


def test_a_graph_without_links_and_an_unknown_score_are_named() -> None:
    with pytest.raises(ConfigurationError, match="no links"):
        rank_pages(graph([], 3))
    with pytest.raises(ConfigurationError, match="by='degree'"):
        rank_pages(graph([(0, 1)], 2), "degree")
    with pytest.raises(ConfigurationError, match="no links"):
        rank_pages(graph([(1, 1)], 3))
