"""Broken pages through ``parse_page``: exceptions (there must be none) and the slowest (none may take 1 s of CPU).

    python benchmarks/page_mutations.py [--pages 20000] [--seed 0] [--judge combined]

Each page is one of a few small ones, in one of many charsets, broken in one to four ways: bytes
flipped, cut, doubled or thrown in; 10,000 elements deep; a wrong charset declared; thousands of
attributes, links or unclosed elements; odd URLs; zeros; broken headers. With ``CRAWLER_DATA`` set
to a folder that holds ``web-a``, pages of that collection are broken as well. ``--judge`` sends
what comes out through a language judge, and the anchors through the anchor judge.
"""

from __future__ import annotations

import argparse
import io
import itertools
import json
import os
import random
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import zstandard

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from crawler_project.core.values import Page
from crawler_project.page import parse_page


class BrokenPage(NamedTuple):
    """The arguments of one call of ``parse_page``, and how they came about."""

    body: bytes
    url: str
    content_type: str
    headers: dict[str, str]
    history: tuple[str, ...]

    def parse(self) -> Page:
        """Parse it as the crawler would."""
        return parse_page(self.body, self.url, content_type=self.content_type, headers=self.headers)


PAGES = (
    """<!DOCTYPE html><html lang="ko"><head><meta charset="utf-8"><title>동네 도서관 안내</title>
<base href="/lib/"><link rel="canonical" href="index.html"><link rel="alternate" hreflang="en" href="/en/"></head>
<body><ul id="menu"><li><a href="hours.html">이용 시간</a><li><a href="books.html" title="책">새로 들어온 책</a></ul>
<p>평일에는 <b>아홉 시</b>부터 <a href="map?x=1&amp;y=2">도서관</a>에서 책을 빌릴 수 있습니다.<br>주말은 쉽니다.</p>
<img src="a.png" alt="입구 사진"><a href="gallery/"><img src="b.png" alt="사진첩"></a></body></html>""",
    """<html><head><title>山歩きの記録</title><meta name="robots" content="index,nofollow">
<meta http-equiv="refresh" content="30; url=next.html"></head><body bgcolor=#ffffff><table><tr><td><a href=index.html>目次</a>
<td><font size=2>秋の山は<i>静か</i>で、落ち葉を踏む音だけが聞こえた。</font><tr><td colspan=2><a href="#top">上へ</a></table>
<map name=m><area href=route.html alt="道のり"></map></body></html>""",
    """<html><frameset cols="20%,*"><frame src="menu.htm" title="เมนู"><frame src="main.htm"><noframes>
<body>หน้านี้ใช้เฟรม <a href="main.htm">ต่อไป</a></body></noframes></frameset></html>""",
    """<?xml version="1.0" encoding="UTF-8"?><html xmlns="http://www.w3.org/1999/xhtml" xml:lang="zh-Hant"><head><title>茶葉筆記
</title><script>if (a < b) { document.write("<a href='x'>"); }</script><style>p > a { color: red }</style></head><body><p>春天
採的茶葉<span>最香</span>，<a href="/tea?kind=oolong" rel="nofollow ugc">烏龍</a>與<a href="/tea?kind=green">綠茶</a>各有愛好者。
</p><svg><a xlink:href="/icon"><title>圖</title></a></svg><template><a href="/t">t</a></template></body></html>""",
    """<div><p>Сегодня в городе ярмарка: мёд, яблоки и <em>валенки</em>.<p><a href=//example.ru/fair>Подробнее</a>
<a href="javascript:void(0)">закрыть</a> <a href="mailto:a@example.ru">почта</a><form><select><option>да<option>нет</select></form>""",
)
CHARSETS = (
    "utf-8", "euc-kr", "cp949", "johab", "shift_jis", "euc-jp", "iso-2022-jp", "gb18030", "big5hkscs", "cp874", "koi8-r",
    "cp1251", "latin-1", "utf-16", "utf-16-le", "utf-32", "utf-7", "iso-2022-kr", "hz", "mac-cyrillic",
)  # fmt: skip
CLAIMS = (*CHARSETS, "", "windows-874", "x-user-defined", "rot13", "base64", "undefined", "none", "\ud800", "a" * 5000)
URLS = (
    "http://example.kr/a/b.html", "https://xn--3e0b707e.example/", "http://[::1]/", "", "not a url", "http://", "\0", "\ud800",
    "http://example.kr:99999/", "file:///etc/passwd", "http://example.kr/" + "x" * 5000, "http://ex ample/", "http://1.2.3/",
)  # fmt: skip
TARGETS = (
    "http://[", "//", "///", "http:///x", "http://a b/", "?" * 3000, "%zz%", "http://\u3000/", "\\\\host\\path", "http://x:y:z/",
    "javascript:alert(1)", "data:text/html,<a>", "http://user:pw@host/", "&#x110000;", "\ud834", "http://" + "a." * 400, "#", " ",
    "http://한국.kr/길?질문=답", "http://1e9999/", "tel:1", "\t\n/x", "http:x", "HTTP://EXAMPLE.KR:80/../..//a",
)  # fmt: skip
HEADERS = (
    {}, {"x-robots-tag": "none"}, {"x-robots-tag": "a: b: c,," * 50}, {"content-language": "ko-KR, en"}, {"content-language": "\0"},
    {"link": '</x>; rel="canonical", <' * 40}, {"link": "<" * 30_000}, {"link": '<http://[>; rel=alternate; hreflang="' + "z" * 999},
)  # fmt: skip
NESTED = (
    "div",
    "b",
    "a href=x",
    "table><tr><td",
    "ul><li",
    "span",
    "font color=red",
    "svg",
    "object",
    "p",
    "form",
    "ruby><rt",
    "x-y",
)
KINDS = (
    "text/html",
    "text/html; charset=",
    "text/html; charset=utf-8",
    "TEXT/PLAIN",
    "application/xhtml+xml",
    "",
    ";;;charset",
    "\0",
)

Breaker = Callable[[random.Random, bytes], bytes]


def _slice(rng: random.Random, body: bytes) -> tuple[int, int]:
    start = rng.randrange(len(body) + 1)
    return start, min(len(body), start + rng.randrange(1, 400))


def flip(rng: random.Random, body: bytes) -> bytes:
    broken = bytearray(body)
    for _ in range(rng.choice((1, 10, 300))):
        if broken:
            broken[rng.randrange(len(broken))] = rng.randrange(256)
    return bytes(broken)


def cut(rng: random.Random, body: bytes) -> bytes:
    return body[: rng.randrange(len(body) + 1)]


def drop(rng: random.Random, body: bytes) -> bytes:
    start, end = _slice(rng, body)
    return body[:start] + body[end:]


def double(rng: random.Random, body: bytes) -> bytes:
    start, end = _slice(rng, body)
    return body[:end] + body[start:end] * rng.choice((1, 5, 200)) + body[end:]


def throw_in(rng: random.Random, body: bytes) -> bytes:
    start, _ = _slice(rng, body)
    junk = rng.choice(
        (b"\0", b"<", b"<!--", b"]]>", b"<script>", b"\x1b$B", b"\xff\xfe", b"&#x0;", b"&#xD800;", b"<plaintext>", b'"')
    )
    return body[:start] + junk * rng.choice((1, 3, 3000)) + body[start:]


def nest(rng: random.Random, body: bytes) -> bytes:
    start, _ = _slice(rng, body)
    tag = rng.choice(NESTED)
    deep = f"<{tag}>".encode() * rng.choice((10, 1000, 10_000))
    close = f"</{tag.split()[0]}>".encode() * rng.choice((0, 5, 10_000))
    return body[:start] + deep + body[start:] + close


def unclose(rng: random.Random, body: bytes) -> bytes:
    return body.replace(rng.choice((b"</", b">", b'"', b"</a>", b"-->")), b"")


def attributes(rng: random.Random, body: bytes) -> bytes:
    many = " ".join(f"a{number}={number}" for number in range(rng.choice((10, 1000, 30_000))))
    return body.replace(b"<a ", b"<a " + many.encode() + b" ", 1)


def formatting(rng: random.Random, body: bytes) -> bytes:
    count = rng.choice((10, 300, 2000))
    open_ones = "".join(f"<b id={number}>" for number in range(count))
    return body + b"<p>" + open_ones.encode() + b"</p>" + b"<p>x</p>" * count


def odd_targets(rng: random.Random, body: bytes) -> bytes:
    targets = [rng.choice(TARGETS).encode("utf-8", "surrogatepass") for _ in range(rng.choice((3, 100)))]
    return body + b"".join(b'<a href="' + target + b'">' + target + b"</a>" for target in targets)


BREAKERS: tuple[Breaker, ...] = (
    flip, flip, cut, drop, double, throw_in, nest, unclose, attributes, formatting, odd_targets, odd_targets,
)  # fmt: skip


def broken_pages(count: int, seed: int, pages: tuple[str, ...] = PAGES) -> Iterator[BrokenPage]:
    """Make ``count`` broken pages, the same ones for the same seed."""
    rng = random.Random(seed)
    for _ in range(count):
        charset, claim = rng.choice(CHARSETS), rng.choice(CLAIMS)
        html = rng.choice(pages)
        if rng.random() < 0.5:
            html = html.replace("utf-8", claim).replace("UTF-8", claim)
        body = html.encode(charset, "replace" if charset != "utf-8" else "surrogatepass")
        breakers = rng.choices(BREAKERS, k=rng.randrange(5))
        for breaker in breakers:
            body = breaker(rng, body)
        kind = rng.choice(KINDS)
        yield BrokenPage(
            body,
            rng.choice(URLS) if rng.random() < 0.3 else URLS[0],
            kind + claim if kind.endswith("=") else kind,
            rng.choice(HEADERS),
            (charset, ascii(claim[:20]), ascii(kind), *(breaker.__name__ for breaker in breakers)),
        )


def real_pages(folder: Path, count: int = 200) -> tuple[str, ...]:
    """Every fortieth page of web-a."""
    with (folder / "web-a" / "pages.jsonl.zst").open("rb") as file:
        stream = zstandard.ZstdDecompressor(max_window_size=1 << 27).stream_reader(file)
        lines = itertools.islice(io.TextIOWrapper(stream, encoding="utf-8"), 0, 40 * count, 40)
        return tuple(json.loads(line)["html"] for line in lines)


def judges(name: str) -> Callable[[Page], None]:
    """What judges a page and its anchors."""
    from crawler_project.core.target import Target
    from crawler_project.relevance.language.judges import make_anchor_judge, make_language_judge

    target = Target(frozenset({"ko"}), frozenset({"kr"}))
    page_judge, anchor_judge = make_language_judge(name, target), make_anchor_judge(target)

    def judge(page: Page) -> None:
        label = page_judge.judge(page).label
        for link in page.links[:200]:
            anchor_judge.judge_anchor(link.anchor_text, label, "kr")

    return judge


def main() -> None:
    """Parse the broken pages and report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--judge", default="")
    options = parser.parse_args()
    data = os.environ.get("CRAWLER_DATA")
    pages = PAGES + real_pages(Path(data)) if data else PAGES
    judge = judges(options.judge) if options.judge else None
    times: list[tuple[float, int, tuple[str, ...]]] = []
    failures = 0
    for number, broken in enumerate(broken_pages(options.pages, options.seed, pages)):
        started = time.process_time()
        try:
            page = broken.parse()
            if judge is not None:
                judge(page)
        except Exception:  # noqa: BLE001 - counted, that is the measure
            failures += 1
            print(f"page {number} {broken.history}", traceback.format_exc(), sep="\n")
        times.append((time.process_time() - started, number, broken.history))
    times.sort(reverse=True)
    print(
        f"{options.pages} broken pages, seed {options.seed}: {failures} exceptions, slowest {times[0][0]:.3f} s of CPU"
    )
    for seconds, number, history in times[:5]:
        print(f"  {seconds:.3f} s  page {number}  {' '.join(history)}")


if __name__ == "__main__":
    main()
