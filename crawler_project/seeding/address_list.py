"""Addresses one a line, with comments."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from crawler_project.core.urls import MAX_URL_LENGTH, UrlParts, canonical_url
from crawler_project.seeding.damage import Damage
from crawler_project.seeding.seed_row import SeedRow

_COMMENT = re.compile(r"(?:^|\s)#.*")
"""A ``#`` inside an address is its fragment."""
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:(?!\d+(?:/|$))")
"""``example.kr:8080`` is a host and a port, not an address of the scheme ``example.kr``."""
_SPACE = re.compile(r"\s")


def read_address_list(lines: Iterable[str], source: str, damage: Damage) -> Iterator[SeedRow]:
    """Read a list; an address without a scheme gets ``http://``. Lines that are no address go to ``damage``."""
    for number, line in enumerate(lines, 1):
        text = _COMMENT.sub("", line).strip()
        if text:
            address = parse_address(text)
            if isinstance(address, UrlParts):
                yield SeedRow(address.url, source=source)
            else:
                damage.skip(source, f"line {number}", text, address)


def parse_address(text: str) -> UrlParts | str:
    """Give the canonical address that ``text`` is, or why it is none."""
    if len(text) > MAX_URL_LENGTH:
        return f"longer than {MAX_URL_LENGTH} characters"
    if _SPACE.search(text):
        return "white space inside the address"
    if "\ufffd" in text:
        return "not UTF-8"
    parts = canonical_url(text if _SCHEME.match(text) else f"http://{text}")
    if parts is None:
        return "not an http or https address"
    return parts if "." in parts.host or parts.host.startswith(("localhost", "[")) else "a host needs a dot"
