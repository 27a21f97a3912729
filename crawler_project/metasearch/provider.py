"""The seam of search providers (Li et al. 2006, section 3.1): queries in, addresses out, no I/O but of files named by the user."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal, NamedTuple, Protocol

EVERYTHING: Final = "*"
"""The query of those who give all they have, whatever is looked for."""

Kind = Literal["time-out", "no connection", "rate limit", "key", "refused", "nonsense", "server error"]


class ProviderError(Exception):
    """A provider does not answer as it should; the others go on.

    Args:
        reason: one line for the user.
        wait: seconds after which to ask again; 0: not said.
        is_final: asking again is of no use.
    """

    def __init__(self, kind: Kind, reason: str, *, wait: float = 0.0, is_final: bool = False) -> None:
        super().__init__(reason)
        self.kind: Kind = kind
        self.wait = wait
        self.is_final = is_final


class SearchRequest(NamedTuple):
    """A GET request."""

    url: str
    headers: Mapping[str, str] = {}


class Reply(NamedTuple):
    """What was answered."""

    status: int
    headers: Mapping[str, str]
    """By name in lower case."""
    body: bytes


class Hit(NamedTuple):
    """An address that a provider gave."""

    url: str
    """As it was given; perhaps no address at all."""
    title: str = ""
    engines: tuple[str, ...] = ()
    """Who found it, where the provider asks others."""


class Answer(NamedTuple):
    """The hits of one page of results, best first."""

    hits: Sequence[Hit]
    has_more: bool = False
    notes: tuple[str, ...] = ()
    """What went wrong behind the provider, a line each."""


class Provider(Protocol):
    """A source of addresses."""

    name: str
    """``searxng``, ``brave``, ``commoncrawl``, ``file`` or ``page``; a second one of a kind is ``searxng-2``."""
    place: str
    """Which of them: an address or a file; empty where there is one only."""
    is_named: bool
    """The user has named the address, so it may be on the own machine or network."""
    is_ranked: bool
    """The order of hits says which are better."""

    def queries_of(self, queries: Sequence[str]) -> Sequence[str]:
        """Give what to ask where these keyword sets are looked for."""
        ...

    def ask(self, query: str, page: int) -> SearchRequest | Answer:
        """Give the request for a page of results (the first is 0), or the answer where nobody needs to be asked.

        Raises:
            ProviderError: this cannot be asked for.
        """
        ...

    def read(self, reply: Reply) -> Answer:
        """Read what a request was answered with.

        Raises:
            ProviderError: it is no answer.
        """
        ...
