"""WARC files of other crawlers, and the indexes over them (CDX, CDXJ, Common Crawl's)."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Iterator
from typing import IO, Any, cast

from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType

from crawler_project.core.urls import canonical_url
from crawler_project.seeding.byte_source import ChunkFile
from crawler_project.seeding.damage import Damage
from crawler_project.seeding.seed_row import SeedRow, squeezed

_HEAD = 1 << 14
"""Bytes of a page in which its title is looked for."""
_TITLE = re.compile(rb"<title[^>]*>([^<]{1,2000})", re.IGNORECASE)
_HTML = ("text/html", "application/xhtml+xml")
_CDX_FIELDS = "N b a m s k r M S V g"
_CDXJ_LINE = re.compile(r"\S+ \d{4,14} \{")
_CDX_LINE = re.compile(r"\S+ \d{14} \S+ \S+ [\d-]+ ")


def read_warc(chunks: Iterator[bytes], source: str, damage: Damage) -> Iterator[SeedRow]:
    """Read the addresses of the HTML pages (status 200) in a WARC file, with their titles. Never raises."""
    number = 0
    try:
        archive = ArchiveIterator(
            cast("IO[bytes]", ChunkFile(chunks)), record_types=WarcRecordType.response, parse_http=True
        )
        for record in archive:
            number += 1
            if record.http_headers is None or record.http_headers.status_code != 200 or not _is_html(record):
                continue
            address = (record.headers.get("WARC-Target-URI") or "").strip("<>")
            if parts := canonical_url(address):
                yield SeedRow(parts.url, _title(record), source=source)
            else:
                damage.skip(source, f"record {number}", address, "not an http or https address")
    except (OSError, EOFError, ValueError, RuntimeError) as error:
        damage.fault(source, f"{error}; what came before is kept")
    if not number:
        damage.fault(source, "has no response record; expected a WARC file")


def read_index(lines: Iterable[str], source: str, damage: Damage) -> Iterator[SeedRow]:
    """Read the addresses of pages in a CDXJ, CDX or Common Crawl index (JSON lines).

    Only what was answered with 200 and is HTML, where the index says so.
    """
    fields = _CDX_FIELDS.split()
    for number, line in enumerate(lines, 1):
        if line.startswith(" CDX "):
            fields = line.split()[1:]
        elif line.strip() and not line.startswith("!"):
            record = _index_record(line, fields)
            parts = canonical_url(str(record.get("url") or "")) if record else None
            if parts is None:
                damage.skip(
                    source, f"line {number}", line, "no line of a CDX or CDXJ index with an http or https address"
                )
            elif _is_page(record):
                yield SeedRow(parts.url, source=source)


def is_index(line: str) -> bool:
    """Whether the first line of a text is one of an index."""
    if line.startswith("{"):
        return '"url"' in line
    return line.startswith((" CDX ", "!OpenWayback-CDXJ")) or bool(_CDXJ_LINE.match(line) or _CDX_LINE.match(line))


def _index_record(line: str, fields: list[str]) -> dict[str, Any]:
    begin = line.find("{")
    if begin >= 0 and (begin == 0 or _CDXJ_LINE.match(line)):
        try:
            record = json.loads(line[begin:])
        except (ValueError, RecursionError):
            return {}
        return record if isinstance(record, dict) else {}
    cells = dict(zip(fields, line.split(), strict=False))
    return {"url": cells.get("a"), "mime": cells.get("m"), "status": cells.get("s")}


def _is_page(record: dict[str, Any]) -> bool:
    status = str(record.get("status") or record.get("sc") or "200")
    mime = str(record.get("mime-detected") or record.get("mime") or "text/html")
    return status in ("200", "-") and (mime == "-" or mime.lower().startswith(_HTML))


def _is_html(record: WarcRecord) -> bool:
    return (record.http_content_type or "text/html").lower().startswith(_HTML)


def _title(record: WarcRecord) -> str:
    found = _TITLE.search(record.reader.read(_HEAD))
    if not found:
        return ""
    try:
        return squeezed(html.unescape(found[1].decode(record.http_charset or "utf-8")))
    except (LookupError, UnicodeDecodeError):
        return ""
