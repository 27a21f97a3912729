"""Which legacy charset are these bytes in, when nobody says so, or says so wrongly?

chardetng (the detector of Firefox) answers for the charsets that browsers guess. Two that it
does not know are added, because Russian and Bulgarian pages are in them: Mac Cyrillic and
IBM855; and Hungarian, which it takes for windows-1252 when the text is mostly English.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection
from typing import Final

from chardetng_py.detector import EncodingDetector
from w3lib.encoding import resolve_encoding

from crawler_project.page.whatwg import LATIN, MULTI_BYTE, decode_as

_RUN = re.compile(rb"[\x80-\xff][^<>\r\n]*+")
# Bytes below the digits are no part of a longer character in any legacy charset.
_APART = re.compile(rb"[\x00-\x2f]+")
_VOTER: Final = 24
_SAMPLE_RUN = 1_500
_SAMPLE_MOST = 65_536
_ENOUGH: Final = 800
_CYRILLIC = re.compile(r"[\u0400-\u045f]+")
_GLUED = re.compile(rb"[\x80-\xff]{4,}")
_ASCII = bytes(range(128))
_RARE_CYRILLIC = ("mac-cyrillic", "cp855")
_CYRILLIC_LOOKALIKES = frozenset({"cp1251", "koi8-u", "koi8-r", "cp866", "cp1252", "iso8859-5"})
_HUNGARIAN = frozenset("áéíóöőúüűÁÉÍÓÖŐÚÜŰ")
_FEW: Final = 4
_LETTER = re.compile(rb"[A-Za-z][\x80-\xff]|[\x80-\xff][A-Za-z\x80-\xff]")
"""A byte outside ASCII that touches a letter; a few that touch none are £, © or quotes in windows-1252."""
_WESTERN = frozenset({"cp1252", "cp1254", "iso8859-4", "cp1257"})


def sample_of(body: bytes) -> bytes:
    """Take the stretches of text that are not ASCII, a thousand bytes of them.

    chardetng costs 0.2 µs a byte outside ASCII, and a thousand such bytes decide. Neither ``<``
    and ``>`` nor line ends are part of a longer character in any legacy charset: cutting there is safe.
    """
    runs: list[bytes] = []
    size = foreign = 0
    for match in _RUN.finditer(body):
        # With the character before it: a letter there speaks for a Latin charset.
        start = max(match.start() - 1, 0)
        runs.append(body[start : min(match.end(), start + _SAMPLE_RUN)])
        size += len(runs[-1])
        foreign += count_foreign(runs[-1])
        if size > _SAMPLE_MOST or foreign > _ENOUGH:
            break
    return b"\n".join(runs)


def count_foreign(data: bytes) -> int:
    """Count the bytes outside ASCII."""
    return len(data.translate(None, _ASCII))


def is_glued(sample: bytes) -> bool:
    """Tell whether the bytes outside ASCII come in runs, as they never do in a Latin charset."""
    return sum(map(len, _GLUED.findall(sample))) * 2 > count_foreign(sample)


def guess_codec(sample: bytes, tld: str = "", declared: Collection[str] = ()) -> str:
    """Guess the codec of a sample of text that is not UTF-8; ``tld`` without a dot, may be empty.

    A first guess of several bytes a character that agrees with one of the ``declared`` codecs is not looked at twice.
    """
    label = _ascii_label(tld)
    codec = _detect(sample, label)
    if codec in MULTI_BYTE and codec in declared:
        return codec
    if is_glued(sample):
        codec = _vote(sample, label, codec)
        if codec in _CYRILLIC_LOOKALIKES:
            codec = _rare_cyrillic(sample, codec)
    if codec in _WESTERN and _is_hungarian(sample):
        return "cp1250"
    if count_foreign(sample) <= _FEW and not _LETTER.search(sample):
        return "cp1252"
    return codec


def _detect(sample: bytes, label: bytes | None) -> str:
    detector = EncodingDetector()
    detector.feed(sample, last=False)
    return resolve_encoding(detector.guess(tld=label, allow_utf8=False)) or "cp1252"


def _vote(sample: bytes, label: bytes | None, guess: str) -> str:
    """Ask about the parts of a sample; a multi-byte codec that clearly leads wins over the guess of the whole.

    One broken character makes chardetng rule the right charset out, and boards are full of
    titles that were cut in the middle of one.
    """
    votes: Counter[str] = Counter()
    part = b""
    for word in _APART.split(sample):
        part += word + b" "
        if count_foreign(part) >= _VOTER:
            votes[_detect(part, label)] += 1
            part = b""
    for latin in LATIN:
        del votes[latin]
    codec, most = votes.most_common(1)[0] if votes else (guess, 0)
    leads = most > max(2, 2 * votes[guess], votes.total() // 3)
    return codec if leads and codec in MULTI_BYTE else guess


def _ascii_label(tld: str) -> bytes | None:
    """The form that chardetng takes: lower case, ASCII, without dots."""
    label = tld.rpartition(".")[2].lower()
    try:
        return label.encode("idna") or None
    except UnicodeError:
        return None


def _rare_cyrillic(sample: bytes, guess: str) -> str:
    """Prefer Mac Cyrillic or IBM855 where they alone give words: small letters after at most one capital."""
    best, most = guess, max(_cyrillic_share(sample, guess) + 0.06, 0.8)
    for codec in _RARE_CYRILLIC:
        share = _cyrillic_share(sample, codec)
        if share > most:
            best, most = codec, share
    return best


def _cyrillic_share(sample: bytes, codec: str) -> float:
    """The share of characters outside ASCII that stand in words with sensible capitals, 0 to 1."""
    text = decode_as(sample, codec)
    foreign = sum(character > "\x7f" for character in text)
    words = _CYRILLIC.findall(text)
    return sum(len(word) for word in words if word[1:].islower() or word.isupper() or len(word) == 1) / (foreign or 1)


def _is_hungarian(sample: bytes) -> bool:
    letters = [
        character for character in sample.decode("cp1250", "replace") if character.isalpha() and character > "\x7f"
    ]
    return len(letters) >= 20 and "ő" in letters and _HUNGARIAN.issuperset(letters)
