"""Which pages of a crawled web are good seeds: HITS and PageRank, community by community."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from crawler_project.core.errors import ConfigurationError

SCORES: Final = {"hits": "hub", "hub": "hub", "authority": "authority", "pagerank": "pagerank"}
"""What pages may be ranked by, and the column that has it. Seeds by HITS are hubs: pages that lead to the others."""
SMALL: Final = 5
"""Pages below which a community gets no turn of its own: there are thousands of them at the edges of a crawl."""

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


class LinkGraph(NamedTuple):
    """Pages and the links between them."""

    urls: list[str]
    sources: Ints
    """Row in ``urls`` of the page that a link is on, one a link."""
    targets: Ints


class Ranking(NamedTuple):
    """Scores, one a page; and all pages, the best seed first."""

    hub: Floats
    authority: Floats
    """Of HITS within the page's community; the sum over a community is 1."""
    pagerank: Floats
    """Over the whole graph; the sum is 1."""
    community: Ints
    """Number of the community, 0 is the largest."""
    order: Ints


def rank_pages(graph: LinkGraph, by: str = "hits", random_state: int = 0) -> Ranking:
    """Rank pages for seeds.

    HITS (Kleinberg 1999) as in the seed sets of Chan & Yamana 2010, Section 2.3. Its scores are those of one tightly
    knit community, in which all its best pages are; so it is run in each community by itself (Louvain, Blondel et al. 2008,
    links without direction), and communities take turns, the largest first. Those of fewer than
    ``SMALL`` pages take their turn together, after the others have begun. PageRank (Brin and Page 1998) is of the whole graph.

    Raises:
        ConfigurationError: ``by`` is none of :data:`SCORES`, or there are no links.
    """
    if by not in SCORES:
        raise ConfigurationError(f"by={by!r} is no score; choose one of {', '.join(SCORES)}")
    adjacency = _adjacency(graph)
    if not adjacency.nnz:
        raise ConfigurationError("there are no links between pages, so they cannot be ranked; give a crawl with links")
    community = _communities(adjacency, random_state)
    hub, authority = _hits_by_community(adjacency, community)
    from sknetwork.ranking import PageRank

    pagerank = np.asarray(PageRank(n_iter=100).fit_predict(adjacency), dtype=float)
    scores = {"hub": hub, "authority": authority, "pagerank": pagerank}[SCORES[by]]
    return Ranking(hub, authority, pagerank, community, _in_turns(community, scores, pagerank))


def _adjacency(graph: LinkGraph) -> Any:
    """Give the matrix of links, each pair of pages once; links to the page itself say nothing."""
    from scipy import sparse

    others = graph.sources != graph.targets
    ones = np.ones(int(others.sum()))
    size = len(graph.urls)
    matrix = sparse.csr_matrix((ones, (graph.sources[others], graph.targets[others])), shape=(size, size))
    matrix.data[:] = 1.0
    return matrix


def _communities(adjacency: Any, random_state: int) -> Ints:
    from sknetwork.clustering import Louvain

    labels = Louvain(modularity="newman", random_state=random_state).fit_predict(adjacency + adjacency.T)
    return np.asarray(labels, dtype=np.int64)


def _hits_by_community(adjacency: Any, community: Ints) -> tuple[Floats, Floats]:
    hub, authority = np.zeros(len(community)), np.zeros(len(community))
    members = np.argsort(community, kind="stable")
    for pages in np.split(members, np.flatnonzero(np.diff(community[members])) + 1):
        hub[pages], authority[pages] = _hits(adjacency[pages][:, pages])
    return hub, authority


def _hits(adjacency: Any) -> tuple[Floats, Floats]:
    """Give hubs and authorities, each with the sum 1 (0 without links)."""
    if adjacency.shape[0] < 3 or adjacency.nnz < 2:
        hub, authority = np.ravel(adjacency.sum(axis=1)), np.ravel(adjacency.sum(axis=0))
        return _shares(hub), _shares(authority)
    from sknetwork.ranking import HITS

    found = HITS(solver=_non_negative_solver()).fit(adjacency)
    return _shares(found.scores_row_), _shares(found.scores_col_)


def _non_negative_solver() -> Any:
    """Give a solver whose first singular vectors are not negative, as Perron and Frobenius promise they can be.

    The library tells the sign by counting, which rounding errors around 0 mislead where most pages have no score; and
    it starts at random, so that equal graphs would get slightly different scores.
    """
    from sknetwork.linalg import LanczosSVD

    class NonNegative(LanczosSVD):  # type: ignore[misc]
        def fit(self, matrix: Any, n_components: int, init_vector: Any = None) -> Any:
            fitted: Any = super().fit(matrix, n_components, np.ones(min(matrix.shape)))
            fitted.singular_vectors_left_ = np.abs(fitted.singular_vectors_left_)
            fitted.singular_vectors_right_ = np.abs(fitted.singular_vectors_right_)
            return fitted

    return NonNegative()


def _shares(scores: Any) -> Floats:
    """Divide by the sum; rounded, so that pages that are alike are alike to the last digit."""
    values = np.asarray(scores, dtype=float)
    total = values.sum()
    return np.round(values / total, 9) if total > 0 else np.zeros(len(values))


def _in_turns(community: Ints, scores: Floats, pagerank: Floats) -> Ints:
    """Order pages so that each community gives its best page in each round."""
    sizes = np.bincount(community)
    turn_of = np.where(sizes[community] >= SMALL, community, len(sizes))
    by_score = np.lexsort((np.arange(len(scores)), -np.round(pagerank, 12), -scores, turn_of))
    turns = turn_of[by_score]
    first = np.searchsorted(turns, turns)
    rounds = np.arange(len(turns)) - first
    has_score = (scores[by_score] <= 0).astype(np.int64)
    return by_score[np.lexsort((turns, rounds, has_score))]
