"""Make ``ngram_profiles.txt``, the Cavnar-Trenkle profiles of the judges ``ngram`` and ``charset_ngram``.

For the languages of ``sentences.jsonl.zst`` (lines with ``lang``, ``kind``, ``text``; sentences of the
Leipzig Corpora, CC BY, from the test data of lingua-py) n-grams are counted in running text; for others in
the word frequencies of wordfreq 3.1.1 (CC BY-SA 4.0), which amounts to the same, because words are
padded one by one. The Malay sentences are left out: most are Indonesian. msgpack must be installed::

    python benchmarks/language_make_profiles.py SENTENCES.jsonl.zst WORDFREQ/wordfreq/data OUT
"""

from __future__ import annotations

import gzip
import io
import json
import sys
from collections import Counter, defaultdict
from pathlib import Path

import msgpack
import zstandard

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from crawler_project.relevance.language.codes import language_code
from crawler_project.relevance.language.ngram import count_ngrams

SIZE = 400
LEFT_OUT = {"ms"}


def read_sentences(path: Path) -> dict[str, list[str]]:
    """Sentences by language."""
    sentences: dict[str, list[str]] = defaultdict(list)
    with path.open("rb") as file:
        for line in io.TextIOWrapper(zstandard.ZstdDecompressor().stream_reader(file), encoding="utf-8"):
            row = json.loads(line)
            if row["kind"] == "sentences" and row["lang"] not in LEFT_OUT:
                sentences[row["lang"]].append(row["text"])
    return sentences


def count_words(path: Path, words: int = 20_000) -> Counter[bytes]:
    """N-grams weighted by the frequency of their words; the file lists words by steps of a centibel."""
    bins = msgpack.unpackb(gzip.decompress(path.read_bytes()), raw=False)[1:]
    counts: Counter[bytes] = Counter()
    for step, bin_ in enumerate(bins):
        for word in bin_:
            for ngram, count in count_ngrams(word).items():
                counts[ngram] += round(count * 10 ** (9 - step / 100))
            words -= 1
        if words < 0:
            break
    return counts


def main(sentences: Path, words: Path, out: Path) -> None:
    """Count and write."""
    counts = {language: count_ngrams(" ".join(texts)) for language, texts in read_sentences(sentences).items()}
    for path in sorted(words.glob("small_*.msgpack.gz")):
        language = language_code(path.name.split("_")[1].split(".")[0])
        if language not in counts:
            counts[language] = count_words(path)
    lines = []
    for language in sorted(counts):
        ranked = sorted(counts[language].items(), key=lambda item: (-item[1], item[0]))[:SIZE]
        lines.append(f"{language}\t" + " ".join(ngram.decode("latin-1") for ngram, _ in ranked) + "\n")
    out.write_text("".join(lines), encoding="utf-8", newline="\n")
    sys.stdout.write(f"{len(lines)} profiles, {out.stat().st_size} bytes: {' '.join(sorted(counts))}\n")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:4]))
