"""Charsets by the names of the WHATWG Encoding Standard, decoded as browsers decode them.

The standard folds each legacy charset into the superset that pages really use (EUC-KR into
windows-949, GB2312 into GB18030, ISO-8859-1 into windows-1252 …); w3lib knows most of it.
Python's codecs do the work, with the two gaps filled that real pages fall into.
"""

from __future__ import annotations

import codecs
import re
import threading
from collections.abc import Callable, Mapping

from w3lib.encoding import html_body_declared_encoding, http_content_type_encoding, resolve_encoding

NAMES = {
    "utf-8": "utf-8", "utf-16-le": "utf-16le", "utf-16-be": "utf-16be", "cp866": "ibm866",
    "iso8859-2": "iso-8859-2", "iso8859-3": "iso-8859-3", "iso8859-4": "iso-8859-4", "iso8859-5": "iso-8859-5",
    "iso8859-6": "iso-8859-6", "iso8859-7": "iso-8859-7", "iso8859-8": "iso-8859-8", "iso8859-10": "iso-8859-10",
    "iso8859-13": "iso-8859-13", "iso8859-14": "iso-8859-14", "iso8859-15": "iso-8859-15", "iso8859-16": "iso-8859-16",
    "koi8-r": "koi8-r", "koi8-u": "koi8-u", "mac-roman": "macintosh", "cp874": "windows-874", "cp1250": "windows-1250",
    "cp1251": "windows-1251", "cp1252": "windows-1252", "cp1253": "windows-1253", "cp1254": "windows-1254",
    "cp1255": "windows-1255", "cp1256": "windows-1256", "cp1257": "windows-1257", "cp1258": "windows-1258",
    "mac-cyrillic": "x-mac-cyrillic", "gb18030": "gb18030", "big5hkscs": "big5", "euc_jp": "euc-jp",
    "iso2022_jp": "iso-2022-jp", "cp932": "shift_jis", "cp949": "euc-kr",
}  # fmt: skip
"""Python codec → name, for every encoding of the standard that a page may declare."""

EXTRA_NAMES = {
    "cp855": "ibm855", "cp437": "ibm437", "cp850": "ibm850", "cp852": "ibm852", "johab": "johab", "hz": "hz-gb-2312",
    "iso2022_kr": "iso-2022-kr", "utf-32-le": "utf-32le", "utf-32-be": "utf-32be",
}  # fmt: skip
"""Outside the standard, yet on old pages: browsers show them wrong, a crawler need not."""

LATIN = frozenset(
    {"cp1250", "cp1252", "cp1254", "cp1257", "cp1258", "mac-roman", "cp437", "cp850", "cp852"}
    | {f"iso8859-{part}" for part in (2, 3, 4, 10, 13, 14, 15, 16)}
)
"""Codecs of Latin letters: few bytes outside ASCII, hardly two in a row."""

# Labels of the standard that neither Python nor w3lib resolves.
_LABELS = {
    "iso-8859-8-i": "iso8859-8", "csiso88598i": "iso8859-8", "logical": "iso8859-8", "visual": "iso8859-8",
    "windows-949": "cp949", "x-windows-949": "cp949", "csksc56011987": "cp949", "iso-ir-149": "cp949", "ksc_5601": "cp949",
    "x-mac-cyrillic": "mac-cyrillic", "x-mac-ukrainian": "mac-cyrillic", "mac": "mac-roman", "x-mac-roman": "mac-roman",
    "dos-874": "cp874", "x-x-big5": "big5hkscs", "cn-big5": "big5hkscs", "x-gbk": "gb18030", "gb_2312": "gb18030",
    "iso-ir-58": "gb18030", "csiso58gb231280": "gb18030", "x-euc-jp": "euc_jp", "cseucpkdfmtjapanese": "euc_jp", "koi": "koi8-r",
    "koi8": "koi8-r", "koi8-ru": "koi8-u", "x-cp1250": "cp1250", "x-cp1251": "cp1251", "cp-1251": "cp1251",
    "x-cp1252": "cp1252", "sun_eu_greek": "iso8859-7", "unicode-1-1-utf-8": "utf-8", "utf8mb4": "utf-8", "unicode11utf8": "utf-8",
    "ansi_x3.4-1968": "cp1252", "x-sjis": "cp932", "x-johab": "johab",
}  # fmt: skip
_HEADER_LABEL = re.compile(r"charset\s*=\s*[\"']?\s*([\w:.-]+)", re.IGNORECASE)
_BODY_LABEL = re.compile(
    rb"<(?:meta\s[^<>]{0,300}?charset|\?xml\s[^<>]{0,100}?encoding)\s*=\s*[\"']?\s*([\w:.-]+)", re.IGNORECASE
)
_PRESCAN = 16_384
_NO_LEAD = frozenset({0x80, 0xFF})
# The euro sign of windows-936, which the standard reads in GBK and GB18030 too.
_ALONE = {("gb18030", b"\x80"): "€"}
# A call of an error handler costs 1 µs; with more errors the text is noise anyhow.
_MOST_CALLS = 20_000


def whatwg_name(codec: str) -> str:
    """Name the charset of a Python codec as the standard does, lower case."""
    return NAMES.get(codec) or EXTRA_NAMES.get(codec, codec)


def codec_of(label: str) -> str | None:
    """Find the codec that browsers use for a charset label; ``None`` for an unknown or unsafe one."""
    label = label.strip().lower()
    codec = _LABELS.get(label) or resolve_encoding(label)
    return codec if codec in NAMES or codec in EXTRA_NAMES else None


def header_codec(content_type: str) -> str | None:
    """Read the charset of a Content-Type header, as a codec."""
    if not content_type:
        return None
    codec = http_content_type_encoding(content_type)
    if codec is None and (match := _HEADER_LABEL.search(content_type)):
        return codec_of(match.group(1))
    return codec if codec in NAMES or codec in EXTRA_NAMES else None


def meta_codec(body: bytes) -> str | None:
    """Read the charset of a meta tag or XML declaration near the beginning, as a codec.

    UTF-16 and UTF-32 count as nothing: a tag that can be read as ASCII is not in them.
    """
    codec = html_body_declared_encoding(body)
    if codec is None and (match := _BODY_LABEL.search(body, 0, _PRESCAN)):
        codec = codec_of(match.group(1).decode("ascii", "replace"))
    if codec is None or codec.startswith(("utf-16", "utf-32")):
        return None
    return codec if codec in NAMES or codec in EXTRA_NAMES else None


def decode_as(body: bytes, codec: str) -> str:
    """Decode with ``codec`` as browsers do; what cannot be decoded becomes U+FFFD. Never raises."""
    if codec not in _EXTENSIONS:
        return body.decode(codec, "replace")
    _budget.calls = _MOST_CALLS
    try:
        return body.decode(codec, _handler_name(codec))
    except _TooManyErrors:
        return body.decode(codec, "replace")


class _TooManyErrors(Exception):  # noqa: N818
    """Raised by an error handler to leave the decoder."""


class _Budget(threading.local):
    """How often the error handlers may still be called in this thread's decoding."""

    calls = 0


_budget = _Budget()


def _handler_name(codec: str) -> str:
    return f"crawler_project.{codec}"


def _handler(extension: Callable[[bytes], str]) -> Callable[[UnicodeError], tuple[str, int]]:
    """Make the error handler that the Encoding Standard asks for.

    Lead and trail byte are one unknown character: Python skips only the lead, which reads all
    up to the next ASCII character one byte off. ASCII after a lead byte stays what it is.
    """

    def mend(error: UnicodeError) -> tuple[str, int]:
        assert isinstance(error, UnicodeDecodeError)
        _budget.calls -= 1
        if _budget.calls < 0:
            raise _TooManyErrors
        pair = error.object[error.start : error.start + 2]
        if len(pair) == 2 and pair[0] not in _NO_LEAD:
            if character := extension(pair):
                return character, error.start + 2
            if pair[1] >= 0x80:
                return "\ufffd", error.start + 2
        return _ALONE.get((error.encoding, pair[:1]), "\ufffd"), error.start + 1

    return mend


def _nothing(_pair: bytes) -> str:
    return ""


def _euc_jp_extension(pair: bytes) -> str:
    """NEC and IBM rows (①, ㈱, 髙): in windows-932 and in every browser's EUC-JP, not in Python's."""
    if pair[0] < 0xA1 or pair[1] < 0xA1:
        return ""
    row, cell = pair[0] - 0xA1, pair[1] - 0xA1
    lead = row // 2 + (0x81 if row < 62 else 0xC1)
    trail = cell + 0x9F if row % 2 else cell + (0x40 if cell < 63 else 0x41)
    return _single(bytes((lead, trail)), "cp932")


def _big5_extension(pair: bytes) -> str:
    """Characters of windows-950 that the Hong Kong set lacks, such as the euro sign."""
    return _single(pair, "cp950")


def _single(pair: bytes, codec: str) -> str:
    text = pair.decode(codec, "ignore")
    return text if len(text) == 1 and text > "\x7f" else ""


_EXTENSIONS: Mapping[str, Callable[[bytes], str]] = {
    "cp949": _nothing, "cp932": _nothing, "gb18030": _nothing, "euc_jp": _euc_jp_extension, "big5hkscs": _big5_extension,
}  # fmt: skip
MULTI_BYTE = frozenset(_EXTENSIONS)
"""Codecs of one or two bytes a character."""

for _codec, _extension in _EXTENSIONS.items():
    codecs.register_error(_handler_name(_codec), _handler(_extension))
