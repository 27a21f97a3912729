"""Make ``han_bigrams.txt``, the table that tells Chinese from Japanese by Han characters alone.

Word frequencies come from wordfreq 3.1.1 (``large_ja``, ``large_zh``; data CC BY-SA 4.0). Its Chinese
is in simplified characters, so every word is counted again in traditional ones by OpenCC's
dictionaries (Apache-2.0). Unpack both wheels and give their folders; msgpack must be installed::

    python benchmarks/language_make_han_table.py WORDFREQ/wordfreq/data OPENCC/opencc/dictionary OUT
"""

from __future__ import annotations

import gzip
import math
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import msgpack

WORD = re.compile("[\u3400-\u9fff\u3005]{1,5}")
SMOOTHING = 3e-8
SIZE = 32_000


def read_words(path: Path) -> dict[str, float]:
    """Frequencies of the words that are all Han; the file lists them by steps of a centibel."""
    bins = msgpack.unpackb(gzip.decompress(path.read_bytes()), raw=False)[1:]
    return {word: 10 ** (-step / 100) for step, words in enumerate(bins) for word in words if WORD.fullmatch(word)}


def read_table(path: Path) -> dict[str, str]:
    """An OpenCC dictionary, first choices only."""
    pairs = (line.split("\t") for line in path.read_text(encoding="utf-8").splitlines() if "\t" in line)
    return {source: targets.split(" ")[0] for source, targets in pairs}


def convert(word: str, phrases: dict[str, str], characters: dict[str, str]) -> str:
    """Convert ``word`` by its longest phrases, then by characters."""
    out, at = "", 0
    while at < len(word):
        for length in range(len(word) - at, 1, -1):
            if (piece := word[at : at + length]) in phrases:
                out += phrases[piece]
                at += length
                break
        else:
            out += characters.get(word[at], word[at])
            at += 1
    return out


def is_shared(bigram: str) -> bool:
    """Whether both languages' character sets can write it: the rest is decided before the table is asked."""

    def fits(encoding: str) -> bool:
        return bigram.encode(encoding, "ignore").decode(encoding) == bigram

    return fits("cp932") and (fits("gb2312") or fits("cp950"))


def bigrams(word: str) -> Iterator[str]:
    """Pairs of neighbours, with ``^`` and ``$`` for the ends."""
    padded = f"^{word}$"
    return (padded[i : i + 2] for i in range(len(padded) - 1))


def main(words: Path, dictionaries: Path, out: Path) -> None:
    """Count, compare and write the bigrams that tell most."""
    phrases, characters = read_table(dictionaries / "STPhrases.txt"), read_table(dictionaries / "STCharacters.txt")
    taiwan = read_table(dictionaries / "TWPhrases.txt"), read_table(dictionaries / "TWVariants.txt")
    japanese: Counter[str] = Counter()
    for word, frequency in read_words(words / "large_ja.msgpack.gz").items():
        for bigram in bigrams(word):
            japanese[bigram] += frequency
    chinese: Counter[str] = Counter()
    for word, frequency in read_words(words / "large_zh.msgpack.gz").items():
        traditional = convert(word, phrases, characters)
        for form, weight in ((word, 0.5), (traditional, 0.25), (convert(traditional, *taiwan), 0.25)):
            for bigram in bigrams(form):
                chinese[bigram] += frequency * weight
    of_chinese, of_japanese = chinese.total(), japanese.total()
    gains: list[tuple[float, float, str]] = []
    for bigram in set(chinese) | set(japanese):
        c, j = chinese[bigram] / of_chinese, japanese[bigram] / of_japanese
        value = math.log((c + SMOOTHING) / (j + SMOOTHING))
        if abs(value) >= 0.5 and is_shared(bigram):
            gains.append((max(c, j) * abs(value), value, bigram))
    by_value: dict[int, list[str]] = defaultdict(list)
    for _, value, bigram in sorted(gains, reverse=True)[:SIZE]:
        by_value[round(value * 2)].append(bigram)
    lines = [f"{value / 2:g}\t{''.join(sorted(by_value[value]))}\n" for value in sorted(by_value)]
    out.write_text("".join(lines), encoding="utf-8")
    sys.stdout.write(f"{min(SIZE, len(gains))} of {len(gains)} bigrams, {out.stat().st_size} bytes\n")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:4]))
