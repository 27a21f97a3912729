"""Crawler traps: endless URLs that a server makes up as it is asked.

Pure, and without a clock: what depends on the present year takes it as an argument. How many
pages of a host are fetched at all is the crawl's business, not this module's.
"""

from __future__ import annotations

import re
from collections import Counter, OrderedDict
from itertools import pairwise
from typing import Final

import xxhash

MAX_DEPTH: Final = 20
"""Segments of a path. Deep real sites (documentation of code, archives by date) have 8 to 12."""

MAX_REPEATS: Final = 3
"""Times that a segment may stand in a path: relative links followed from the wrong level repeat it without end."""

MAX_PARAMETERS: Final = 16
"""Parameters of a query. Links of common Korean and Japanese boards carry up to 13; filters of a shop, ever more."""

MAX_SAME_PARAMETER: Final = 3
"""Times that one parameter may stand in a query: filters that are added instead of replaced."""

FIRST_YEAR: Final = 1970
"""Before it no calendar has anything to show. Archives by date that are no calendars may go back to 1900."""

LAST_YEAR: Final = 2100
"""The default of ``latest_year``; a crawl hands in its own year and two more."""

_FIRST_ARCHIVE_YEAR = 1900
_PATH_DATE = re.compile(r"/([1-9]\d{3})[/-](?:0?[1-9]|1[0-2])(?:[/-](?:0?[1-9]|[12]\d|3[01]))?(?=/|$)")
# Numbers of documents look like dates too (/11419/1346/3/): outside calendars, months have two digits.
_ARCHIVE_DATE = re.compile(r"/((?:1[5-9]|2\d)\d\d)[/-](?:0[1-9]|1[0-2])(?:[/-](?:0[1-9]|[12]\d|3[01]))?(?=/|$)")
_QUERY_DATE = re.compile(
    r"(?:^|[&;_])(?:year|yyyy|yr|ym|date|day|month|yearmonth|week)=(\d{4})(?:[-./]?\d{1,2}){0,2}(?=[&;]|$)",
    re.IGNORECASE,
)
_CALENDAR = re.compile(r"calend|[/_.-]cal(?![a-z])|event|schedule|agenda|diary|timetable", re.IGNORECASE)
_DIGITS = re.compile(r"\d+")
_SESSION = re.compile(r";[^/?]*")


def trap_reason(url: str, *, latest_year: int = LAST_YEAR) -> str | None:
    """Say why a canonical URL is a trap by itself: ``path depth``, ``repeated segments``, ``query`` or ``calendar``.

    ``None`` for nearly all URLs. ``latest_year`` is the last year that a calendar may show.
    """
    path, _, query = url.partition("?")
    if path.count("/") > 5:
        segments = [segment for segment in path.split("/")[3:] if segment]
        if len(segments) > MAX_DEPTH:
            return "path depth"
        if len(segments) > MAX_REPEATS and _repeats(segments):
            return "repeated segments"
    if query and _explodes(query):
        return "query"
    return "calendar" if _is_absurd_date(path, query, latest_year) else None


def _repeats(segments: list[str]) -> bool:
    """A name, or two segments in a row, stand there too often; numbers alone may (``/0/0/0/0.png``)."""
    if len(segments) - len(set(segments)) < MAX_REPEATS:
        return False
    names = Counter(segment for segment in segments if not segment.isdigit())
    pairs = Counter(pairwise(segments))
    return max((*names.values(), *pairs.values()), default=0) > MAX_REPEATS


def _explodes(query: str) -> bool:
    if query.count("&") + query.count(";") < MAX_SAME_PARAMETER:
        return False
    names = [parameter.partition("=")[0] for parameter in re.split("[&;]", query)]
    return len(names) > MAX_PARAMETERS or max(Counter(names).values()) > MAX_SAME_PARAMETER


def _is_absurd_date(path: str, query: str, latest_year: int) -> bool:
    if query and (years := _QUERY_DATE.findall(query)):
        return any(not FIRST_YEAR <= int(year) <= latest_year for year in years)
    match = _PATH_DATE.search(path)
    if match is None:
        return False
    first = FIRST_YEAR
    if not _CALENDAR.search(path):
        match, first = _ARCHIVE_DATE.search(path), _FIRST_ARCHIVE_YEAR
    return match is not None and not first <= int(match.group(1)) <= latest_year


class TrapGuard:
    """Refuse URLs that are traps by themselves, and those that differ in numbers or query values only, when too many.

    Every URL has a template: its path with numbers and session ids blanked, and the names of its
    parameters. Memory is bounded: templates and URLs that were not asked about for longest are
    forgotten, a template that is full keeps no URLs.

    Args:
        max_queries: URLs of one template with a query. 5,000: larger boards exist, but their
            first 5,000 pages hold what a crawl of a language needs.
        max_shapes: sets of parameter names on one path. 100: wikis have about 50; filters of n
            kinds have 2ⁿ.
        max_dates: URLs of one template that is a date. 1,000: three years of days, eighty of months.
        max_templates: templates remembered.
        max_urls: URLs remembered over all templates, about 100 bytes each.
        latest_year: the last year that a calendar may show.
    """

    def __init__(
        self,
        *,
        max_queries: int = 5_000,
        max_shapes: int = 100,
        max_dates: int = 1_000,
        max_templates: int = 20_000,
        max_urls: int = 200_000,
        latest_year: int = LAST_YEAR,
    ) -> None:
        self.max_queries = max_queries
        self.max_shapes = max_shapes
        self.max_dates = max_dates
        self.max_templates = max_templates
        self.max_urls = max_urls
        self.latest_year = latest_year
        self._members: OrderedDict[str, set[int] | None] = OrderedDict()
        """By template the hashes of its URLs; ``None``: full."""
        self._size = 0

    def admit(self, url: str, host: str) -> str | None:
        """Take in a canonical URL of ``host``; ``None``, or the reason to refuse it.

        Reasons are those of :func:`trap_reason`, and ``query explosion``. Asking again about a URL
        counts once. When a template is full, its URLs are refused, also those taken in before.
        """
        if reason := trap_reason(url, latest_year=self.latest_year):
            return reason
        path, _, query = url.partition("?")
        is_date = _PATH_DATE.search(path) is not None or (bool(query) and _QUERY_DATE.search(query) is not None)
        if not query and not is_date:
            return None
        place = host + _DIGITS.sub("0", _SESSION.sub(";", path[path.find("/", 8) :]))
        if not query:
            return None if self._count(place, url, self.max_dates) else "calendar"
        shape = "&".join(sorted({parameter.partition("=")[0] for parameter in query.split("&")}))
        if not self._count(place + "?", shape, self.max_shapes):
            return "query explosion"
        if self._count(f"{place}?{shape}", url, self.max_dates if is_date else self.max_queries):
            return None
        return "calendar" if is_date else "query explosion"

    def _count(self, template: str, member: str, most: int) -> bool:
        """Add a member to a template; ``False`` when it is full."""
        members = self._members.setdefault(template, set())
        self._members.move_to_end(template)
        if members is None:
            return False
        key = xxhash.xxh3_64_intdigest(member.encode("utf-8", "replace"))
        if key not in members:
            members.add(key)
            self._size += 1
            if len(members) > most:
                self._members[template] = None
                self._size -= len(members)
            self._forget()
        return len(members) <= most

    def _forget(self) -> None:
        """Drop the templates that were not asked about for longest, until the bounds hold."""
        while len(self._members) > self.max_templates or self._size > self.max_urls:
            _, members = self._members.popitem(last=False)
            self._size -= len(members) if members is not None else 0
