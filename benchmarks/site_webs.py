"""Sites as plain dictionaries, for the verifier to be tried on: real pages, real pages within stand-in hubs, generated shops.

A site is ``URL → (F, links)``; a URL that is not there is a failed fetch.
"""

from __future__ import annotations

import io
import json
import random
import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import zstandard

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from crawler_project.core.values import Page
from crawler_project.page.parse import parse_page
from crawler_project.relevance.rules.rule_set import RuleSet
from crawler_project.verification.site import site_of
from crawler_project.verification.verdict import Verdict
from crawler_project.verification.verifier import SiteVerifier
from crawler_project.verification.verifier_parameters import VerifierParameters

RULE_TEXT = 100_000
STYLES = (
    "/item.asp?id={n}",
    "/product/{n}",
    "/{slug}-{n}.html",
    "/p/{slug}/{n}",
    "/book/{slug}",
    "/goods/view/{n}?ref={r}",
    "/isbn{n}",
)
"""How shops name their product pages: key as an attribute, in the path, in a slug."""
PRODUCT = re.compile(r"/product/[A-Z]?[0-9]+[0-9A-Z]*(?:\?|$)")
MENUS = [
    "login",
    "register",
    "cart",
    "help",
    "about",
    "contact",
    "stores",
    "careers",
    "gift-cards",
    "wishlist",
    "order-status",
    "shipping",
    "returns",
    "privacy",
    "terms",
    "affiliates",
    "blog",
    "press",
    "sitemap",
    "news",
    "bestsellers",
    "new-releases",
    "bargains",
    "events",
    "magazines",
    "music",
    "toys",
]
SECTIONS = [
    "videos", "gift-ideas", "team", "authors", "podcast", "academy", "community", "magazine", "partners", "inspiration", "readers", "awards",
    "schools", "libraries", "bulk", "outlet", "sale", "top100", "staff-picks", "labels", "artists", "stationery", "puzzles", "games", "vinyl",
]  # fmt: skip
"""Menu entries that no list of usual words knows."""
SUBJECTS = [
    "fiction",
    "history",
    "science",
    "art",
    "travel",
    "cooking",
    "business",
    "health",
    "children",
    "poetry",
    "religion",
    "sports",
    "computers",
    "law",
]
WORDS = [
    "winter",
    "river",
    "stone",
    "house",
    "garden",
    "letter",
    "silent",
    "golden",
    "night",
    "story",
    "road",
    "secret",
    "island",
    "child",
    "king",
    "ocean",
    "winds",
    "bridge",
    "mirror",
    "forest",
    "shadow",
    "light",
    "song",
    "dream",
    "tower",
    "flame",
    "clock",
    "paper",
    "window",
    "harbor",
]


@dataclass
class TrialSite:
    """A site to be verified, and what is true of it."""

    name: str
    start: str
    is_shop: bool
    kind: str
    pages: dict[str, tuple[float, list[str]]] = field(default_factory=dict)


def verify(site: TrialSite, parameters: VerifierParameters) -> Verdict:
    """Drive the verifier over a site to its verdict."""
    verifier = SiteVerifier(site.start, parameters)
    while (page := verifier.next_page()) is not None:
        verifier.observe(page, *site.pages.get(page, (0.0, [])))
    assert verifier.verdict is not None
    return verifier.verdict


def read_rows(path: Path) -> Iterator[dict[str, Any]]:
    """Rows of a recorded collection."""
    with path.open("rb") as file:
        stream = zstandard.ZstdDecompressor(max_window_size=1 << 27).stream_reader(file)
        yield from map(json.loads, io.TextIOWrapper(stream, encoding="utf-8"))


def read_page(row: Mapping[str, Any]) -> Page:
    """Parse a row's page as a crawl does."""
    html = row["html"].encode("utf-8", "replace")
    return parse_page(html, row["url"], content_type="text/html; charset=utf-8", max_text=RULE_TEXT)


def links_of(page: Page) -> list[str]:
    return [link.url for link in page.links if link.kind not in ("canonical", "alternate")]


def recorded_hosts(path: Path, rules: RuleSet) -> list[TrialSite]:
    """Each host of a recorded collection as it is: the page with the shortest address is the first. None is a shop."""
    hosts: dict[str, TrialSite] = {}
    for row in read_rows(path):
        page = read_page(row)
        name = site_of(row["url"])
        if not name:
            continue  # ftp
        site = hosts.setdefault(name, TrialSite(name, row["url"], is_shop=False, kind=path.parent.name))
        site.pages[row["url"]] = (rules.score(page).relevance, links_of(page))
        site.start = min(site.start, row["url"], key=lambda url: (len(url), url))
    return list(hosts.values())


def shop_of(
    name: str,
    scores: Sequence[float],
    menu_score: float,
    style: str,
    rng: random.Random,
    *,
    is_shop: bool = True,
    kind: str = "",
) -> TrialSite:
    """Product pages with these F, behind a home page, a menu and two levels of lists that are stand-ins of F ``menu_score``."""
    origin = f"http://{name}"
    keys = rng.sample(range(1_000_000, 9_999_999), len(scores))
    items = [
        origin + style.format(n=key, r=rng.randrange(100), slug="-".join(rng.sample(WORDS, rng.randint(2, 5))))
        for key in keys
    ]
    menu = [f"{origin}/{word}" for word in rng.sample(MENUS, rng.randint(6, 20))]
    subjects = rng.sample(SUBJECTS, rng.randint(4, len(SUBJECTS)))
    listing = rng.choice(["/category/{}", "/list?cat={}", "/c/{}/", "/{}-books"])
    lists = [origin + listing.format(subject) for subject in subjects]
    parts = {
        url: [origin + listing.format(f"{subject}-{word}") for word in rng.sample(WORDS, rng.randint(3, 8))]
        for url, subject in zip(lists, subjects, strict=True)
    }
    site = TrialSite(name, f"{origin}/", is_shop, kind)
    site.pages[site.start] = (menu_score, [*menu, *lists])
    for url in menu:
        site.pages[url] = (0.0 if rng.random() < 0.2 else menu_score, [site.start, *menu, *lists])
    for number, url in enumerate(lists):
        own = items[number :: len(lists)]
        site.pages[url] = (menu_score, [site.start, *menu, *lists, *parts[url], *own[:2]])
        for k, part in enumerate(parts[url]):
            site.pages[part] = (menu_score, [site.start, *menu, *lists, *parts[url], *own[k :: len(parts[url])]])
    for item, score in zip(items, scores, strict=True):
        site.pages[item] = (score, [site.start, *menu, *lists, *rng.sample(items, min(5, len(items)))])
    return site


def real_shop(
    name: str, pages: Mapping[str, tuple[float, list[str], str]], rules: RuleSet, rng: random.Random
) -> TrialSite:
    """Real product pages with their real addresses and links; other pages of the site are stand-ins.

    Where a link leads to a product that was not recorded, one that was stands in for it; other pages (menu, lists,
    search, cart) have the header and the footer of the shop, and the lists some products.

    Args:
        pages: URL → F, links and visible text.
    """
    origin = "/".join(next(iter(pages)).split("/", 3)[:3])
    site = TrialSite(name, f"{origin}/", is_shop=True, kind="real addresses and links")
    text = next(iter(pages.values()))[2]
    menu_score = rules.score(Page(origin, text=f"{text[:200]} {text[-900:]}")).relevance
    items = list(pages)
    links = sorted({link for _, links, _ in pages.values() for link in links if link.startswith(origin)})
    menu = [link for link in links if not PRODUCT.search(link)]
    shown = rng.sample(menu, min(40, len(menu)))
    lists = [f"{origin}/books/{subject}" for subject in rng.sample(SUBJECTS, 8)]
    for url in (site.start, *menu):
        site.pages[url] = (menu_score, [*shown, *lists])
    for number, url in enumerate(lists):
        site.pages[url] = (menu_score, [*shown, *lists, *items[number :: len(lists)]])
    for url in (*items, *(link for link in links if PRODUCT.search(link))):
        score, its_links, _ = pages.get(url) or pages[rng.choice(items)]
        site.pages[url] = (score, its_links)
    return site


def real_book_shops(data: Path, rules: RuleSet, count: int, seed: int = 1) -> list[TrialSite]:
    """Shops of 15 to 60 real product pages each: a quarter with real addresses and links, the others in other styles."""
    rng = random.Random(seed)
    rows = list(read_rows(data / "books-a" / "pages.jsonl.zst"))
    pages = {row["url"]: read_page(row) for row in rows}
    read = {url: (rules.score(page).relevance, links_of(page), page.text) for url, page in pages.items()}
    urls = list(read)
    shops = []
    for number in range(count):
        chosen = rng.sample(urls, rng.randint(15, 60))
        if number % 4 == 0:
            shop = real_shop(f"shop{number}", {url: read[url] for url in chosen}, rules, rng)
            if number % 8 == 4:
                shop.start = chosen[0]  # a search engine leads to a product as often as to a home page
        else:
            style = STYLES[number % len(STYLES)]
            shop = shop_of(f"shop{number}.example", [read[url][0] for url in chosen], 0.1, style, rng, kind=style)
        shops.append(shop)
    return shops


def other_shops(data: Path, rules: RuleSet, seed: int = 2) -> list[TrialSite]:
    """Each shop of products-a behind stand-in hubs, its real product pages repeated so that there are 30."""
    rng = random.Random(seed)
    by_site: dict[str, list[float]] = defaultdict(list)
    for row in read_rows(data / "products-a" / "pages.jsonl.zst"):
        by_site[site_of(row["url"])].append(rules.score(read_page(row)).relevance)
    return [
        shop_of(
            name,
            [scores[i % len(scores)] for i in range(30)],
            0.1,
            STYLES[k % len(STYLES)],
            rng,
            is_shop=False,
            kind="other shop",
        )
        for k, (name, scores) in enumerate(sorted(by_site.items()))
    ]


def deep_shops(scores: Sequence[float], count: int, depth: int, trap: str = "", seed: int = 9) -> list[TrialSite]:
    """Shops that show no product before the list ``depth`` links away from the home page, beside 8 to 25 menu entries.

    Args:
        scores: F of product pages.
        trap: ``calendar``: the home page leads into an endless chain of pages, too.
    """
    rng = random.Random(seed + depth)
    return [
        _deep_shop(f"deep{number}.example", scores, rng, depth=depth, trap=trap, style=STYLES[number % len(STYLES)])
        for number in range(count)
    ]


def _deep_shop(
    name: str, scores: Sequence[float], rng: random.Random, *, depth: int, trap: str, style: str
) -> TrialSite:
    origin, site = f"http://{name}", TrialSite(name, f"http://{name}/", is_shop=True, kind=f"{depth} lists deep")
    menu = [f"{origin}/{word}" for word in rng.sample([*MENUS, *SECTIONS], rng.randint(8, 25))]
    site.pages.update({url: (0.1, [site.start, *menu]) for url in menu})
    listing = rng.choice(["/category/{}", "/list?cat={}", "/c/{}/", "/{}-books"])
    width = rng.randint(3, 7 if depth < 4 else 4)

    def add(path: tuple[str, ...]) -> str:
        url = origin + listing.format("-".join(path)) if path else site.start
        if len(path) == depth:
            keys = rng.sample(range(1_000_000, 9_999_999), rng.randint(4, 20))
            links = [origin + style.format(n=key, r=1, slug="-".join(rng.sample(WORDS, 3))) for key in keys]
            site.pages.update({link: (rng.choice(scores), [site.start, *menu]) for link in links})
        else:
            links = [add((*path, word)) for word in rng.sample(WORDS, width)]
        site.pages[url] = (0.1, [*menu, *links])
        return url

    add(())
    if trap == "calendar":
        days = [f"{origin}/calendar?day={number}" for number in range(100)]
        site.pages.update({day: (0.0, days[number + 1 : number + 3]) for number, day in enumerate(days)})
        score, links = site.pages[site.start]
        site.pages[site.start] = (score, [days[0], *links])
    return site


def generated_sites(rules: RuleSet, pieces: Mapping[str, str], count: int, seed: int = 3) -> list[TrialSite]:
    """Half shops of the line, a quarter other shops, a quarter no shops, with texts put together from pieces.

    Args:
        pieces: for each rule of ``rules`` by name, a text for which it holds.
    """
    rng = random.Random(seed)
    names = list(pieces)
    sites = []
    for number in range(count):
        kind = ("shop", "other shop", "shop", "no shop")[number % 4]
        # a shop leaves out the same pieces of information on most of its pages
        share = {
            "shop": rng.uniform(0.7, 1.0),
            "other shop": rng.uniform(0.2, 0.55),
            "no shop": rng.uniform(0.0, 0.25),
        }[kind]
        usual = [name for name in names if rng.random() < share]
        scores = []
        for _ in range(rng.randint(12, 80)):
            shown = [name for name in usual if rng.random() < 0.95]
            scores.append(rules.score(Page("", text=" ".join(pieces[name] for name in shown))).relevance)
        name = f"site{number}.example"
        sites.append(shop_of(name, scores, 0.1, rng.choice(STYLES), rng, is_shop=kind == "shop", kind=kind))
    return sites


PIECES_EN = {
    "price": "Price: $12.99",
    "buying online": "Add to cart",
    "publisher": "Publisher: North House",
    "author": "by Anna Lind",
    "title": "Title: Winter River",
    "edition": "Paperback, 320 pages",
    "synopsis": "Overview of the book",
    "isbn": "ISBN-13: 9780778328704",
}
