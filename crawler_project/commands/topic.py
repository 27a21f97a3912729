"""``scrapy topic``: learn a topic from pages, test, explain and compare."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Final

from scrapy.commands import ScrapyCommand

from crawler_project.core.errors import ConfigurationError, CrawlerProjectError
from crawler_project.reports.printable import tell

if TYPE_CHECKING:
    from crawler_project.topics.topic_texts import TextCollection

_STEPS: Final[Mapping[str, str]] = {
    "train": "--positive PLACE… [--unlabelled PLACE…] --out MODEL [--name NAME] [--language ko] [--method NAME] [--mode tfc|both]",
    "test": "MODEL --jsonl FILE… [--json]",
    "explain": "MODEL URL|FILE [--json]",
    "compare": "--jsonl FILE… [--labelled 0.5] [--random-state 0] [--language ko] [--json]",
}
_NOTES: Final = 10


class Command(ScrapyCommand):
    """Learn what a topic is."""

    requires_project = True
    requires_crawler_process = False
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        return " | ".join(f"{step} {usage}" for step, usage in _STEPS.items())

    def short_desc(self) -> str:
        return "Learn a topic from example pages: train, test, explain, compare"

    def long_desc(self) -> str:
        return (
            "A PLACE is a folder of saved pages, a page, JSON Lines (text, html or body_b64; relevant; .gz and .zst too), "
            "a list or CSV of addresses, an address, or the output folder of a crawl. Without --unlabelled the model is trained "
            "against shipped texts in its language. test and compare need lines with relevant: true or false."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        add = parser.add_argument
        add("--positive", metavar="PLACE", nargs="+", action="extend", default=[], help="train: texts of the topic")
        add("--unlabelled", metavar="PLACE", nargs="+", action="extend", default=[], help="train: texts of any topic (default: shipped ones)")  # fmt: skip
        add("--out", metavar="MODEL", help="train: the file to write")
        add("--name", metavar="NAME", help="train: of the topic (default: the file's name)")
        add("--language", metavar="CODE", default="en", help="train, compare: of the texts (default: %(default)s)")
        add("--method", metavar="NAME", help="train: prior_svm (default), wvc_tfipndf, wvc_tfidf, pebl, one_class, one_class_01 or biased_svm")  # fmt: skip
        add("--mode", metavar="NAME", default="", help="train: tfc or both, of wvc_tfipndf")
        add("--balanced", action="store_true", help="train: both classes weigh the same in wvc_* and pebl")
        add("--jsonl", metavar="FILE", nargs="+", action="extend", default=[], help="test, compare: labelled texts")
        add("--labelled", metavar="SHARE", default="0.5", help="compare: part of the positive training texts that is labelled")  # fmt: skip
        add("--random-state", metavar="N", default="0", help="compare: another number, another split")
        add("--json", action="store_true", help="print one JSON object")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Do one of the steps; one line on standard error and exit code 2 when that cannot be done."""
        steps: dict[str, Callable[[list[str], argparse.Namespace], None]] = {
            "train": self._train, "test": self._test, "explain": self._explain, "compare": self._compare,
        }  # fmt: skip
        try:
            options = [arg for arg in args if arg.startswith("-")]
            if options or not args or args[0] not in steps:
                what = f"unknown option {options[0]}" if options else f"say which of {', '.join(steps)}"
                raise ConfigurationError(f"{what}; usage: scrapy topic {self.syntax()}")
            steps[args[0]](args[1:], opts)
        except (CrawlerProjectError, OSError) as error:
            tell(f"scrapy topic: {error}")
            self.exitcode = 2

    def _train(self, args: list[str], opts: argparse.Namespace) -> None:
        if args or not opts.positive or not opts.out:
            raise ConfigurationError(f"usage: scrapy topic train {_STEPS['train']}")
        from crawler_project.topics.topic_steps import train

        self._check_language(opts.language)
        _print(train(opts, self._read), opts.json)

    def _test(self, args: list[str], opts: argparse.Namespace) -> None:
        if len(args) != 1 or not opts.jsonl:
            raise ConfigurationError(f"usage: scrapy topic test {_STEPS['test']}")
        from crawler_project.topics.topic_steps import test

        _print(test(args[0], self._read(opts.jsonl)), opts.json)

    def _explain(self, args: list[str], opts: argparse.Namespace) -> None:
        if len(args) != 2:
            raise ConfigurationError(f"usage: scrapy topic explain {_STEPS['explain']}")
        from crawler_project.topics.topic_steps import explain

        _print(explain(args[0], args[1]), opts.json)

    def _compare(self, args: list[str], opts: argparse.Namespace) -> None:
        if args or not opts.jsonl:
            raise ConfigurationError(f"usage: scrapy topic compare {_STEPS['compare']}")
        from crawler_project.topics.topic_steps import compare

        self._check_language(opts.language)
        _print(compare(self._read(opts.jsonl), opts), opts.json)

    def _check_language(self, language: str) -> None:
        """Refuse what no crawl takes for a target either, and no terms are cut for; ``pt-BR`` is ``pt`` here."""
        from crawler_project.core.target import check_language
        from crawler_project.relevance.language.model import known_languages
        from crawler_project.relevance.topic.terms import STEMMERS, WITHOUT_SPACES

        assert self.settings is not None
        known = known_languages(self.settings.get("LANGUAGE_MODEL") or None)
        if language.partition("-")[0] not in known | WITHOUT_SPACES | STEMMERS.keys():
            check_language(language, known)

    def _read(self, places: Sequence[str]) -> TextCollection:
        from crawler_project.topics.topic_texts import read_texts

        found = read_texts(places, self._fetch)
        for note in found.notes[:_NOTES]:
            tell(f"scrapy topic: left out: {note}")
        if len(found.notes) > _NOTES:
            tell(f"scrapy topic: left out: {len(found.notes) - _NOTES:,} more")
        return found

    def _fetch(self, addresses: Sequence[str]) -> Mapping[str, str]:
        from crawler_project.topics.topic_pages import fetch_texts

        assert self.settings is not None
        return fetch_texts(addresses, self.settings)


def _print(answer: tuple[Mapping[str, Any], str], as_json: bool) -> None:
    values, text = answer
    line = json.dumps(values, ensure_ascii=False) if as_json else text
    sys.stdout.buffer.write(line.encode("utf-8", "replace") + b"\n")
    sys.stdout.flush()
