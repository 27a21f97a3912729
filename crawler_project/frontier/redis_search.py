"""Find one URL in a shard of a crawl in Redis; nothing is changed."""

from __future__ import annotations

from collections.abc import Sequence

from crawler_project.core.urls import url_hash
from crawler_project.core.values import Counts
from crawler_project.frontier.redis_crawl import as_float, as_text, as_whole
from crawler_project.frontier.redis_entries import decode_entry
from crawler_project.frontier.redis_scripts import LuaScripts
from crawler_project.frontier.whereabouts import DROPPED, UNKNOWN, Whereabouts


def find_in_redis(scripts: LuaScripts, url: str, host: str) -> Whereabouts:
    """Say what has become of a canonical URL of ``host``, by the scripts of its shard."""
    fields = scripts.call("find", (str(url_hash(url)), host.encode("utf-8", "replace")))
    return _whereabouts(host, fields) if fields else Whereabouts(UNKNOWN)


def _whereabouts(host: str, fields: Sequence[bytes]) -> Whereabouts:
    state, offset, pages, targets, *rest = fields
    where = f"host {host!r}"
    counts = Counts(as_whole(pages, where), as_whole(targets, where))
    found = Whereabouts(as_text(state), None, as_float(offset, where), counts=counts)
    if not rest or found.state == DROPPED:
        return found
    priority, reasons, header, record = rest
    entry = decode_entry(host, as_float(priority, where), header, record)
    return found._replace(entry=entry, reason=as_text(reasons).rpartition("\n")[2])
