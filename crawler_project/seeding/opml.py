"""OPML outlines: what feed readers and link collections export."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from crawler_project.core.urls import canonical_url
from crawler_project.seeding.damage import Damage
from crawler_project.seeding.seed_row import SeedRow, squeezed
from crawler_project.seeding.sitemap import clear, local_name, parse_events

_ADDRESSES = ("htmlurl", "url", "xmlurl")
"""The page itself before its feed."""


def read_opml(chunks: Iterable[bytes], source: str, damage: Damage) -> Iterator[SeedRow]:
    """Read the outlines that have an address; those around them are the topic, parts separated by ``/``."""
    folders: list[str] = []
    number = 0
    for event, element in parse_events(chunks, ("start", "end"), source, damage):
        if local_name(element) != "outline":
            continue
        if event == "end":
            folders.pop()
            clear(element)
            continue
        values = {name.lower(): squeezed(value) for name, value in element.attrib.items()}
        number += 1
        address = next((values[name] for name in _ADDRESSES if values.get(name)), "")
        title = values.get("title") or values.get("text", "")
        if address:
            if parts := canonical_url(address):
                topic = "/".join(filter(None, folders)) or values.get("category", "")
                yield SeedRow(parts.url, title, values.get("description", ""), topic, source)
            else:
                damage.skip(source, f"outline {number}", address, "not an http or https address")
        folders.append("" if address else title.replace("/", "_"))
