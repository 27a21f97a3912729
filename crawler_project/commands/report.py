"""``scrapy report``: one HTML page and CSV tables about one or more crawls."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, ClassVar

from scrapy.commands import ScrapyCommand

from crawler_project.core.errors import ConfigurationError
from crawler_project.reports.printable import tell


class Command(ScrapyCommand):
    """Report about crawl directories."""

    requires_crawler_process = False
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        return "DIR [DIR …] [--output FILE.html] [--collection PAGES.jsonl.zst]"

    def short_desc(self) -> str:
        return "Report about one or more crawls: an HTML page and CSV tables"

    def long_desc(self) -> str:
        return (
            "Reads the output directories of crawls, finished or still running, and writes one HTML page that needs "
            "nothing else, with the same tables as CSV files in a folder beside it. Crawls of the same target are "
            "compared, those by topic and those by language each among themselves; a control crawl among them gives the gain of the focus."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument(
            "--output", "-o", metavar="FILE.html", help="default: report.html, in DIR when there is only one"
        )
        parser.add_argument(
            "--collection", metavar="PAGES", help="recorded collection whose labels (text_lang) give the true coverage"
        )

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Write the report; one line on standard error and exit code 2 when that cannot be done."""
        try:
            self._report(args, opts)
        except ConfigurationError as error:
            tell(f"scrapy report: {error}")
            self.exitcode = 2

    def _report(self, args: list[str], opts: argparse.Namespace) -> None:
        unknown = [arg for arg in args if arg.startswith("-")]
        if unknown:
            raise ConfigurationError(f"unknown option {unknown[0]}; usage: scrapy report {self.syntax()}")
        if not args:
            raise ConfigurationError(f"name at least one crawl directory; usage: scrapy report {self.syntax()}")
        # Here, because Scrapy imports all commands before it runs one, and pandas and matplotlib take a second.
        from crawler_project.reports.printable import print_lines
        from crawler_project.reports.report_files import compare_directories, write_report
        from crawler_project.reports.summary import apart_sentences, summary_sentences

        directories = [Path(arg) for arg in args]
        comparisons = compare_directories(directories, Path(opts.collection) if opts.collection else None)
        output = Path(opts.output) if opts.output else _default_output(directories)
        page, *tables = write_report(comparisons, output, datetime.now(UTC))
        for comparison in comparisons:
            print_lines(summary_sentences(comparison))
        print_lines(apart_sentences(comparisons))
        print_lines([f"Report: {page} (tables in {tables[0].parent})"])


def _default_output(directories: Sequence[Path]) -> Path:
    """Put the report of one crawl with the crawl, and a comparison where the user is."""
    return Path("report.html") if len(directories) > 1 else directories[0] / "report.html"
