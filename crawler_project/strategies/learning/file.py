"""All that a crawl has learned and remembers in one file: to go on with it, and to explain it afterwards."""

from __future__ import annotations

import json
import struct
import zipfile
import zlib
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from crawler_project.core.errors import ConfigurationError
from crawler_project.core.values import Counts
from crawler_project.strategies.adaptive import Adaptive
from crawler_project.strategies.learning.memory import ANY_NEW_HOST, directory_slot, site_of, url_slot
from crawler_project.strategies.learning.weighing import Weighing

FORMAT = "crawler-adaptive-memory/8"
LARGEST = 1 << 29
"""Bytes of a file that is read at all; the seven tables take 28 MB where nothing can be compressed, the links that wait some 200 B each."""
_ABOUT = "format.json"
_KINDS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_DAMAGED = (zipfile.BadZipFile, zlib.error, struct.error, ValueError, KeyError, EOFError, RuntimeError)
"""What the library raises for archives that are none, damaged, encrypted or of kinds that it cannot read."""


def write_memory(path: Path, strategy: Adaptive) -> str:
    """Write what :meth:`Adaptive.state` gives; an older file there is replaced as a whole. Plain data: JSON and bytes.

    Returns:
        The file's digest, by which a later run knows it.

    Raises:
        ConfigurationError: the file cannot be written.
    """
    part = path.with_name(path.name + ".part")
    try:
        with zipfile.ZipFile(part, "w") as file:
            file.writestr(_ABOUT, json.dumps({"format": FORMAT, "strategy": repr(strategy)}))
            for name, value in strategy.state().items():
                file.writestr(zipfile.ZipInfo(name), value, zipfile.ZIP_DEFLATED if name == "model" else None)
        part.replace(path)
        return digest_of(path)
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be written: {error.strerror or error}") from error


def digest_of(path: Path) -> str:
    """Give the SHA-256 of a file; empty when it cannot be read."""
    try:
        return sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""


def read_memory(path: Path) -> dict[str, bytes]:
    """Read what :func:`write_memory` wrote, for :meth:`Adaptive.restore`.

    Raises:
        ConfigurationError: no such file, a damaged one, or one of another version.
    """
    try:
        if path.stat().st_size > LARGEST:
            raise ConfigurationError(f"{path} is not what a crawl remembers: it is too large")
        with zipfile.ZipFile(path) as file:
            if sum(part.file_size for part in file.infolist()) > LARGEST:
                raise ConfigurationError(f"{path} is not what a crawl remembers: it is too large")
            if any(part.compress_type not in _KINDS for part in file.infolist()):
                raise zipfile.BadZipFile
            parts = {name: file.read(name) for name in file.namelist()}
        about = json.loads(parts.pop(_ABOUT))
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be read: {error.strerror or error}") from error
    except _DAMAGED as error:
        raise ConfigurationError(f"{path} is damaged, or not what a crawl remembers") from error
    found = about.get("format") if isinstance(about, dict) else about
    if found != FORMAT:
        raise ConfigurationError(f"{path} has format {repr(found)[:60]}; this version reads {FORMAT!r}")
    return parts


class Recollection:
    """What a crawl knew at its end, all its workers together.

    Weights are those of the worker that learned from most pages, since workers agree about them; counts of links and pages
    are added up, since each worker counts what it saw.
    """

    def __init__(self, paths: Sequence[Path]) -> None:
        """Read the files of all workers, at least one.

        Raises:
            ConfigurationError: there is none, or one of them cannot be read.
        """
        if not paths:
            raise ConfigurationError("the crawl left no file of what it remembered")
        found = sorted((_restored(path) for path in paths), key=lambda strategy: -strategy.learner.model.examples)
        self._strategy, self._others = found[0], [strategy.learner.memory for strategy in found[1:]]
        self._added: set[int] = set()

    def weigh(self, url: str, host: str, evidence: str, counts: Counts) -> Weighing | None:
        """Give every part of what a queued URL is worth; ``None``: it was queued by another strategy, or as a seed.

        Args:
            counts: downloads of its host, as the frontier knows them.
        """
        memory = self._strategy.learner.memory
        site = site_of(host)
        for slot in {url_slot(url), site.host, site.domain, directory_slot(url, host), ANY_NEW_HOST} - self._added:
            memory.add_up(slot, self._others)
            self._added.add(slot)
        memory.learn_counts(site.host, counts)
        return self._strategy.weigh(url, host, evidence)


def _restored(path: Path) -> Adaptive:
    strategy = Adaptive()
    try:
        strategy.restore(read_memory(path))
    except ValueError as error:
        raise ConfigurationError(f"{path} is damaged: {error}") from error
    return strategy
