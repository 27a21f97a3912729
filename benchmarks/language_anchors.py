"""How often the language of an anchor text is told, and how fast.

    CRAWLER_DATA=FOLDER python benchmarks/language_anchors.py

Two sets: ``data/ui_labels.jsonl``, 147 labels of menus in each of ko, ja, th, vi, en and both writings of
zh; and the distinct anchors of ``web-a`` on pages whose prose is ko, ja, zh or th *and* declared so. An anchor
counts where its letters are of that language's script: Hangul (ko), Thai (th), Kana or Han (ja), Han and no
Kana (zh). Anchors that stand on pages of both ja and zh, and names of languages, are left out:
nobody can say which they are. What remains wrong in zh and ja are mostly quotes of the other language.
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
from pathlib import Path

import zstandard

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from crawler_project.page.parse import parse_page
from crawler_project.relevance.language.anchors import AnchorIdentifier, identify_anchor
from crawler_project.relevance.language.names import language_of_name

LABELS = Path(__file__).parent / "data" / "ui_labels.jsonl"
HAN, KANA, HANGUL, THAI = "[\u3400-\u9fff\uf900-\ufaff]", "[\u3041-\u30ff]", "[\uac00-\ud7a3]", "[\u0e01-\u0e5b]"
OWN = {"ko": HANGUL, "th": THAI, "ja": f"{KANA}|{HAN}", "zh": HAN}
FOREIGN = {
    "ko": f"{KANA}|{THAI}",
    "th": f"{KANA}|{HANGUL}|{HAN}",
    "ja": f"{HANGUL}|{THAI}",
    "zh": f"{KANA}|{HANGUL}|{THAI}",
}


def read_labels() -> dict[str, list[str]]:
    """Hand-written labels of menus."""
    labels: dict[str, list[str]] = defaultdict(list)
    for line in LABELS.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        labels[row["language"]].append(row["label"])
    return labels


def read_anchors(path: Path) -> tuple[dict[str, set[str]], list[tuple[str, str]]]:
    """Distinct anchors by language, and every anchor as it stands on the pages with the page's language."""
    anchors: dict[str, set[str]] = defaultdict(set)
    stream: list[tuple[str, str]] = []
    with path.open("rb") as file:
        reader = zstandard.ZstdDecompressor(max_window_size=1 << 27).stream_reader(file)
        for row in map(json.loads, io.TextIOWrapper(reader, encoding="utf-8")):
            language = row["text_lang"]
            page = parse_page(
                row["html"].encode(row["charset"], "xmlcharrefreplace"), row["url"], content_type="text/html"
            )
            texts = [link.anchor_text for link in page.links if link.anchor_text]
            stream += [(text, language or "") for text in texts]
            if language in OWN and row["lang"][:2] == language:
                own, foreign = re.compile(OWN[language]), re.compile(FOREIGN[language])
                anchors[language].update(
                    text
                    for text in texts
                    if own.search(text) and not foreign.search(text) and not language_of_name(text)
                )
    shared = anchors["ja"] & anchors["zh"]
    print(f"{len(shared)} anchors on pages of both ja and zh left out: {', '.join(sorted(shared)[:12])}, ...")
    anchors["ja"] -= shared
    anchors["zh"] -= shared
    anchors["ja, no kana"] = {text for text in anchors["ja"] if not re.search(KANA, text)}
    return anchors, stream


def show(name: str, sets: dict[str, list[str]] | dict[str, set[str]]) -> None:
    """Print the share that is told right without a prior, with the page's language and with wrong ones."""
    print(f"\n{name:16}{'number':>8}{'alone':>9}{'on own':>9}{'on en':>9}{'on ja':>9}{'on zh':>9}")
    for key, texts in sets.items():
        language = key.partition(",")[0]
        shares = []
        for page in ("", language, "en", "ja", "zh"):
            right = sum(identify_anchor(text, page).label == language for text in texts)
            shares.append(f"{right / len(texts):9.2%}")
        print(f"{key:16}{len(texts):8}" + "".join(shares))


def show_speed(stream: list[tuple[str, str]]) -> None:
    """Time the anchors as a crawl meets them."""
    distinct = list(dict.fromkeys(stream))
    identify_anchor("漢字")
    started = time.process_time()
    for text, language in distinct:
        identify_anchor(text, language)
    uncached = (time.process_time() - started) / len(distinct)
    identifier = AnchorIdentifier()
    started = time.process_time()
    for text, language in stream:
        identifier.judge_anchor(text, language)
    crawl = (time.process_time() - started) / len(stream)
    text, language = stream[0]
    identifier.judge_anchor(text, language)
    started = time.process_time()
    for _ in range(200_000):
        identifier.judge_anchor(text, language)
    cached = (time.process_time() - started) / 200_000
    kinds = Counter("ASCII" if text.isascii() else "other letters" for text, _ in distinct)
    print(f"\n{len(stream)} anchors, {len(distinct)} distinct ({dict(kinds)})")
    print(
        f"CPU an anchor: {uncached * 1e6:.1f} µs uncached, {cached * 1e6:.2f} µs cached, {crawl * 1e6:.2f} µs in page order"
    )


def main() -> None:
    """Print all tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=os.environ.get("CRAWLER_DATA"))
    options = parser.parse_args()
    show("labels of menus", read_labels())
    if options.data is None:
        print("set CRAWLER_DATA or --data to the folder that holds web-a for real anchors")
        return
    anchors, stream = read_anchors(Path(options.data) / "web-a" / "pages.jsonl.zst")
    show("real anchors", anchors)
    show_speed(stream)


if __name__ == "__main__":
    main()
