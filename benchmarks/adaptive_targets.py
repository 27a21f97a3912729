"""The strategy that learns on many small real targets: words on the pages of ``web-a``, by which its constants were chosen.

    CRAWLER_DATA=FOLDER python benchmarks/adaptive_targets.py [--words 12,8,10]

A target is the pages that have a word: so many English words of texts, words of any texts, and words of titles, drawn once and for all. Each crawl
begins on every host at the target page with the shortest address. Prints the mean coverage of the best published strategy and of ``adaptive``, as
``adaptive_real.py`` measures it.
"""

from __future__ import annotations

import argparse
import os
import random
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
from adaptive import targets_after
from adaptive_real import STRATEGIES, area, seen_as, with_texts

from crawler_project.simulator.simulator import Simulator
from crawler_project.simulator.web import Web
from crawler_project.simulator.web_texts import WebTexts
from crawler_project.strategies import make_strategy

WORD = re.compile(r"[a-z]{4,}|[가-힣]{2,}|[ぁ-んァ-ヶー一-龯]{2,4}")
Pages = Mapping[str, set[int]]


class Kind(NamedTuple):
    """Words of one kind that may be drawn."""

    name: str
    pages: Pages
    least: int
    """Pages with the word."""
    most: int
    hosts: int
    """That have one at least."""


def draw(kind: Kind, web: Web, count: int, seed: int) -> list[str]:
    fit = [
        word
        for word, found in sorted(kind.pages.items())
        if kind.least <= len(found) <= kind.most and len(np.unique(web.hosts[list(found)])) >= kind.hosts
    ]
    random.Random(seed).shuffle(fit)
    return fit[:count]


def targets(web: Web, texts: WebTexts, counts: tuple[int, ...]) -> Iterator[tuple[str, str, set[int]]]:
    in_text, in_title = defaultdict[str, set[int]](set), defaultdict[str, set[int]](set)
    for page, text in enumerate(texts.texts.take(texts.pages).to_pylist()):
        for found, part in ((in_text, str(text)), (in_title, str(text).partition("\n")[0])):
            for word in set(WORD.findall(part.lower())):
                found[word].add(page)
    english = {word: found for word, found in in_text.items() if word.isascii()}
    kinds = (
        Kind("english", english, 80, 500, 6),
        Kind("any", in_text, 80, 500, 6),
        Kind("title", in_title, 40, 400, 3),
    )
    for seed, (kind, count) in enumerate(zip(kinds, counts, strict=True), 1):
        for word in draw(kind, web, count, seed):
            yield kind.name, word, kind.pages[word]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--words", default="12,8,10")
    counts = tuple(map(int, parser.parse_args().words.split(",")))
    web, texts = with_texts(Path(os.environ["CRAWLER_DATA"]) / "web-a/pages.jsonl.zst", "topic")
    means = defaultdict[str, list[tuple[float, float]]](list)
    for kind, word, pages in targets(web, texts, counts):
        of_word = seen_as(web, texts, word, np.isin(np.arange(web.n_pages), list(pages)))
        reached = list(Simulator(of_word, make_strategy("control")).run())
        found = int(of_word.is_target[reached].sum())
        areas = {
            str((name, options)): area(targets_after(Simulator(of_word, make_strategy(name, **options)), len(reached)), found)
            for name, options in STRATEGIES
            if name != "perfect"
        }  # fmt: skip
        ours = areas.pop(str(("adaptive", {})))
        means[kind].append((max(areas.values()), ours))
        print(f"{kind} {word}: {len(reached)} pages, {found} on target, published {max(areas.values()):.3f}, adaptive {ours:.3f}", flush=True)  # fmt: skip
    for kind, pairs in means.items():
        published, ours = np.mean(pairs, axis=0)
        ahead = sum(own >= other for other, own in pairs)
        print(f"{kind}: published {published:.3f}, adaptive {ours:.3f}, ahead on {ahead} of {len(pairs)}")


if __name__ == "__main__":
    main()
