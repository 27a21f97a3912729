"""Agreement of a page judge with the labels of a recorded web, by language, and what it costs.

    CRAWLER_DATA=FOLDER python benchmarks/language_pages.py [--judge combined] [--flat] [--all]

The folder holds ``web-a/pages.jsonl.zst`` (lines with ``url``, ``html``, ``charset``, ``text_lang``, ``lang``).
Labels are of the prose without code and menus. ``--flat`` turns the menus' ``<nav>``, ``<header>`` and
``<footer>`` into ``<div>``, as they are on much of the web. ``--all`` takes every label, not the eight.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import re
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import zstandard

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from crawler_project.core.target import Target
from crawler_project.core.values import Page, Relevance
from crawler_project.page.parse import parse_page
from crawler_project.relevance.language.codes import language_code
from crawler_project.relevance.language.judges import make_language_judge
from crawler_project.relevance.language.page_text import text_to_judge

LANGUAGES = ("ko", "ja", "zh", "th", "en", "vi", "ru", "fr")
ROOF = re.compile(r"<(/?)(?:nav|header|footer|aside|main)\b")


def read_rows(path: Path) -> Iterator[dict[str, Any]]:
    """Rows of a recorded collection."""
    with path.open("rb") as file:
        stream = zstandard.ZstdDecompressor(max_window_size=1 << 27).stream_reader(file)
        yield from map(json.loads, io.TextIOWrapper(stream, encoding="utf-8"))


def cause(row: dict[str, Any], page: Page, found: Relevance) -> str:
    """Sort a disagreement by what can be seen from outside."""
    declared = language_code(row["lang"])
    if sum(map(str.isalpha, text_to_judge(page))) < 150:
        return "hardly any prose (under 150 letters)"
    if found.label == declared and row["text_lang"] == "en":
        return "mixed page: answer and declaration agree, label counts the Latin letters (half translated, names, checksums)"
    if found.label == declared:
        return "answer and declaration agree, label says a related language"
    if row["text_lang"] == declared:
        return "label and declaration agree: the answer is wrong"
    return "answer, label and declaration all differ"


def main() -> None:
    """Judge every labelled page and print the agreement."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=os.environ.get("CRAWLER_DATA"))
    parser.add_argument("--judge", default="combined")
    parser.add_argument("--model")
    parser.add_argument("--flat", action="store_true")
    parser.add_argument("--all", action="store_true")
    options = parser.parse_args()
    if options.data is None:
        parser.error("set CRAWLER_DATA or --data to the folder that holds web-a")
    judge = make_language_judge(options.judge, Target(frozenset({"ko"}), frozenset({"kr"})), options.model)
    right: Counter[str] = Counter()
    total: Counter[str] = Counter()
    wrong: dict[str, list[str]] = defaultdict(list)
    parsing = judging = 0.0
    for row in read_rows(Path(options.data) / "web-a" / "pages.jsonl.zst"):
        label = row["text_lang"]
        if label is None or (label not in LANGUAGES and not options.all):
            continue
        html = ROOF.sub(r"<\1div", row["html"]) if options.flat else row["html"]
        started = time.process_time()
        page = parse_page(html.encode(row["charset"], "xmlcharrefreplace"), row["url"], content_type="text/html")
        parsed = time.process_time()
        found = judge.judge(page)
        judging += time.process_time() - parsed
        parsing += parsed - started
        total[label] += 1
        right[label] += found.label == label
        if found.label != label:
            wrong[cause(row, page, found)].append(f"{label} → {found.label} ({found.evidence})  {row['url']}")
    for label in sorted(total, key=lambda code: -total[code]):
        print(f"{label:6} {right[label]:5} of {total[label]:5}  {right[label] / total[label]:7.2%}")
    micro = right.total() / total.total()
    macro = sum(right[label] / total[label] for label in total) / len(total)
    print(f"micro {micro:.2%}, macro {macro:.2%} of {total.total()} pages; judge {options.judge}")
    print(f"CPU a page: judging {judging / total.total() * 1e3:.3f} ms, parsing {parsing / total.total() * 1e3:.3f} ms")
    for name, lines in sorted(wrong.items(), key=lambda item: -len(item[1])):
        print(f"\n{len(lines)} × {name}")
        print("\n".join(f"  {line}" for line in lines))


if __name__ == "__main__":
    main()
