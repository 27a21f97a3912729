"""Letters of a text by script: the cheapest and often the only evidence of a language."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt


class Script(NamedTuple):
    """A script and the code points of its letters (Unicode blocks, digits left out)."""

    name: str
    ranges: tuple[tuple[int, int], ...]
    language: str = ""
    """The one language that is written in it; empty when there are several."""


NOTHING: Final = 0
"""Index of what is no letter: digits, punctuation, symbols."""
TROUBLE: Final = 1
"""Index of what language detectors choke on: control characters, noncharacters, surrogates."""
LATIN: Final = 2
HAN: Final = 3
KANA: Final = 4
HANGUL: Final = 5

SCRIPTS: Final[tuple[Script, ...]] = (
    Script("nothing", ()),
    Script("trouble", ((0x00, 0x08), (0x0B, 0x1F), (0x7F, 0x9F), (0xD800, 0xDFFF), (0xFDD0, 0xFDEF))),
    Script(
        "Latin",
        ((0x41, 0x5A), (0x61, 0x7A), (0xAA, 0xAA), (0xBA, 0xBA), (0xC0, 0xD6), (0xD8, 0xF6), (0xF8, 0x2AF),
         (0x1E00, 0x1EFF), (0xFF21, 0xFF3A), (0xFF41, 0xFF5A)),
    ),
    Script("Han", ((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3FFFD), (0x3005, 0x3005))),
    Script("Kana", ((0x3041, 0x3096), (0x30A1, 0x30FA), (0x31F0, 0x31FF), (0xFF66, 0xFF6F), (0xFF71, 0xFF9D)), "ja"),
    Script("Hangul", ((0xAC00, 0xD7A3), (0x1100, 0x11FF), (0x3131, 0x318E)), "ko"),
    Script("Thai", ((0x0E01, 0x0E3A), (0x0E40, 0x0E4E)), "th"),
    Script("Lao", ((0x0E81, 0x0ECD), (0x0EDC, 0x0EDF)), "lo"),
    Script("Khmer", ((0x1780, 0x17D3),), "km"),
    Script("Armenian", ((0x0531, 0x0556), (0x0561, 0x0587)), "hy"),
    Script("Gurmukhi", ((0x0A01, 0x0A5E), (0x0A70, 0x0A75)), "pa"),
    Script("Gujarati", ((0x0A81, 0x0AE3),), "gu"),
    Script("Oriya", ((0x0B01, 0x0B63),), "or"),
    Script("Tamil", ((0x0B82, 0x0BD7),), "ta"),
    Script("Telugu", ((0x0C00, 0x0C63),), "te"),
    Script("Kannada", ((0x0C80, 0x0CE3),), "kn"),
    Script("Malayalam", ((0x0D00, 0x0D63),), "ml"),
    Script("Sinhala", ((0x0D81, 0x0DF3),), "si"),
    Script("Thaana", ((0x0780, 0x07B1),), "dv"),
    Script("Greek", ((0x0370, 0x03FF), (0x1F00, 0x1FFF))),
    Script("Cyrillic", ((0x0400, 0x052F),)),
    Script("Hebrew", ((0x05D0, 0x05F2),)),
    Script("Arabic", ((0x0620, 0x065F), (0x066E, 0x06DC), (0x0750, 0x077F), (0xFB50, 0xFDCF), (0xFE70, 0xFEFC))),
    Script("Devanagari", ((0x0900, 0x0963),)),
    Script("Bengali", ((0x0980, 0x09E3),)),
    Script("Myanmar", ((0x1000, 0x103F),)),
    Script("Georgian", ((0x10A0, 0x10FF),)),
    Script("Ethiopic", ((0x1200, 0x137F),)),
    Script("Tibetan", ((0x0F00, 0x0FBC),)),
    Script("Mongolian", ((0x1820, 0x18AA),)),
    Script("Cherokee", ((0x13A0, 0x13FF),)),
    Script("Syriac", ((0x0710, 0x074F),)),
)  # fmt: skip
"""All scripts, in the order of their indices."""

_CODE_POINTS = 0x110000


def _table() -> bytes:
    table = bytearray(_CODE_POINTS)
    for index, script in enumerate(SCRIPTS):
        for first, last in script.ranges:
            table[first : last + 1] = bytes((index,)) * (last - first + 1)
    for plane in range(0x11):  # two noncharacters end each plane
        table[plane * 0x10000 + 0xFFFE : plane * 0x10000 + 0x10000] = bytes((TROUBLE, TROUBLE))
    return bytes(table)


SCRIPT_OF: Final = _table()
"""Index of the script by code point."""
_LOOKUP: Final[npt.NDArray[np.uint8]] = np.frombuffer(SCRIPT_OF, dtype=np.uint8)


def count_scripts(text: str) -> list[int]:
    """Count the characters of ``text`` by index of :data:`SCRIPTS`; 30 µs for 10,000 characters."""
    code_points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    counts: list[int] = np.bincount(_LOOKUP[code_points], minlength=len(SCRIPTS)).tolist()
    return counts
