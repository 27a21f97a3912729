"""Every form of seed source under one roof: told by what a file holds, read as a stream."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from crawler_project.core.errors import ConfigurationError
from crawler_project.seeding.address_list import read_address_list
from crawler_project.seeding.bookmarks import read_bookmarks
from crawler_project.seeding.byte_source import open_chunks, recoded, split_head, text_lines
from crawler_project.seeding.clean_xml import declared_encoding, is_known_encoding
from crawler_project.seeding.csv_column import is_table, read_csv_column
from crawler_project.seeding.damage import Damage
from crawler_project.seeding.directory_rdf import read_directory
from crawler_project.seeding.opml import read_opml
from crawler_project.seeding.seed_row import SeedRow
from crawler_project.seeding.sitemap import read_sitemap
from crawler_project.seeding.web_archive import is_index, read_index, read_warc

FORMS: Final = {
    "dmoz": "DMOZ's content.rdf.u8",
    "list": "one address a line",
    "csv": "a table with a column of addresses",
    "sitemap": "a sitemap or sitemap index",
    "opml": "OPML",
    "bookmarks": "a browser's bookmark file",
    "warc": "WARC",
    "cdxj": "a CDXJ or CDX index",
}
"""Names of the forms, as ``--format`` takes them, and what each is."""
EXPECTED = f"expected {', '.join(FORMS.values())}; plain, gzip or zstd"
_BINARY = re.compile(rb"[\x00-\x06\x0e-\x1a]")
_ROOT = re.compile(rb"<(?:[A-Za-z]\w*:)?(urlset|sitemapindex|opml|rdf|externalpage|html)\b", re.IGNORECASE)
_TITLE = re.compile(rb"<title[^>]*>([^<]{1,200})", re.IGNORECASE)
_FORM_OF_ROOT = {"urlset": "sitemap", "sitemapindex": "sitemap", "opml": "opml", "rdf": "dmoz", "externalpage": "dmoz"}


def read_entries(
    names: Iterable[str], damage: Damage, *, form: str = "", column: str | None = None, encoding: str = ""
) -> Iterator[SeedRow]:
    """Read files one after the other; ``-`` is standard input.

    Args:
        damage: takes what is skipped and put right, and files that are of no use.
        form: one of :data:`FORMS`; empty: told by what each file holds.
        column: name or number of the column of addresses in a CSV file.
        encoding: of the files; empty: as they declare, else UTF-8.

    Raises:
        ConfigurationError: a file cannot be opened, a CSV file has no such column, an unknown ``form`` or ``encoding``.
    """
    if form and form not in FORMS:
        raise ConfigurationError(f"format={form!r} is unknown; choose one of {', '.join(FORMS)}")
    if encoding and not is_known_encoding(encoding):
        raise ConfigurationError(f"encoding={encoding!r} is unknown; give one such as utf-8, euc-kr, gb18030")
    for name in names:
        head, chunks = split_head(open_chunks(name, damage))
        found = encoding or declared_encoding(head)
        if found not in ("utf-8", "utf8") and is_known_encoding(found):
            head, chunks = split_head(recoded(chunks, found))
        yield from read_form(head, chunks, name, damage, form=form, column=column)


def read_form(
    head: bytes, chunks: Iterator[bytes], name: str, damage: Damage, *, form: str = "", column: str | None = None
) -> Iterator[SeedRow]:
    """Read one source in UTF-8 that begins with ``head``; see :func:`read_entries`."""
    form = form or ("csv" if column is not None and not _ROOT.search(head[:2_000]) else "")
    told, wrong = tell_form(head, name)
    if wrong and (form != "warc" or not head):
        damage.fault(name, wrong)
        return
    readers = {
        "dmoz": lambda: read_directory(chunks, name, damage),
        "list": lambda: read_address_list(text_lines(chunks), name, damage),
        "csv": lambda: read_csv_column(text_lines(chunks), name, column, damage),
        "sitemap": lambda: read_sitemap(chunks, name, damage),
        "opml": lambda: read_opml(chunks, name, damage),
        "bookmarks": lambda: read_bookmarks(chunks, name, damage),
        "warc": lambda: read_warc(chunks, name, damage),
        "cdxj": lambda: read_index(text_lines(chunks), name, damage),
    }
    yield from readers[form or told]()


def tell_form(head: bytes, name: str = "") -> tuple[str, str]:
    """Tell the form of a source by its first bytes: one of :data:`FORMS`, or ``""`` and why it is of no use."""
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if not start:
        return "", f"is empty; {EXPECTED}"
    if start.startswith(b"WARC/"):
        return "warc", ""
    if start.startswith(b"<") and not start.startswith((b"<http://", b"<https://")):
        return _form_of_markup(start)
    if _BINARY.search(head[:4_096]):
        return ("dmoz", "") if b"<ExternalPage" in head else ("", f"is no text; {EXPECTED}")
    lines = head[:8_192].decode("utf-8", "replace").removeprefix("\ufeff").splitlines() or [""]
    if is_index(lines[0]):
        return "cdxj", ""
    is_csv = name.lower().removesuffix(".gz").removesuffix(".zst").endswith((".csv", ".tsv")) or is_table(lines)
    return ("csv" if is_csv else "list"), ""


def _form_of_markup(start: bytes) -> tuple[str, str]:
    lower = start[:20_000].lower()
    if b"netscape-bookmark-file" in lower:
        return "bookmarks", ""
    if b"<externalpage" in lower:
        return "dmoz", ""
    root = _ROOT.search(start)
    if root and root[1].lower() != b"html":
        return _FORM_OF_ROOT[root[1].decode().lower()], ""
    if b"<dl" in lower and b"<dt" in lower and b"<a" in lower:
        return "bookmarks", ""
    if root or lower.startswith(b"<!doctype html"):
        title = _TITLE.search(start)
        said = f" ({' '.join(title[1].decode('utf-8', 'replace').split())!r})" if title else ""
        return "", f"is an HTML page{said}, perhaps an error of the server that it was fetched from; {EXPECTED}"
    return "", f"is XML or HTML of another form (it begins {start[:40].decode('utf-8', 'replace')!r}); {EXPECTED}"
