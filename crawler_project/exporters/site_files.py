"""The files of a site verification: pages.csv, evidence.jsonl, and sites.csv, which follows from the evidence."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, BinaryIO, Final

from crawler_project.core.errors import StateError
from crawler_project.items import PageItem

SITE_COLUMNS: Final = (
    "site",
    "verdict",
    "reason",
    "good_pages",
    "pages",
    "relevance",
    "best_urls",
    "classes",
    "start",
    "found_by",
    "moved_to",
    "rules",
    "decided_at",
)
_MOST_URLS = 5
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


@dataclass(slots=True)
class SitePageRow:
    """A page that a verification fetched, or tried to; the fields are the columns of pages.csv."""

    site: str
    url: str
    """As the verifier asked for it."""
    final_url: str
    number: int
    """1 for the first page of its site."""
    outcome: str
    """``page``, or why there was none: ``status 404``, ``robots``, ``timeout``."""
    score: float
    """F, 0 to 1."""
    is_good: bool
    rules: str
    """The rules that held, by name."""
    abstract_url: str
    title: str
    fetched_at: str


class SiteFiles:
    """Append to the files of one verification; what lies beyond the sizes of a checkpoint is cut off.

    Args:
        folder: must exist.
        with_pages: write pages.csv, too.
        sizes: bytes of each file at the latest checkpoint; ``None`` for a new verification.
        worker: part of the file names where several workers write into one folder; their lines are
            handed to the system at once, and evidence to the disk.
        defuse_formulas: put ``'`` before a leading ``=``, ``+``, ``-``, ``@`` of texts from the web.

    Raises:
        StateError: a file is shorter than its checkpoint says.
    """

    def __init__(
        self,
        folder: Path,
        sizes: Mapping[str, int] | None,
        *,
        worker: str = "",
        with_pages: bool = True,
        defuse_formulas: bool = True,
    ) -> None:
        self._folder = folder
        self._is_shared = bool(worker)
        self._defuse = defuse_formulas
        ending = f".{worker}" if worker else ""
        self.pages_name, self.evidence_name = f"pages{ending}.csv", f"evidence{ending}.jsonl"
        if sizes is not None:
            for name in (self.pages_name, self.evidence_name)[not with_pages :]:
                _cut_back(folder / name, sizes.get(name, 0))
        self._evidence = (folder / self.evidence_name).open("ab")
        self._pages = (folder / self.pages_name).open("ab") if with_pages else None
        if self._pages and self._pages.tell() == 0:
            self._write_row(self._pages, [field.name for field in fields(SitePageRow)])
        self._new = 0
        self._listed = 0

    def write(self, item: PageItem) -> None:
        """Do nothing: the rows of a verification are not those of a crawl."""

    def write_page(self, row: SitePageRow) -> None:
        """Append a row to pages.csv."""
        assert self._pages is not None
        texts = {"title": defused(row.title) if self._defuse else row.title}
        values = [texts.get(field.name, getattr(row, field.name)) for field in fields(row)]
        self._write_row(self._pages, ["true" if v is True else "false" if v is False else v for v in values])
        if self._is_shared:
            self._pages.flush()

    def write_verdict(self, record: Mapping[str, Any]) -> None:
        """Append the evidence of a site; it is durable when this returns."""
        self._evidence.write(json.dumps(record, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
        self._new += 1
        if self._is_shared:
            self.sync()

    def sync(self) -> None:
        """Have the disk hold all evidence so far."""
        self._evidence.flush()
        os.fsync(self._evidence.fileno())

    def flush(self) -> dict[str, int]:
        """Hand everything to the operating system; the size in bytes of each file."""
        if self._pages:
            self._pages.flush()
        self._evidence.flush()
        if self._new * 20 > self._listed:  # the list grows by a twentieth each time, so that writing it costs little
            self.write_sites()
        sizes = {self.pages_name: self._pages.tell()} if self._pages else {}
        return {**sizes, self.evidence_name: self._evidence.tell()}

    def write_sites(self, undecided: Iterable[Mapping[str, Any]] = ()) -> None:
        """Write sites.csv anew from the evidence of all workers in the folder, each site once, and what is undecided."""
        self._evidence.flush()
        decided = {record["site"]: record for record in read_evidence(self._folder)}
        records: dict[str, Mapping[str, Any]] = {**{record["site"]: record for record in undecided}, **decided}
        scratch = self._folder / f"sites.csv.{self.evidence_name}.new"
        with scratch.open("w", encoding="utf-8", newline="", errors="replace") as file:
            writer = csv.writer(file)
            writer.writerow(SITE_COLUMNS)
            writer.writerows(site_row(record) for record in records.values())
        scratch.replace(self._folder / "sites.csv")
        self._listed, self._new = len(records), 0

    def close(self, undecided: Iterable[Mapping[str, Any]] = ()) -> None:
        self.write_sites(undecided)
        if self._pages:
            self._pages.close()
        self._evidence.close()

    @staticmethod
    def _write_row(file: BinaryIO, values: list[Any]) -> None:
        text = io.StringIO(newline="")
        csv.writer(text).writerow(values)
        file.write(text.getvalue().encode("utf-8", "replace"))


def read_evidence(folder: Path) -> Iterator[dict[str, Any]]:
    """Read the evidence of all workers in ``folder``, one record a verdict; lines that were cut off are left out."""
    for path in sorted(folder.glob("evidence*.jsonl")):
        with path.open("rb") as file:
            for line in file:
                try:
                    record = json.loads(line)
                except ValueError:
                    continue
                if isinstance(record, dict) and "site" in record:
                    yield record


def site_row(record: Mapping[str, Any]) -> list[str]:
    """Give the row of sites.csv (:data:`SITE_COLUMNS`) of a piece of evidence."""
    best = sorted(record["good_pages"] or record["pages"], key=lambda page: -page["score"])[:_MOST_URLS]
    classes = sorted(record["classes"], key=lambda one: (-one["expanded"], -one["queued"]))[:_MOST_URLS]
    cells = {
        **{name: record.get(name, "") for name in SITE_COLUMNS},
        "verdict": "" if record["reason"] == "undecided" else "true" if record["verdict"] else "false",
        "good_pages": len(record["good_pages"]),
        "pages": len(record["pages"]),
        "relevance": f"{record['relevance']:.4f}",
        "best_urls": " ".join(page["url"] for page in best),
        "classes": " | ".join(
            f"{one['abstract_url']} {one['heuristic']:.2f} ({one['expanded']}+{one['queued']})" for one in classes
        ),
    }
    return [defused(str(cells[name])) for name in SITE_COLUMNS]


def defused(text: str) -> str:
    """Put ``'`` before what a spreadsheet would run as a formula."""
    return "'" + text if text.startswith(_FORMULA) else text


def _cut_back(path: Path, size: int) -> None:
    have = path.stat().st_size if path.exists() else 0
    if have < size:
        raise StateError(
            f"{path} is shorter than when the verification was saved ({size} bytes); restore it, or start anew with another JOBDIR"
        )
    if have > size:
        with path.open("r+b") as file:
            file.truncate(size)
