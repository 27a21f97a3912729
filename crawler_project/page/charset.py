"""The text of a body, whatever it claims to be written in.

The order was measured on real pages and feeds: byte order mark, valid UTF-8 (unless ISO-2022
escapes say that its ASCII is not), HTTP header, meta tag or XML declaration, guess. A header or
a tag is believed only as far as the bytes agree with it: lying ones are common (server
defaults, pages moved between hosts), and one lie loses the whole page.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from w3lib.encoding import read_bom

from crawler_project.page.guess import count_foreign, guess_codec, is_glued, sample_of
from crawler_project.page.whatwg import EXTRA_NAMES, LATIN, MULTI_BYTE, decode_as, header_codec, meta_codec, whatwg_name

MAX_BODY: Final = 5_000_000
"""Bytes that are decoded; the rest of a longer body is left out."""

_ISO_2022 = re.compile(rb"\x1b(?:\$\)C|\$[@B]|\([IJ])")
_ALONE = re.compile(r"(?<=[A-Za-z])[^\x00-\x7f](?![^\x00-\x7f])|(?<![^\x00-\x7f])[^\x00-\x7f](?=[A-Za-z])")
_HEAD: Final = 4096
# Bytes outside ASCII from which the guess is more often right than a declaration that contradicts it. Measured on
# messages in 30 languages: 1 to 4 % of guesses of fewer bytes are wrong without the TLD, under 1 % beyond; with it, half.
_EVIDENCE: Final = 32
_EVIDENCE_WITH_COUNTRY: Final = 16

# Equal but for a few signs: a page in the one is rightly declared as, or taken for, the other.
_KIN = (
    frozenset({"koi8-r", "koi8-u"}), frozenset({"cp1250", "iso8859-2", "iso8859-16"}), frozenset({"cp1253", "iso8859-7"}),
    frozenset({"cp1255", "iso8859-8"}), frozenset({"cp1257", "iso8859-13", "iso8859-4", "iso8859-10"}),
    frozenset({"cp1252", "iso8859-15", "iso8859-14"}), frozenset({"cp1254", "iso8859-3"}),
)  # fmt: skip
_NEVER_GUESSED = frozenset(
    {"mac-roman", "iso8859-3", "iso8859-10", "iso8859-14", "iso8859-15", "iso8859-16", "mac-cyrillic", *EXTRA_NAMES}
)


class Decoded(NamedTuple):
    """A body as text, and how that was decided."""

    text: str
    charset: str
    """WHATWG name, lower case."""
    source: str
    """``bom``, ``utf-8``, ``header``, ``meta`` or ``guess``."""
    declared: str = ""
    """What the header, else the tag, claims; empty: nothing, or nothing that is known."""


def decode(body: bytes, content_type: str = "", tld: str = "") -> Decoded:
    """Decode ``body``; ``tld`` (``kr``; may be empty) weighs in the guess. Never raises.

    What cannot be decoded becomes U+FFFD. At most :data:`MAX_BODY` bytes are looked at.
    """
    body = body[:MAX_BODY]
    header = header_codec(content_type)
    meta = None if header == "utf-8" else meta_codec(body)
    claim = header or meta
    declared = whatwg_name(claim) if claim else ""
    bom, mark = read_bom(body)
    if bom is not None and mark is not None:
        return Decoded(body[len(mark) :].decode(bom, "replace"), whatwg_name(bom), "bom", declared)
    if b"\0" in body[:_HEAD] and (wide := _wide_codec(body)):
        return Decoded(
            body.decode(wide, "replace"), whatwg_name(wide), "header" if wide == header else "guess", declared
        )
    if (escaped := _escaped_codec(body)) is None:
        text = _utf8(body, claimed="utf-8" in (header, meta))
        if text is not None:
            return Decoded(text, "utf-8", "utf-8", declared)
    codec, source = _choose(body, escaped, header, tld)
    return Decoded(decode_as(body, codec), whatwg_name(codec), source, declared)


def _wide_codec(body: bytes) -> str | None:
    """Tell UTF-16 and UTF-32 without a mark by where the zeros of ASCII characters stand."""
    head = body[: _HEAD - _HEAD % 4 if len(body) >= _HEAD else len(body) - len(body) % 4]
    zeros = [head[place::4].count(0) for place in range(4)]
    quads = len(head) // 4 or 1
    if zeros[2] + zeros[3] >= 1.9 * quads and zeros[0] < 0.1 * quads:
        return "utf-32-le"
    if zeros[0] + zeros[1] >= 1.9 * quads and zeros[3] < 0.1 * quads:
        return "utf-32-be"
    even, odd = zeros[0] + zeros[2], zeros[1] + zeros[3]
    # Text in Chinese has few ASCII characters, so few zeros; but then it is no UTF-8 either.
    least = (0.4 if _is_valid_utf8(head) else 0.04) * quads
    codec = (
        "utf-16-le" if odd >= least and odd > 10 * even else "utf-16-be" if even >= least and even > 10 * odd else ""
    )
    return codec if codec and head.decode(codec, "replace").count("\ufffd") <= 1 else None


def _is_valid_utf8(head: bytes) -> bool:
    """The beginning of a body, so perhaps cut within a character."""
    return "\ufffd" not in head.decode("utf-8", "replace").removesuffix("\ufffd")


def _escaped_codec(body: bytes) -> str | None:
    """Tell ISO-2022, which hides in ASCII behind escape sequences."""
    if b"\x1b" not in body or not body.isascii():
        return None
    match = _ISO_2022.search(body)
    return None if match is None else "iso2022_kr" if match.group() == b"\x1b$)C" else "iso2022_jp"


def _utf8(body: bytes, *, claimed: bool) -> str | None:
    """Decode what is UTF-8, also with a few broken characters or cut within one; else ``None``."""
    try:
        return body.decode()
    except UnicodeDecodeError as error:
        start = error.start
    # Most such bodies are in no UTF-8 at all: a look around the first error spares decoding them twice.
    text = ""
    for part, cut in ((body[max(0, start - _HEAD) : start + _HEAD], 2), (body, 0)):
        text = part.decode("utf-8", "replace")
        broken = text.count("\ufffd")
        whole = len(text) - (len(part) - count_foreign(part)) - broken
        if broken - cut > (whole if claimed else whole // 10):
            return None
    return text


def _choose(body: bytes, escaped: str | None, header: str | None, tld: str) -> tuple[str, str]:
    """Weigh header, tag and guess for a body that is not UTF-8: the codec and where it comes from."""
    claims = [
        (codec, source) for codec, source in ((header, "header"), (meta_codec(body), "meta")) if codec is not None
    ]
    if escaped is not None:
        return escaped, next((source for codec, source in claims if codec == escaped), "guess")
    sample = sample_of(body)
    guess = guess_codec(sample, tld, [codec for codec, _ in claims])
    evidence = _EVIDENCE_WITH_COUNTRY if len(tld) == 2 else _EVIDENCE
    agreed = [claim for claim in claims if _agrees(claim[0], guess)]
    believable = (claim for claim in claims if _is_believable(claim[0], guess, sample, evidence))
    return agreed[0] if agreed else next(believable, (guess, "guess"))


def _agrees(codec: str, guess: str) -> bool:
    return codec == guess or any(codec in kin and guess in kin for kin in _KIN)


def _is_believable(codec: str, guess: str, sample: bytes, evidence: int) -> bool:
    """Tell whether a declared codec that contradicts the guess fits the bytes better."""
    if codec.startswith("utf-"):
        return False
    text = decode_as(sample, codec)
    glued = is_glued(sample)
    if glued and guess in LATIN and codec in MULTI_BYTE:
        return _is_clean(text, 1 / 8)  # the guess is impossible: so much is broken that chardetng gave up
    if glued if codec in LATIN else not _is_clean(text) or _is_mixed(text):
        return False
    return count_foreign(sample) < evidence or (codec in _NEVER_GUESSED and _reads_as_words(text))


def _is_clean(text: str, share: float = 1 / 50) -> bool:
    """At most this share of the characters outside ASCII are impossible ones."""
    foreign = [character for character in text if character > "\x7f"]
    return sum(character == "\ufffd" or character < "\xa0" for character in foreign) <= share * len(foreign)


def _is_mixed(text: str) -> bool:
    """Most characters outside ASCII stand alone within ASCII words: é is one, a syllable of Hangul is none."""
    foreign = sum(character > "\x7f" for character in text)
    return 2 * len(_ALONE.findall(text)) > foreign


def _reads_as_words(text: str) -> bool:
    """Most characters outside ASCII are letters, and not capitals: the wrong 8-bit charset gives signs and capitals."""
    foreign = [character for character in text if character > "\x7f"]
    return sum(character.isalpha() and not character.isupper() for character in foreign) >= 0.6 * len(foreign)
