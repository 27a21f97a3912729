"""Who may import whom (docs/architecture.md): the rule, held by a walk over the code."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "crawler_project"

PURE = ("core", "page", "relevance", "strategies", "verification")
"""These import core, themselves and their own libraries."""
NEVER_IN_PURE = {
    "scrapy",
    "scrapy_redis",
    "redis",
    "twisted",
    "aiohttp",
    "asyncio",
    "socket",
    "sqlite3",
    "time",
    "logging",
}
ALLOWED_ROOMS = {
    "core": set(),
    "page": {"core"},
    "relevance": {"core"},
    "strategies": {"core"},
    "verification": {"core"},
    "frontier": {"core"},
    "simulator": {"core", "page", "relevance", "strategies", "verification"},
    "reports": {"core", "strategies"},
    "seeding": {"core"},
    "serving": {"core"},
    "metasearch": {"core", "page", "seeding", "verification"},
}
NEVER_IN_ROOM = {
    "frontier": {"scrapy", "twisted", "aiohttp"},
    "simulator": {"scrapy", "redis", "twisted", "aiohttp"},
    "reports": {"scrapy", "redis", "twisted"},
    "seeding": {"redis", "twisted"},
    "serving": {"scrapy", "redis", "twisted"},
    "metasearch": {"scrapy", "redis", "twisted", "aiohttp"},
    "strategies": {"page"},
}


def modules(room: str) -> list[Path]:
    return sorted((PACKAGE / room).rglob("*.py"))


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def existing_rooms() -> list[str]:
    return [room for room in ALLOWED_ROOMS if modules(room)]


@pytest.mark.parametrize("room", existing_rooms())
def test_room_imports_only_rooms_that_it_may(room: str) -> None:
    allowed = ALLOWED_ROOMS[room] | {room}
    wrong = [
        f"{path.relative_to(PACKAGE)}: {name}"
        for path in modules(room)
        for name in imports(path)
        if name.startswith("crawler_project.") and name.split(".")[1] not in allowed
    ]
    assert wrong == []


@pytest.mark.parametrize("room", existing_rooms())
def test_room_imports_no_library_of_the_rim(room: str) -> None:
    never = NEVER_IN_PURE if room in PURE else NEVER_IN_ROOM.get(room, set())
    wrong = [
        f"{path.relative_to(PACKAGE)}: {name}"
        for path in modules(room)
        for name in imports(path)
        if name.split(".")[0] in never
    ]
    assert wrong == []


def test_no_module_is_called_utils_helpers_or_managers() -> None:
    names = {path.stem for path in PACKAGE.rglob("*.py")} | {path.name for path in PACKAGE.rglob("*") if path.is_dir()}
    assert names.isdisjoint({"utils", "util", "helpers", "helper", "managers", "manager", "common", "misc"})


def test_no_module_is_named_like_a_library_that_it_uses() -> None:
    libraries = {name.split(".")[0] for path in PACKAGE.rglob("*.py") for name in imports(path)} - {"crawler_project"}
    stems = {path.stem for path in PACKAGE.rglob("*.py")} - {"__init__"}
    assert stems & libraries == set()
