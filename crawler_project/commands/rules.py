"""``scrapy rules``: what rule files there are, whether one is right, and what it says of a page."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from scrapy.commands import ScrapyCommand

from crawler_project.core.errors import ConfigurationError, CrawlerProjectError
from crawler_project.reports.given_files import kind_of
from crawler_project.reports.printable import tell

if TYPE_CHECKING:
    from crawler_project.core.values import Page
    from crawler_project.relevance.rules.rule_set import RuleSet
    from crawler_project.spiders.site_verifier import Step

_URL: Final = re.compile(r"https?://\S+$")
_MARKUP: Final = re.compile(rb"<(?:!doctype|html|head|body|title|meta|div|span|table|p|a|h[1-6]|br)\b", re.IGNORECASE)
_LONGEST: Final = 60
TEMPLATE: Final = """\
# Rules of a line of business. Check them with `scrapy rules check FILE`, try them with
# `scrapy rules test FILE PAGE`, and use them with `scrapy crawl site_verifier -a rules=FILE -a sites=SITES`.
# docs/verification.md says how rules are read.
name = "{name}"
language = ""       # of the pages: ko, ja, zh, en; asked for in Accept-Language
description = ""

# Queries that find such sites in a search engine (`scrapy sites find`): general words, names of
# attributes, an example, and mixtures of them.
keywords = ["watch shop", "watch movement price", "watch add to cart"]

# A page is good when the weights of the rules that hold, divided by all weights, reach page_threshold (0.7).
# `holds` is a regular expression (case is ignored; full-width signs are written as plain ones) ...
[[rule]]
name = "price"
weight = 4
holds = '[$£€] ?[0-9]+|\\bprice\\b'

# ... or a table with one operator: and, or, not.
[[rule]]
name = "buying"
weight = 3
holds = {{ or = ['add to (cart|basket)', 'buy now'] }}

[[rule]]
name = "a watch"
weight = 3
holds = {{ and = ['\\bwatch\\b', 'movement|strap|water[- ]resistan', {{ not = 'watch (video|online|now)' }}] }}
"""


class Command(ScrapyCommand):
    """List, check and try rule files, and begin a new one."""

    requires_project = True
    requires_crawler_process = False

    def syntax(self) -> str:
        return "list [RULES] | check RULES ... | test RULES FILE|URL|TEXT ... | new FILE"

    def short_desc(self) -> str:
        return "Rules of a line of business: list, check, try on a page, begin anew"

    def long_desc(self) -> str:
        return (
            "RULES is a shipped rule file's name (bookshop-ko) or the path of one. list: the shipped files, or the rules of one. "
            "check: whether files are right. test: F of a saved page (- is standard input), an address or a text, with the "
            "text that speaks for each rule. new: write a rule file to begin with."
        )

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        actions: Mapping[str, Callable[[Sequence[str]], int]] = {
            "list": self._list,
            "check": self._check,
            "test": self._test,
            "new": self._new,
        }
        try:
            unknown = [arg for arg in args if arg.startswith("-") and arg != "-"]
            if unknown:
                raise ConfigurationError(f"unknown option {unknown[0]}; usage: scrapy rules {self.syntax()}")
            if not args or args[0] not in actions:
                got = f"{args[0]!r} is none of them" if args else "nothing was asked for"
                raise ConfigurationError(f"{got}; usage: scrapy rules {self.syntax()}")
            self.exitcode = actions[args[0]](args[1:])
        except CrawlerProjectError as error:
            tell(f"scrapy rules: {error}")
            self.exitcode = 2

    def _list(self, args: Sequence[str]) -> int:
        from crawler_project.relevance.rules.rule_file import load_rules, shipped_rules

        if args:
            for name in args:
                _print(_contents(load_rules(name)))
            return 0
        loaded = [load_rules(name) for name in shipped_rules()]
        _print(f"{rules.name:<18}{len(rules.rules):>3} rules  {rules.description}" for rules in loaded)
        return 0

    def _check(self, args: Sequence[str]) -> int:
        from crawler_project.relevance.rules.rule_file import load_rules

        if not args:
            raise ConfigurationError("name a rule file; usage: scrapy rules check RULES ...")
        failed = 0
        for name in args:
            try:
                rules = load_rules(name)
            except ConfigurationError as error:
                tell(f"scrapy rules: {error}")
                failed = 2
                continue
            _print([f"{name}: {len(rules.rules)} rules, {len(rules.keywords)} queries; right"])
        return failed

    def _test(self, args: Sequence[str]) -> int:
        from crawler_project.relevance.rules.rule_file import load_rules

        if len(args) < 2:
            raise ConfigurationError("name the rules and a page; usage: scrapy rules test RULES FILE|URL|TEXT ...")
        rules = load_rules(args[0])
        for arg in args[1:]:
            if not _URL.match(arg):
                _print(_judged(rules, arg, _page_of(arg)))
        urls = [arg for arg in args[1:] if _URL.match(arg)]
        return self._test_urls(rules, urls) if urls else 0

    def _test_urls(self, rules: RuleSet, urls: Sequence[str]) -> int:
        """Fetch each address as the first page of its site."""
        from crawler_project.sites.site_run import verify_sites

        failed: list[str] = []

        def show(step: Step) -> None:
            if step.reading is None:
                failed.append(step.row.url)
                tell(f"scrapy rules: {step.row.url!r}: {step.row.outcome}")
            else:
                _print(_judged(rules, step.row.url, step.reading.page))

        assert self.settings is not None
        verify_sites(self.settings, rules, urls, show, parameters={"num_exp_pages": "1"})
        return 1 if failed else 0

    def _new(self, args: Sequence[str]) -> int:
        if len(args) != 1:
            raise ConfigurationError("name one file; usage: scrapy rules new watch-shop-en.toml")
        path = Path(args[0] if args[0].endswith(".toml") else f"{args[0]}.toml")
        if path.stem in (".toml", ".", ".."):  # DIR/ and . would be a file without a name
            raise ConfigurationError(f"{args[0]!r} names no file; name one, as watch-shop-en.toml")
        try:
            with path.open("x", encoding="utf-8") as file:
                file.write(TEMPLATE.format(name=path.stem))
        except OSError as error:
            raise ConfigurationError(f"{path} cannot be written: {error.strerror}") from error
        _print([f"{path}: written; change it, then scrapy rules check {path}"])
        return 0


def _contents(rules: RuleSet) -> Iterator[str]:
    yield f"{rules.name}  {rules.description}"
    yield from (f"  {rule.weight:.3f}  {rule.name}" for rule in rules.rules)
    yield f"  queries: {' · '.join(rules.keywords) or 'none'}"


def _judged(rules: RuleSet, name: str, page: Page) -> Iterator[str]:
    yield f"{_short(name)}  F = {rules.score(page).relevance:.3f}"
    for rule, holds, text in rules.explain(page):
        yield f"  {'+' if holds else '-'} {rule.weight:.3f}  {rule.name:<16} {_short(text)}".rstrip()


def _page_of(arg: str) -> Page:
    """Read a saved page; what is no file is a text."""
    from crawler_project.core.values import Page
    from crawler_project.page.charset import decode
    from crawler_project.page.parse import parse_page
    from crawler_project.relevance.rules.rule_text import RULE_TEXT

    try:
        kind = kind_of(arg)
        is_file = arg == "-" or kind == "file"
        if kind == "folder":
            raise ConfigurationError(f"{arg!r} is a folder; name the pages in it")
        body = (
            (sys.stdin.buffer.read() if arg == "-" else Path(arg).read_bytes())
            if is_file
            else arg.encode("utf-8", "replace")
        )
    except (OSError, ValueError) as error:
        raise ConfigurationError(f"{arg!r} cannot be read: {getattr(error, 'strerror', None) or error}") from error
    if not is_file and re.fullmatch(r"\S*\.(?:x?html?|txt|mht)", arg, re.IGNORECASE):
        raise ConfigurationError(f"{arg!r}: no such file")
    if is_file and _MARKUP.search(body[:4096]):
        return parse_page(body, "", max_text=RULE_TEXT)
    return Page("", text=" ".join(decode(body).text.split())[:RULE_TEXT])


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _print(lines: Iterator[str] | Sequence[str]) -> None:
    from crawler_project.reports.printable import print_lines

    print_lines(lines)
