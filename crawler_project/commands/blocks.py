"""``scrapy blocks``: the content blocks of a page and the contexts of its links."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

from scrapy.commands import ScrapyCommand

from crawler_project.core.errors import ConfigurationError, CrawlerProjectError
from crawler_project.reports.printable import tell

if TYPE_CHECKING:
    from crawler_project.page.blocks import Cut, Partition

_MOST_BYTES: Final = 8 * 1024 * 1024
_PARAMETERS: Final[Mapping[str, Callable[[str], object]]] = {"alpha": float, "k": int, "tags": str}


class Command(ScrapyCommand):
    """Cut a page into content blocks."""

    requires_crawler_process = False
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        return "FILE|URL [-a alpha=0.5] [-a k=1] [-a tags=paper|html5]"

    def short_desc(self) -> str:
        return "Print the content blocks (CBP) and link contexts of a page as JSON"

    def long_desc(self) -> str:
        return (
            f'{self.short_desc()}: one object with "root_height", "s" and "blocks", each with "text" and "links"; '
            'a link has "href" as it stands on the page, "anchor" and "context".'
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("-a", dest="arguments", action="append", default=[], metavar="NAME=VALUE", help="alpha, k or tags (may be repeated)")  # fmt: skip

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Print the object; one line on standard error and exit code 2 when that cannot be done."""
        try:
            self._cut(args, opts)
        except (CrawlerProjectError, OSError) as error:
            tell(f"scrapy blocks: {error}")
            self.exitcode = 2

    def _cut(self, args: Sequence[str], opts: argparse.Namespace) -> None:
        options = [arg for arg in args if arg.startswith("-")]
        if options or len(args) != 1:
            what = f"unknown option {options[0]}" if options else f"name one page, not {len(args)}"
            raise ConfigurationError(f"{what}; usage: scrapy blocks {self.syntax()}")
        # Here, because Scrapy imports all commands before it runs one.
        from crawler_project.page.blocks import cut_html
        from crawler_project.page.charset import decode

        cut = _parameters(opts.arguments).checked()
        body, content_type = _read(args[0])
        text = json.dumps(_as_json(cut_html(decode(body, content_type).text, cut)), ensure_ascii=False)
        sys.stdout.buffer.write(text.encode("utf-8", "replace") + b"\n")
        sys.stdout.flush()


def _parameters(texts: Sequence[str]) -> Cut:
    from crawler_project.page.blocks import Cut

    given: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or name not in _PARAMETERS:
            raise ConfigurationError(f"{text!r} is no parameter; allowed: alpha=NUMBER, k=NUMBER, tags=NAME")
        try:
            given[name] = _PARAMETERS[name](value)
        except ValueError as error:
            raise ConfigurationError(f"{text} does not fit: {error}") from error
    return Cut(**given)


def _read(place: str) -> tuple[bytes, str]:
    """The bytes of a file or an address, and the Content-Type of the latter."""
    if not place.lower().startswith(("http://", "https://")):
        path = Path(place)
        if not path.is_file():
            raise ConfigurationError(f"{place} is no file; name a saved page or an address that begins with http(s)://")
        with path.open("rb") as file:
            return file.read(_MOST_BYTES), ""
    from urllib.error import URLError
    from urllib.request import Request, urlopen

    from crawler_project import __version__

    request = Request(place, headers={"User-Agent": f"crawler_project/{__version__}"})  # noqa: S310  http(s), see above
    try:
        with urlopen(request, timeout=60) as answer:  # noqa: S310
            return answer.read(_MOST_BYTES), answer.headers.get("Content-Type", "")
    except (URLError, OSError, ValueError) as error:
        raise ConfigurationError(f"{place} cannot be fetched: {error}") from error


def _as_json(partition: Partition) -> dict[str, object]:
    return {
        "root_height": partition.root_height,
        "s": partition.s,
        "blocks": [
            {
                "text": text,
                "links": [{"href": href, "anchor": anchor, "context": context} for href, anchor, context in links],
            }
            for text, links in partition.blocks
        ],
    }
