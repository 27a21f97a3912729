"""AbstractURL: the class of a page within its site, read off its address.

Source: Li, Zhou, Guo and Lin 2006, section 3.2.2: ``[Path][File][names of the query attributes]``. The paper
leaves open how addresses are normalised; here escapes, dot segments and session marks are taken out first,
so that one page has one class however it is written. Never raises, whatever the text is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final
from urllib.parse import quote, unquote_to_bytes

from crawler_project.verification.generalised_segment import generalised_segment

SESSION_NAMES: Final = frozenset(
    {
        "jsessionid",
        "phpsessid",
        "phpsessionid",
        "sid",
        "sessid",
        "session",
        "sessionid",
        "session_id",
        "asp.net_sessionid",
        "cfid",
        "cftoken",
        "oscsid",
        "zenid",
        "xtcsid",
        "bbsessionid",
    }
)
"""Attributes that say who asks, not for what; compared in lower case."""

_PARTS = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]*:)?(?://[^/?#]*)?([^?#]*)(?:\?([^#]*))?")
"""RFC 3986, appendix B: path and query."""
_WHITE_SPACE = "".join(map(chr, range(0x21)))
_LINE_BREAKS = str.maketrans("", "", "\t\n\r")
_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_TO_NORMALISE = re.compile(r"%[0-9A-Fa-f]{2}|[^A-Za-z0-9._~!$&'()*+,;=:@-]")

Generalise = Callable[[str], str]


def literal_class(url: str) -> str:
    """Give the AbstractURL of ``url`` as the paper has it: ``/computers/result.asp?typeid`` (V1-V4)."""
    return _abstract(url, str)


def generalised_class(url: str) -> str:
    """Give the AbstractURL with its path segments generalised: ``/product/9780778328704`` is ``/product/{n}``.

    A departure from the paper: on sites that put the key of a page into its path every page would be a
    class of its own, and no page would say anything about another
    (:func:`~crawler_project.verification.generalised_segment.generalised_segment`).
    """
    return _abstract(url, generalised_segment)


CLASSES: Final[Mapping[str, Callable[[str], str]]] = {"literal": literal_class, "generalised": generalised_class}
"""The two ways to class an address, by name."""


def _abstract(url: str, generalise: Generalise) -> str:
    found = _PARTS.match(url.strip(_WHITE_SPACE).translate(_LINE_BREAKS))
    path, query = (found[1], found[2] or "") if found else ("", "")
    names = "&".join(sorted(set(_attribute_names(query))))
    return _abstract_path(path, generalise) + ("?" + names if names else "")


def _abstract_path(path: str, generalise: Generalise) -> str:
    segments = [_without_values(_normalised(segment)) for segment in path.replace("\\", "/").split("/")]
    kept = _without_dots(segments[1:] if segments[0] == "" else segments)
    return "/" + "/".join(_generalised(segment, generalise) for segment in kept)


def _without_dots(segments: list[str]) -> list[str]:
    """Remove dot segments (RFC 3986, 5.2.4); empty segments stay."""
    kept: list[str] = []
    for number, segment in enumerate(segments, 1):
        if segment == "..":
            del kept[-1:]
        if segment not in (".", ".."):
            kept.append(segment)
        elif number == len(segments):
            kept.append("")
    return kept


def _without_values(segment: str) -> str:
    """Keep the name of a segment and the names of its matrix parameters, those of sessions left out (V3)."""
    name, *parameters = segment.split(";")
    kept = [key for parameter in parameters if (key := parameter.partition("=")[0])]
    return ";".join([name, *(key for key in kept if key.lower() not in SESSION_NAMES)])


def _generalised(segment: str, generalise: Generalise) -> str:
    name, semicolon, parameters = segment.partition(";")
    return generalise(name) + semicolon + parameters


def _attribute_names(query: str) -> Iterator[str]:
    """Give the names of the attributes in one encoding, those of sessions left out (V1, V3)."""
    for attribute in query.split("&"):
        name = attribute.partition("=")[0].replace("+", " ")
        raw = unquote_to_bytes(name.encode("utf-8", "replace"))
        if raw and raw.decode("utf-8", "replace").lower() not in SESSION_NAMES:
            yield quote(raw, safe="")


def _normalised(segment: str) -> str:
    """Decode the escapes of unreserved characters, write the others in upper case, encode what is raw (V4)."""
    return _TO_NORMALISE.sub(_one_normalised, segment)


def _one_normalised(found: re.Match[str]) -> str:
    text = found[0]
    if len(text) == 3:
        byte = int(text[1:], 16)
        return chr(byte) if byte in _UNRESERVED else text.upper()
    return quote(text.encode("utf-8", "replace"), safe="")
