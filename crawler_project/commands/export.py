"""``scrapy export``: all rows of a crawl, of all its workers, in one file."""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, ClassVar, TextIO

from scrapy.commands import ScrapyCommand

from crawler_project.core.errors import ConfigurationError
from crawler_project.reports.printable import tell


class Command(ScrapyCommand):
    """Merge the CSV files of a crawl."""

    requires_crawler_process = False
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        return "DIR [--out FILE.csv]"

    def short_desc(self) -> str:
        return "Merge the files of a crawl into one, each page once"

    def long_desc(self) -> str:
        return (
            "Reads crawled-*.csv of a crawl's output directory, of all languages and all workers, also while they are "
            "being written, and writes one CSV file: in order of time, each page once, positions numbered anew."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--out", "-o", metavar="FILE.csv", help="default: pages.csv in DIR; - is standard output")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Write the file; one line on standard error and exit code 2 when that cannot be done."""
        try:
            self._export(args, opts.out)
        except ConfigurationError as error:
            tell(f"scrapy export: {error}")
            self.exitcode = 2

    def _export(self, args: list[str], out: str | None) -> None:
        if len(args) != 1 or args[0].startswith("-"):
            raise ConfigurationError(f"name one crawl directory; usage: scrapy export {self.syntax()}")
        from crawler_project.reports.csv_rows import find_files
        from crawler_project.reports.merged_rows import merged_rows

        csv.field_size_limit(1 << 30)  # a title may be as long as its page
        directory = Path(args[0])
        find_files(directory)  # what is wrong with it is said before a file is begun
        rows = merged_rows(directory)
        if out == "-":
            _write(rows, sys.stdout)
            return
        path = Path(out) if out else directory / "pages.csv"
        count = _replace(path, rows)
        sys.stdout.write(f"{count:,} pages: {path}\n")


def _replace(path: Path, rows: Iterable[Mapping[str, str]]) -> int:
    """Write a file at once: whoever reads it sees the old one or the new one."""
    if path.name.startswith("crawled-"):
        raise ConfigurationError(f"--out {path}: crawled-*.csv are the crawl's own files; choose another name")
    scratch = path.with_name(path.name + ".new")
    try:
        with scratch.open("w", newline="", encoding="utf-8") as file:
            count = _write(rows, file)
        scratch.replace(path)
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be written ({error.strerror}); choose another place") from error
    return count


def _write(rows: Iterable[Mapping[str, str]], file: TextIO) -> int:
    from crawler_project.reports.csv_rows import COLUMNS

    writer = csv.DictWriter(file, COLUMNS)
    writer.writeheader()
    count = 0
    for row in rows:
        writer.writerow(row)
        count += 1
    return count
