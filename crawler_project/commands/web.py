"""``scrapy web``: make webs for the simulator, and describe them."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, ClassVar

from scrapy.commands import ScrapyCommand

from crawler_project.core.errors import ConfigurationError
from crawler_project.reports.printable import tell

if TYPE_CHECKING:
    from crawler_project.core.target import Target
    from crawler_project.simulator.crawled_web import CrawledPage
    from crawler_project.simulator.web import Web
    from crawler_project.simulator.web_recorder import Recording

DEFAULT_PAGES = "1000000"
DEFAULT_SEED = "1"
_WARC = (".warc", ".warc.gz")
_PAGES = (*_WARC, ".jsonl", ".jsonl.gz", ".jsonl.zst")


class Command(ScrapyCommand):
    """Make and describe webs."""

    requires_crawler_process = False
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        return (
            "synth DIR [--target th] [--pages N] [--seed K] | stats WEB [--json] [--plot FILE] | "
            "record SOURCE --out DIR [--target CODE] [--seeds FILE] [--judge NAME] [--no-texts | --tags paper|html5 --label FIELD]"
        )

    def short_desc(self) -> str:
        return "Make webs for scrapy simulate, and describe them"

    def long_desc(self) -> str:
        return (
            "synth generates a web that has the measured shape of a language's web (th, ko, ja, zh). stats prints "
            "Tables 3 to 5 and the values of Figures 2 and 3 of Somboonviwat 2006 for any web. record makes a web of a "
            "recorded collection (.jsonl, .jsonl.zst), of WARC files, of a folder that holds either, or of a crawl's output (then with few links)."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument(
            "--target", metavar="CODE", help="synth: th, ko, ja or zh (default: th); record: any language"
        )
        parser.add_argument("--pages", metavar="N", default=DEFAULT_PAGES, help="synth: pages (default: %(default)s)")
        parser.add_argument("--seed", metavar="K", default=DEFAULT_SEED, help="synth: another seed, another web (default: %(default)s)")  # fmt: skip
        parser.add_argument(
            "--no-texts", action="store_true", help="record: do not keep texts, which topic models need"
        )
        parser.add_argument("--tags", metavar="NAME", default="paper", help="record: block tags, paper or html5 (default: %(default)s)")  # fmt: skip
        parser.add_argument("--label", metavar="FIELD", default="topic", help="record: field of a collection's pages that names their topic (default: %(default)s)")  # fmt: skip
        parser.add_argument("--out", metavar="DIR", help="record: where the web is written")
        parser.add_argument(
            "--seeds",
            metavar="FILE",
            help="record: URLs to start from (default: of each host's target pages the one with the shortest address)",
        )
        parser.add_argument(
            "--judge", metavar="NAME", help="record: judge every page, also those that the collection labels"
        )
        parser.add_argument("--plot", metavar="FILE", help="stats: draw Figures 2 and 3 (.png, .svg, .pdf)")
        parser.add_argument("--json", action="store_true", help="stats: print one JSON object")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Do one of the actions; one line on standard error and exit code 2 when that cannot be done."""
        actions = {"synth": _synth, "stats": _stats, "record": _record}
        try:
            options = [arg for arg in args if arg.startswith("-")]
            if options or len(args) != 2 or args[0] not in actions:
                what = f"unknown option {options[0]}" if options else f"say which of {', '.join(actions)}, and one path"
                raise ConfigurationError(f"{what}; usage: scrapy web {self.syntax()}")
            actions[args[0]](Path(args[1]), opts)
        except (ConfigurationError, OSError) as error:
            tell(f"scrapy web: {error}")
            self.exitcode = 2
        except KeyboardInterrupt:
            tell("scrapy web: interrupted; a web without meta.json is not whole")
            self.exitcode = 130


def _synth(folder: Path, opts: argparse.Namespace) -> None:
    # Here and below, because Scrapy imports all commands before it runs one.
    from crawler_project.simulator.recipe import GENERATOR_VERSION, recipe_for
    from crawler_project.simulator.synth import synthesize
    from crawler_project.simulator.web_folder import check_web_folder, remove_texts
    from crawler_project.simulator.web_writer import write_web

    begin = perf_counter()
    target = opts.target or "th"
    pages, seed = _whole_number("pages", opts.pages), _whole_number("seed", opts.seed)
    check_web_folder(folder)
    web = synthesize(recipe_for(target), pages, seed)
    remove_texts(folder)
    made = {"generator": "scrapy web synth", "generator_version": GENERATOR_VERSION, "target": target, "seed": seed}
    write_web(web, folder, made)
    seconds = perf_counter() - begin
    print(f"{folder}: {web.n_pages:,} pages, {web.n_links:,} links, {web.n_hosts:,} hosts in {seconds:.1f} s")


def _whole_number(name: str, text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = -1
    if number < 0:
        raise ConfigurationError(f"--{name} {text} does not fit; allowed: a whole number, 0 or more")
    return number


def _stats(path: Path, opts: argparse.Namespace) -> None:
    from crawler_project.simulator.figure_file import check_figure_file
    from crawler_project.simulator.read_web import read_web

    if opts.plot:
        check_figure_file(Path(opts.plot))
    web = read_web(path)
    figures = _measure(web)
    if opts.plot:
        from crawler_project.simulator.stats_figure import draw_distances

        draw_distances(figures["figure_2"], figures["figure_3"], web.target_lang, Path(opts.plot))
    print(json.dumps(figures) if opts.json else "\n".join(_describe(web, figures)))


def _record(source: Path, opts: argparse.Namespace) -> None:
    from crawler_project.simulator.text_recorder import FORMAT
    from crawler_project.simulator.web_folder import check_web_folder, remove_texts
    from crawler_project.simulator.web_writer import write_web

    if not opts.out:
        raise ConfigurationError("record needs --out DIR, where the web is written")
    check_web_folder(Path(opts.out))
    begin = perf_counter()
    files = sorted(path for path in source.rglob("*") if path.name.endswith(_PAGES)) if source.is_dir() else [source]
    web, how = _recorded_web(files, opts) if files else _crawled_web(source, opts)
    notes = {"recorded_from": source.name, "links": how}
    if opts.no_texts or not files:
        remove_texts(Path(opts.out))
    else:
        notes |= {"texts": FORMAT, "tags": opts.tags}
    write_web(web, Path(opts.out), notes)
    seconds = perf_counter() - begin
    print(
        f"{opts.out}: {web.n_pages:,} pages, {web.n_links:,} links, {web.n_hosts:,} hosts, "
        f"{len(web.seeds)} seeds in {seconds:.1f} s; links: {how}"
    )


def _recorded_web(files: Sequence[Path], opts: argparse.Namespace) -> tuple[Web, str]:
    """Make a web of pages that were kept: all their links."""
    from tqdm import tqdm

    from crawler_project.page.blocks import Cut
    from crawler_project.relevance.language.judges import make_anchor_judge, make_language_judge
    from crawler_project.simulator.parquet_web import read_seed_lines
    from crawler_project.simulator.text_recorder import TextRecorder
    from crawler_project.simulator.web_recorder import WebRecorder

    target = _target(opts.target)
    cut = Cut(tags=opts.tags).checked()
    judge = make_language_judge(opts.judge or "combined", target)
    texts = None if opts.no_texts else TextRecorder(Path(opts.out))
    recorder = WebRecorder(target, judge, make_anchor_judge(target), texts, cut)
    for recording in tqdm(_recordings(files, opts.label), unit="page", desc="record", disable=None):
        recorder.add(recording._replace(language="") if opts.judge else recording)
    return recorder.build(read_seed_lines(Path(opts.seeds)) if opts.seeds else ()), "all between recorded pages"


def _crawled_web(folder: Path, opts: argparse.Namespace) -> tuple[Web, str]:
    """Make a web of a crawl's CSV files: the links by which pages were found."""
    from crawler_project.relevance.language.judges import make_anchor_judge
    from crawler_project.reports.crawl_info import load_crawl_info
    from crawler_project.simulator.crawled_web import crawled_web

    if opts.seeds or opts.judge:
        raise ConfigurationError("--seeds and --judge are for pages that were kept; a crawl's output has both already")
    target = _target(opts.target or ",".join(load_crawl_info(folder).target))
    return crawled_web(
        _crawled_pages(folder), target, make_anchor_judge(target)
    ), "only those by which pages were found"


def _crawled_pages(folder: Path) -> Iterator[CrawledPage]:
    """The rows of a crawl; those of several workers as ``scrapy export`` merges and numbers them."""
    import csv

    from crawler_project.reports.csv_rows import find_files, undefuse
    from crawler_project.reports.merged_rows import is_of_workers, merged_rows
    from crawler_project.simulator.crawled_web import CrawledPage

    csv.field_size_limit(1 << 30)  # a title may be as long as its page
    rows = merged_rows(folder) if is_of_workers(find_files(folder)) else _rows_as_they_are(folder)
    for row in rows:
        values: dict[str, Any] = {name: undefuse(str(row[name] or "")) for name in CrawledPage._fields}
        for name in ("position", "depth"):
            values[name] = int(values[name]) if values[name].isdecimal() else 0
        yield CrawledPage(**values)


def _rows_as_they_are(folder: Path) -> Iterator[Mapping[str, Any]]:
    import pyarrow as pa

    from crawler_project.reports.csv_rows import find_files, read_batches
    from crawler_project.simulator.crawled_web import CrawledPage

    types = {name: pa.int64() if name in ("position", "depth") else pa.string() for name in CrawledPage._fields}
    for path in find_files(folder):
        for batch in read_batches(path, types, []):
            yield from batch.to_pylist()


def _target(text: str | None) -> Target:
    from crawler_project.core.target import Target
    from crawler_project.relevance.language.model import known_languages

    if not text:
        raise ConfigurationError("record needs --target CODE, such as ko")
    return Target.parse(text, known_languages())


def _recordings(files: Sequence[Path], label: str) -> Iterator[Recording]:
    """Walk the pages of collections and WARC files."""
    from crawler_project.simulator.warc_recordings import warc_recordings

    for path in files:
        yield from warc_recordings(path) if path.name.endswith(_WARC) else _collection_recordings(path, label)


def _collection_recordings(path: Path, label: str) -> Iterator[Recording]:
    import zlib

    import zstandard

    from crawler_project.serving.recorded_lines import EXPECTED, recorded_lines

    try:
        for number, line in enumerate(recorded_lines(path), 1):
            if line.strip():
                yield _collection_recording(path, number, line, label)
    except (OSError, EOFError, zlib.error, zstandard.ZstdError) as error:
        raise ConfigurationError(f"{path} cannot be read ({error}); expected {EXPECTED}") from error


def _collection_recording(path: Path, number: int, line: str, label: str) -> Recording:
    from crawler_project.core.values import UNKNOWN
    from crawler_project.serving.page_bytes import content_type, encode_html
    from crawler_project.simulator.web_recorder import Recording

    try:
        record = json.loads(line)
        url, html, charset = record["url"], record.get("html") or "", record.get("charset") or "utf-8"
        body = encode_html(html, charset)
        kind = content_type(url, body, charset)
        location = record.get("location") or ""
        language = str(record["text_lang"] or UNKNOWN).partition("-")[0] if "text_lang" in record else ""
        topic = str(record.get(label) or "")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ConfigurationError(
            f"{path} line {number} is no page of a collection: {type(error).__name__} {error}"
        ) from error
    return Recording(url, body, kind, location, language, topic)


def _measure(web: Web) -> dict[str, Any]:
    from crawler_project.simulator.stats import (
        LANGUAGES,
        language_table,
        link_counts,
        nearest_target_distances,
        target_share_by_distance,
    )

    sources = zip(("target", "other"), link_counts(web), strict=True)
    return {
        "pages": web.n_pages,
        "links": web.n_links,
        "hosts": web.n_hosts,
        "target_lang": web.target_lang,
        "table_3": {group: dict(zip(LANGUAGES, row, strict=True)) for group, row in language_table(web).items()},
        "table_4_and_5": {
            source: {kind: {"links": ratio.links, "to_target": ratio.share} for kind, ratio in counts._asdict().items()}
            for source, counts in sources
        },
        "figure_2": target_share_by_distance(web),
        "figure_3": nearest_target_distances(web),
    }


def _describe(web: Web, figures: Mapping[str, Any]) -> Iterator[str]:
    target = web.target_lang
    yield f"{web.n_pages:,} pages, {web.n_links:,} links, {web.n_hosts:,} hosts, target {target}, {len(web.seeds)} seeds"
    yield "\nTable 3: pages by language and top-level domain"
    yield from _language_rows(figures["table_3"], target)
    yield "\nTables 4 and 5: share of links that lead to target pages (number of links)"
    for kind in figures["table_4_and_5"]["target"]:
        cells = [figures["table_4_and_5"][source][kind] for source in ("target", "other")]
        on_target, on_others = (f"{cell['to_target']:7.1%} ({cell['links']:,})" for cell in cells)
        yield f"  {kind.replace('_', ' '):<14} on target pages {on_target:<22} on others {on_others}"
    yield "\nFigure 2: share of target pages within a distance from the seeds"
    yield from _series(figures["figure_2"], 0)
    yield "\nFigure 3: target pages by distance from the nearest target page before them"
    yield from _series(figures["figure_3"], 1)


def _language_rows(table: Mapping[str, Mapping[str, int]], target: str) -> Iterator[str]:
    columns = {group: list(row.values()) for group, row in table.items()}
    total = sum(map(sum, columns.values())) or 1
    yield "  " + "".join(f"{name:>12}" for name in ("", *columns, "all", "share"))
    for row, language in enumerate(next(iter(table.values()))):
        numbers = [column[row] for column in columns.values()]
        name = target if language == "target" else language
        yield (
            f"  {name:>12}"
            + "".join(f"{number:>12,}" for number in (*numbers, sum(numbers)))
            + f"{sum(numbers) / total:>12.1%}"
        )


def _series(shares: Sequence[float], first: int) -> Iterator[str]:
    for distance, share in enumerate(shares, first):
        yield f"  {distance:>3} {share:8.3%}"
