"""How many documents are decoded as their true charset gives them, by charset and by what is declared.

    CRAWLER_DATA=FOLDER python benchmarks/page_encodings.py [--wrong LABEL …]

The folder holds ``encodings-a/documents.jsonl.zst``: lines with ``encoding``, ``body_b64``, ``kind`` and
``host``. The documents' own declarations are blanked first; then header and meta tag are given, each
right, wrong (every ``--wrong`` label in turn that is not right) or not at all. A document counts as
right when *all* of its text equals the text of the true charset, decoded as browsers decode it.
"""

from __future__ import annotations

import argparse
import base64
import codecs
import io
import json
import os
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import zstandard

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from crawler_project.page.charset import decode
from crawler_project.page.whatwg import codec_of, decode_as

_DECLARATION = re.compile(rb"(?:encoding|charset)\s*=\s*[\"']?[\w-]+[\"']?")
_NOT_IN_STANDARD = {"EUC-TW", "Johab", "IBM855", "iso-2022-kr", "UTF-32", "UTF-32BE"}
"""Encodings that the WHATWG Encoding Standard does not decode (iso-2022-kr: to U+FFFD only)."""
_CODECS = {
    "MacRoman": "mac-roman", "MacCyrillic": "mac-cyrillic", "IBM855": "cp855", "Johab": "johab", "UTF-16BE": "utf-16-be",
    "UTF-16LE": "utf-16-le", "UTF-32BE": "utf-32-be", "iso-2022-kr": "iso2022_kr", "ascii": "ascii",
}  # fmt: skip
_WRONG = ("utf-8", "iso-8859-1", "euc-kr", "shift_jis", "gb2312", "windows-1251")


class Document(NamedTuple):
    """Bytes whose charset is known."""

    encoding: str
    body: bytes
    text: str
    tld: str

    @property
    def is_wide(self) -> bool:
        """In UTF-16 or UTF-32: a tag in ASCII cannot stand in it."""
        return self.encoding.upper().startswith(("UTF-16", "UTF-32"))


def read_documents(path: Path) -> Iterator[Document]:
    """Documents whose charset Python can decode, without their declarations."""
    with path.open("rb") as file:
        lines = io.TextIOWrapper(zstandard.ZstdDecompressor().stream_reader(file), encoding="utf-8")
        for line in lines:
            row = json.loads(line)
            encoding = row["encoding"]
            if encoding == "EUC-TW":  # no codec
                continue
            body = base64.b64decode(row["body_b64"])
            if not encoding.upper().startswith("UTF-"):
                body = _DECLARATION.sub(b"", body[:4096]) + body[4096:]
            yield Document(encoding, body, true_text(body, encoding), tld_of(row.get("host") or ""))


def true_text(body: bytes, encoding: str) -> str:
    """The text as a browser that was told the charset shows it."""
    if encoding.lower() in ("utf-16", "utf-32", "utf-8-sig"):
        return codecs.decode(body, encoding, "replace")
    codec = _CODECS.get(encoding) or codec_of(encoding)
    assert codec is not None
    return decode_as(body, codec)


def tld_of(host: str) -> str:
    """The TLD, where the host is really one (file names carry more)."""
    last = host.rpartition(".")[2]
    return last if last.isalpha() and last.islower() else ""


def is_right(document: Document, header: str, meta: str) -> bool:
    """Decode with these declarations; empty: none."""
    tag = f'<meta charset="{meta}">\n' if meta and not document.is_wide else ""
    content_type = f"text/html; charset={header}" if header else "text/html"
    mark = b"\xef\xbb\xbf" if document.body.startswith(b"\xef\xbb\xbf") else b""
    decoded = decode(mark + tag.encode() + document.body[len(mark) :], content_type, document.tld)
    return decoded.text == tag + document.text


def cases(document: Document, wrong: tuple[str, ...]) -> Iterator[tuple[str, str, str]]:
    """Name, header and tag of every way to declare."""
    right = document.encoding
    yield "nothing", "", ""
    yield "header right", right, ""
    yield "meta right", "", right
    yield "both right", right, right
    for label in wrong:
        if codec_of(label) != codec_of(right) and document.encoding != "ascii":
            yield "header wrong", label, ""
            yield "header wrong, meta right", label, right
            yield "meta wrong", "", label
            yield "header right, meta wrong", right, label
            yield "both wrong", label, label


def main() -> None:
    """Print the two tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=os.environ.get("CRAWLER_DATA"))
    parser.add_argument("--wrong", nargs="+", default=_WRONG)
    options = parser.parse_args()
    if options.data is None:
        parser.error("set CRAWLER_DATA or --data to the folder that holds encodings-a")
    documents = list(read_documents(Path(options.data) / "encodings-a" / "documents.jsonl.zst"))
    right: Counter[tuple[str, bool]] = Counter()
    total: Counter[tuple[str, bool]] = Counter()
    started = time.process_time()
    by_encoding: dict[str, Counter[str]] = {}
    for document in documents:
        supported = document.encoding not in _NOT_IN_STANDARD
        for case, header, meta in cases(document, tuple(options.wrong)):
            correct = is_right(document, header, meta)
            right[case, supported] += correct
            total[case, supported] += 1
            if case == "nothing":
                by_encoding.setdefault(document.encoding, Counter()).update(n=1, right=correct)
    decodings = total.total()
    seconds = time.process_time() - started
    print("nothing declared, TLD where known:")
    for encoding, counts in sorted(by_encoding.items(), key=lambda item: item[0].lower()):
        note = "   not in the WHATWG standard" if encoding in _NOT_IN_STANDARD else ""
        print(f"  {encoding:14} {counts['right']:3} of {counts['n']:3}{note}")
    print("\nby what is declared, encodings of the standard (others):")
    for case in dict.fromkeys(case for case, _ in total):
        mine, others = total[case, True], total[case, False]
        print(
            f"  {case:26} {right[case, True]:5} of {mine:5}  {right[case, True] / mine:7.2%}"
            f"   ({right[case, False]} of {others})"
        )
    print(f"\n{decodings} decodings, {seconds / decodings * 1e3:.2f} ms each")


if __name__ == "__main__":
    main()
