"""The verifier on real pages: shops accepted, false accepts, pages a verdict; by method and order. F on product pages; its time.

    CRAWLER_DATA=FOLDER python benchmarks/site_verification.py [--shops 100]

The folder holds books-a, products-a, webkb-a and web-a (``pages.jsonl.zst`` each). Shops are real product pages
behind stand-in hubs (home page, menu, lists), a quarter of them with their real addresses and links; hosts that
are no shop are real throughout, pages that were not recorded fail. Without the folder: generated sites and the time only.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import mean, median

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parent.parent)]
from site_webs import (
    PIECES_EN,
    TrialSite,
    deep_shops,
    generated_sites,
    other_shops,
    read_page,
    read_rows,
    real_book_shops,
    recorded_hosts,
    verify,
)

from crawler_project.core.values import Page
from crawler_project.relevance.rules.rule_file import SHIPPED, load_rules, shipped_rules
from crawler_project.relevance.rules.rule_set import RuleSet
from crawler_project.relevance.rules.rule_text import rule_text
from crawler_project.verification.verifier_parameters import VerifierParameters

METHODS: Mapping[str, VerifierParameters] = {
    "literal": VerifierParameters(classes="literal"),
    "generalised, H = 0": VerifierParameters(new_class="zero", early_no=False),
    "generalised, no early no": VerifierParameters(early_no=False),
    "default": VerifierParameters(),
    "default, no exploring": VerifierParameters(explore=False),
    "breadth-first": VerifierParameters(order="breadth", early_no=False),
    "random order": VerifierParameters(order="random", early_no=False),
    "breadth-first, early no": VerifierParameters(order="breadth"),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=os.environ.get("CRAWLER_DATA"))
    parser.add_argument("--shops", type=int, default=100)
    arguments = parser.parse_args()
    english = load_rules("bookshop-en")
    generated = generated_sites(english, PIECES_EN, 200)
    groups: dict[str, Sequence[TrialSite]] = {
        "generated shops": [site for site in generated if site.is_shop],
        "generated others": [site for site in generated if not site.is_shop],
    }
    if arguments.data:
        groups = {
            "real bookshop pages": real_book_shops(arguments.data, english, arguments.shops),
            "products-a": other_shops(arguments.data, english),
            "webkb-a": recorded_hosts(arguments.data / "webkb-a" / "pages.jsonl.zst", english),
            "web-a": recorded_hosts(arguments.data / "web-a" / "pages.jsonl.zst", english),
            **groups,
        }
        show_scores(arguments.data)
        show_false_pages(arguments.data)
    for name, sites in groups.items():
        show_group(name, sites)
    if arguments.data:
        show_deep(arguments.data, english)
        show_styles(groups["real bookshop pages"])
        show_precision(groups["real bookshop pages"], groups["products-a"])
    show_time(arguments.data)


def show_group(name: str, sites: Sequence[TrialSite]) -> None:
    print(f"\n{name}: {len(sites)} sites, {sum(len(site.pages) for site in sites):,} pages")
    print(f"  {'method':<26}{'accepted':>10}{'pages, mean':>13}{'median':>8}{'max':>6}")
    for method, parameters in METHODS.items():
        verdicts = [verify(site, parameters) for site in sites]
        pages = [len(verdict.pages) for verdict in verdicts]
        share = mean(verdict.is_relevant for verdict in verdicts)
        print(f"  {method:<26}{share:>10.1%}{mean(pages):>13.1f}{median(pages):>8.0f}{max(pages):>6}")
    # what could have gone on: a host of three recorded pages says nothing about limits
    large = [site for site in sites if len(verify(site, VerifierParameters(early_no=False)).pages) == 50]
    if large and not sites[0].is_shop:
        pages = [len(verify(site, METHODS["default"]).pages) for site in large]
        print(
            f"  of them {len(large)} that cost 50 pages without early no: {mean(pages):.1f} with it, at most {max(pages)}"
        )


def show_deep(data: Path, rules: RuleSet) -> None:
    """Shops that hide their products: accepted and mean pages."""
    rows = [row for _, row in zip(range(200), read_rows(data / "books-a" / "pages.jsonl.zst"), strict=False)]
    scores = [rules.score(read_page(row)).relevance for row in rows]
    methods = ("literal", "default, no exploring", "default", "random order")
    print("\nreal bookshop pages behind lists without products, 60 shops each: accepted, pages")
    print(f"  {'lists before the first product':<34}" + "".join(f"{name:>24}" for name in methods))
    for depth in (1, 2, 3, 4):
        for trap in ("", "calendar"):
            shops = deep_shops(scores, 60, depth, trap)
            verdicts = [[verify(shop, METHODS[name]) for shop in shops] for name in methods]
            cells = [
                f"{mean(v.is_relevant for v in its):.0%} {mean(len(v.pages) for v in its):>5.1f}" for its in verdicts
            ]
            print(
                f"  {f'{depth}, endless calendar beside' if trap else depth!s:<34}"
                + "".join(f"{cell:>24}" for cell in cells)
            )


def show_styles(shops: Sequence[TrialSite]) -> None:
    """Shops accepted by the way that their product pages are named: what decides about the literal method."""
    print("\nreal bookshop pages, shops accepted by the addresses of the product pages")
    for kind in sorted({shop.kind for shop in shops}):
        its = [shop for shop in shops if shop.kind == kind]
        literal, default = ([verify(shop, METHODS[name]) for shop in its] for name in ("literal", "default"))
        accepted = " ".join(f"{mean(one.is_relevant for one in verdicts):>10.0%}" for verdicts in (literal, default))
        print(
            f"  {kind:<28}{len(its):>4} literal, default {accepted}   most pages {max(len(v.pages) for v in default)}"
        )


def show_precision(shops: Sequence[TrialSite], others: Sequence[TrialSite]) -> None:
    print("\nbookshop or not: real bookshop pages against the shops of products-a (default)")
    hits = sum(verify(site, METHODS["default"]).is_relevant for site in shops)
    false = sum(verify(site, METHODS["default"]).is_relevant for site in others)
    print(f"  precision {hits / max(hits + false, 1):.1%}, recall {hits / len(shops):.1%}")


def show_scores(data: Path) -> None:
    print("share of product pages with F ≥ 0.7")
    files = {
        "books-a": ("books-a/pages.jsonl.zst", "bookshop-en"),
        "Korean search results": ("books-a/korean-shops.jsonl.zst", "bookshop-ko"),
    }
    for name, (path, rules_name) in files.items():
        rules = load_rules(rules_name)
        scores = [rules.score(read_page(row)).relevance for row in read_rows(data / path)]
        print(f"  {name:<24}{rules_name:<14}{mean(score >= 0.7 for score in scores):>8.1%} of {len(scores)}")
    pages = [read_page(row) for row in read_rows(data / "products-a" / "pages.jsonl.zst")]
    for rules_name in shipped_rules():
        rules = load_rules(rules_name)
        scores = [rules.score(page).relevance for page in pages]
        print(
            f"  {'products-a (others)':<24}{rules_name:<18}{mean(score >= 0.7 for score in scores):>8.1%} of {len(scores)}, highest {max(scores):.2f}"
        )


def show_false_pages(data: Path) -> None:
    """Pages of hosts that are no shop, in many languages: F of each by every shipped rule file."""
    print("\npages of hosts that are no shop with F ≥ 0.7, highest F")
    for name in ("web-a", "webkb-a"):
        texts = [rule_text(read_page(row)) for row in read_rows(data / name / "pages.jsonl.zst")]
        for rules_name in shipped_rules():
            rules = load_rules(rules_name)
            scores = [rules.score_text(text).relevance for text in texts]
            good = sum(score >= 0.7 for score in scores)
            print(f"  {name:<10}{rules_name:<18}{good:>6} of {len(scores):,}{max(scores):>8.2f}")


def show_time(data: Path | None) -> None:
    """CPU time of F on pages with 100 kB of text, normal form included, the best of five."""
    size = 100_000
    rule_text(Page("", text="１"))  # what is made once
    texts = {
        "letters": "a" * size,
        "digits": "9" * size,
        "prices without labels": "$ 1,0 " * (size // 6),
        "half an ISBN, again and again": "isbn 978-" * (size // 9),
        "Korean prices cut short": "정가 판매가 " * (size // 17),
        "by A by A": "by Ab " * (size // 6),
        "quotes that never close": "『" * (size // 3),
        "signs of the rules, shuffled": shuffled_signs(size),
        "full-width prices": "定価：１，２００円 " * (size // 30),
        "accents without end": "a" + "\u0301" * (size // 2),
        "letters that become eighteen": "ﷺ" * (size // 3),
        "every other letter a sign": "a\u00a0" * (size // 3),
    }
    if data:
        joined = " ".join(
            read_page(row).text
            for _, row in zip(range(80), read_rows(data / "books-a" / "pages.jsonl.zst"), strict=False)
        )
        texts = {"real product pages": joined[:size], **web_texts(data, size), **texts}
    print("\nms a page of 100 kB of text (8 rules)")
    print(f"  {'':<32}" + "".join(f"{name:>17}" for name in shipped_rules()))
    for name, text in texts.items():
        print(
            f"  {name:<32}"
            + "".join(
                f"{milliseconds(load_rules(rules).score, Page('', text=text)):>17.2f}" for rules in shipped_rules()
            )
        )


def web_texts(data: Path, size: int) -> dict[str, str]:
    """Real pages in Korean, Japanese and Chinese, joined to texts of this many bytes."""
    texts = {"ko": "", "ja": "", "zh-Hans": ""}
    for row in read_rows(data / "web-a" / "pages.jsonl.zst"):
        if len(texts.get(row["lang"], " " * size)) < size:
            texts[row["lang"]] += read_page(row).text + " "
    return {f"real pages, {lang}": text.encode()[:size].decode(errors="ignore") for lang, text in texts.items()}


def shuffled_signs(size: int) -> str:
    """A text of the very characters and words that the rules speak of: many half matches at once."""
    words = re.findall(r"\w+|[$£€¥():/]", "".join(path.read_text(encoding="utf-8") for path in SHIPPED.glob("*.toml")))
    rng = random.Random(5)
    text = "".join(rng.choice(words) + rng.choice(["", " ", "1", ": "]) for _ in range(size // 3))
    return text.encode()[:size].decode(errors="ignore")


def milliseconds(score: Callable[[Page], object], page: Page) -> float:
    best = float("inf")
    for _ in range(5):
        start = time.process_time()
        score(page)
        best = min(best, time.process_time() - start)
    return 1000 * best


if __name__ == "__main__":
    main()
