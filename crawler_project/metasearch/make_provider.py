"""Providers by name, as ``--provider NAME=WHERE`` has them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from crawler_project.core.errors import ConfigurationError
from crawler_project.core.urls import canonical_url
from crawler_project.metasearch.brave import KEY_VARIABLE, Brave
from crawler_project.metasearch.common_crawl import EXAMPLE, CommonCrawl
from crawler_project.metasearch.directory_file import DirectoryFile
from crawler_project.metasearch.provider import Provider
from crawler_project.metasearch.saved_page import SavedPage
from crawler_project.metasearch.searxng import Searxng

PROVIDERS: Final[Mapping[str, str]] = {
    "searxng": "searxng=http://127.0.0.1:8080",
    "brave": f"brave (with the key in {KEY_VARIABLE})",
    "commoncrawl": f"{EXAMPLE} (or a saved answer: commoncrawl=FILE)",
    "file": "file=directory.rdf.gz",
    "page": "page=results.html",
}
"""How each is named."""


def make_provider(text: str, queries: Sequence[str], language: str, environment: Mapping[str, str]) -> Provider:
    """Make the provider that ``text`` names: ``NAME`` or ``NAME=WHERE``.

    Raises:
        ConfigurationError: an unknown name, or one that lacks what it needs.
    """
    name, _, where = (part.strip() for part in text.partition("="))
    if name not in PROVIDERS:
        raise ConfigurationError(f"provider {text!r} is unknown; name one of {'; '.join(PROVIDERS.values())}")
    if name == "brave":
        key = environment.get(KEY_VARIABLE, "").strip()
        if not key or not key.isascii() or not key.isprintable():
            raise ConfigurationError(f"provider brave needs a key: set {KEY_VARIABLE} in the environment")
        return Brave(key, language, _address(name, where) if where else "")
    if not where:
        raise ConfigurationError(f"provider {name!r} needs a place; write it like {PROVIDERS[name]}")
    if name == "searxng":
        return Searxng(_address(name, where), language)
    if name == "commoncrawl" and where.startswith(("http://", "https://")):
        _address(name, where)
        return CommonCrawl(where)
    if not Path(where).is_file():
        raise ConfigurationError(f"provider {name}={where!r}: no such file")
    return SavedPage(where) if name == "page" else DirectoryFile(where, queries, name)


def _address(name: str, where: str) -> str:
    if not where.startswith(("http://", "https://")) or canonical_url(where) is None:
        raise ConfigurationError(f"provider {name}={where!r} needs an http or https address, like {PROVIDERS[name]}")
    return where
