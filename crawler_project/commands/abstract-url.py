"""``scrapy abstract-url``: the class of an address within its site.

Scrapy calls a command as its module is called, hence the hyphen in the name of this file.
"""

# ruff: noqa: N999

from __future__ import annotations

import argparse
import os
import sys
from typing import Any, ClassVar

from scrapy.commands import ScrapyCommand

from crawler_project.reports.printable import tell
from crawler_project.verification.abstract_url import generalised_class, literal_class


class Command(ScrapyCommand):
    """Print the AbstractURL of addresses."""

    requires_project = True
    requires_crawler_process = False
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        return "[--generalised] URL ...   or   < URLS"

    def short_desc(self) -> str:
        return "Print the class of addresses within their site (AbstractURL)"

    def long_desc(self) -> str:
        return (
            "Prints one line for each URL: the URL, a tab, and its class (path, file and names of the query attributes). "
            "Without URLs, it reads them from standard input, one a line."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--generalised", action="store_true", help="numbers and slugs of the path are alike")
        parser.add_argument("--literal", action="store_true", help="the paper's classes (the default)")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        unknown = [arg for arg in args if arg.startswith("-")]
        if unknown or (opts.generalised and opts.literal):
            what = f"unknown option {unknown[0]}" if unknown else "--generalised and --literal exclude each other"
            tell(f"scrapy abstract-url: {what}; usage: scrapy abstract-url {self.syntax()}")
            self.exitcode = 2
            return
        classify = generalised_class if opts.generalised else literal_class
        urls = args or (line.rstrip("\r\n") for line in sys.stdin)
        encoding = sys.stdout.encoding or "utf-8"
        try:
            for url in urls:
                if url.strip():
                    line = f"{url}\t{classify(url)}\n"
                    sys.stdout.write(line.encode(encoding, "backslashreplace").decode(encoding))
            sys.stdout.flush()
        except BrokenPipeError:  # whoever read has enough; Python must not find out once more when it ends
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
