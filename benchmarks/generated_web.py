"""A web for benchmarks: pages of about 30 KB with about 60 links, text and anchors from the demo collection.

The graph is random (half of the links stay on their host, repeats as in real menus); texts are
real sentences, so that language identification has real work.
"""

from __future__ import annotations

import io
import json
import random
from collections.abc import Iterator
from pathlib import Path

import zstandard
from selectolax.lexbor import LexborHTMLParser

DEMO = Path(__file__).resolve().parent.parent / "demo" / "pages.jsonl.zst"
PAGE_SIZE = 30_000
LINKS = 60


def sentences(limit: int = 400) -> dict[str, list[str]]:
    """Sentences of the demo collection by language (Korean and English)."""
    found: dict[str, list[str]] = {"ko": [], "en": []}
    with DEMO.open("rb") as file:
        lines = io.TextIOWrapper(zstandard.ZstdDecompressor().stream_reader(file), encoding="utf-8")
        for line in lines:
            page = json.loads(line)
            texts = found.get(page.get("text_lang") or "")
            if texts is None or len(texts) >= limit:
                continue
            tree = LexborHTMLParser(page["html"])
            texts += [text for node in tree.css("main p, p") if len(text := " ".join(node.text().split())) > 40]
    return found


def generated_pages(pages: int, hosts: int, seed: int = 0) -> Iterator[dict[str, str]]:
    """Records for `scrapy serve`; page k is on host k mod ``hosts``, the first page links to every host."""
    rng = random.Random(seed)
    texts = sentences()
    language = {number: "ko" if rng.random() < 0.6 else "en" for number in range(hosts)}
    urls = [f"http://host{k % hosts}.test/{'section' if k % 3 else 'docs'}/page-{k}.html" for k in range(pages)]
    titles = [rng.choice(texts[language[k % hosts]])[:24] for k in range(pages)]
    for k in range(pages):
        home = k % hosts
        near = [rng.randrange(pages // hosts) * hosts + home for _ in range(LINKS // 2)]
        far = [rng.randrange(pages) for _ in range(LINKS - len(near))]
        if k == 0:
            far = list(range(min(hosts, pages)))
        yield {
            "url": urls[k],
            "charset": "utf-8",
            "html": _html(rng, titles, urls, [k, *near, *far], texts[language[home]]),
        }


def _html(rng: random.Random, titles: list[str], urls: list[str], numbers: list[int], texts: list[str]) -> str:
    """The page of the first number, with links to the others."""
    k, *targets = numbers
    links = [
        f'<li class="item"><a class="nav-link" href="{urls[t]}" title="more">{titles[t]}</a></li>' for t in targets
    ]
    parts = [f'<!DOCTYPE html><html><head><meta charset="utf-8"><title>{titles[k]}</title>']
    parts.append("<style>.nav-link { color: #222; padding: 2px 4px }</style>" * 20)
    parts.append(f"</head><body><ul>{''.join(links)}</ul>")
    size = sum(map(len, parts))
    while size < PAGE_SIZE:
        parts.append(f'<div class="block"><p class="text">{rng.choice(texts)}</p></div>')
        size += len(parts[-1].encode())
    return "".join(parts) + "</body></html>"
