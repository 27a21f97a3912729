"""``scrapy seeds make``: the whole chain from a directory to seeds, step by step in one folder."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crawler_project.core.errors import ConfigurationError
from crawler_project.core.target import Target
from crawler_project.core.urls import canonical_url
from crawler_project.relevance.language.model import known_languages
from crawler_project.seed_jobs.files import Counted, file_states, read_lines
from crawler_project.seed_jobs.identify import WAYS, identify
from crawler_project.seed_jobs.ranks import rank
from crawler_project.seed_jobs.steps import extract, sample, sort
from crawler_project.seeding.chain_report import StepRecord, write_report
from crawler_project.seeding.seed_table import Row, SeedTable
from crawler_project.seeding.step_output import write_step

if TYPE_CHECKING:
    from scrapy.settings import Settings


@dataclass(frozen=True)
class Chain:
    """What a user asked ``make`` for."""

    target: str
    sources: Sequence[str]
    folder: str
    reading: Mapping[str, Any]
    """Of :func:`~crawler_project.seed_jobs.steps.extract`."""
    topics: Sequence[str]
    without: Sequence[str]
    keep: Sequence[str]
    by: str
    judge: str
    links: str
    """Empty: seeds are drawn at random, as in the paper."""
    sampling: Mapping[str, Any]
    """Of :func:`~crawler_project.seed_jobs.steps.sample`."""


def make_seeds(chain: Chain, settings: Settings) -> Counted:
    """Extract, sort, identify, rank where there are links, and sample; then write a report.

    The source of the chain is Chan & Yamana 2010, Section 3. Each step's file stays in the folder; called again, steps
    whose input and options are the same are not done again, and one that was interrupted goes on.

    Raises:
        ConfigurationError: something that was asked for cannot be done; said before the first step where it can be.
        StateError: a crawl of the seeds' pages was interrupted.
    """
    languages = _checked(chain, settings)
    folder = _Folder(Path(chain.folder))
    files = {name: str(folder.path / name) for name in ("1-extracted.csv", "2-sorted.csv", "3-identified.csv", "4-ranked.csv")}  # fmt: skip
    extracted, ordered, identified, ranked = files.values()
    options = asdict(chain)
    folder.step("extract", [options["sources"], file_states(chain.sources), chain.reading, chain.topics, chain.without],
                lambda: extract(chain.sources, extracted, topics=chain.topics, without=chain.without, **chain.reading))  # fmt: skip
    folder.step("sort", [chain.keep], lambda: sort(extracted, ordered, keep=chain.keep, unique=True, **folder.tables("figure-2")))  # fmt: skip
    folder.step("identify", [chain.by, chain.judge], lambda: identify(
        ordered, identified, by=chain.by, settings=settings, judge=chain.judge, job=str(folder.path / "pages"),
        dead=str(folder.path / "dead.csv") if chain.by == "page" else "", **folder.tables("table-1")))  # fmt: skip
    if chain.links:
        folder.step("rank", [chain.links], lambda: rank(identified, ranked, links=chain.links))
    written = sum(
        folder.step(
            f"sample {language}",
            [chain.links, chain.sampling],
            _sampler(chain, language, identified, ranked, folder.path),
        ).written
        for language in languages
    )
    report = write_report(folder.path, list(folder.records), sorted(languages))
    return Counted(folder.records[0].read, written, notes=[*folder.lines(), f"report: {report}"])


def _checked(chain: Chain, settings: Settings) -> list[str]:
    if not chain.sources:
        raise ConfigurationError("make needs --from FILE, a directory or any list of addresses")
    if chain.by not in WAYS:
        raise ConfigurationError(f"by={chain.by!r} is no way to identify; choose one of {', '.join(WAYS)}")
    for name in (*chain.sources, *([chain.links] if chain.links else [])):
        if name != "-" and not Path(name).exists():
            raise ConfigurationError(f"{name!r} does not exist")
    return sorted(Target.parse(chain.target, known_languages(settings.get("LANGUAGE_MODEL") or None)).languages)


def _sampler(chain: Chain, language: str, identified: str, ranked: str, folder: Path) -> Callable[[], Counted]:
    def run() -> Counted:
        path = folder / f"{language}.csv"
        if chain.links:
            counted = best(ranked, str(path), language, chain.sampling["n"], chain.sampling["per_host"])
        else:
            counted = sample(identified, str(path), languages=[language], **chain.sampling)
        table = read_lines(path)
        url = table.column("url")
        (folder / f"{language}.txt").write_text("".join(sorted(f"{row[url]}\n" for row in table.rows)), "utf-8")
        return counted

    return run


def best(source: str, output: str, language: str, n: int, per_host: int) -> Counted:
    """Take the first ``n`` rows of a language, at most ``per_host`` of a host (0: no limit)."""
    table = read_lines(Path(source))
    chosen = list(_first(table, language, n, per_host))
    write_step(output, lambda skip: (table.header, chosen))
    return Counted(len(chosen), len(chosen))


def _first(table: SeedTable, language: str, n: int, per_host: int) -> Iterator[Row]:
    url, label = table.column("url"), table.column("language")
    taken: dict[str, int] = {}
    for row in table.rows:
        parts = canonical_url(row[url])
        if row[label] == language and parts and (not per_host or taken.get(parts.host, 0) < per_host):
            taken[parts.host] = taken.get(parts.host, 0) + 1
            yield row
            if sum(taken.values()) >= n:
                return


class _Folder:
    """The steps that were done in a folder, each with what decided its result."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.records: list[StepRecord] = []
        self._before: list[object] = []
        self._file = path / "make.json"
        try:
            path.mkdir(parents=True, exist_ok=True)
            self._done: dict[str, Any] = json.loads(self._file.read_text("utf-8")) if self._file.exists() else {}
        except OSError as error:
            raise ConfigurationError(f"output={str(path)!r} cannot be made: {error.strerror or error}") from error
        except ValueError:
            self._done = {}

    def tables(self, name: str) -> dict[str, str]:
        return {"table": str(self.path / f"{name}.csv"), "picture": str(self.path / f"{name}.png")}

    def step(self, name: str, options: object, run: Callable[[], Counted]) -> StepRecord:
        """Run a step, unless it was done with the same options after the same steps."""
        identity = json.dumps([*self._before, name, options], sort_keys=True, default=str)
        self._before = [identity] if not name.startswith("sample") else self._before
        done = self._done.get(name)
        if not done or done["identity"] != identity:
            counted = run()
            done = {"identity": identity, "read": counted.read, "written": counted.written, "notes": counted.notes[:50]}
            self._done[name] = done
            self._file.write_text(json.dumps(self._done, ensure_ascii=False, indent=1) + "\n", "utf-8")
        record = StepRecord(name, done["read"], done["written"], done["notes"])
        self.records.append(record)
        return record

    def lines(self) -> Iterator[str]:
        for record in self.records:
            yield f"{record.name:<12} {record.read:>10,} read {record.written:>10,} kept"
