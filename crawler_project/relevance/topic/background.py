"""Texts about all sorts of things, to train a topic against: what is shipped, for users without unlabelled texts."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import zstandard

from crawler_project.core.errors import StateError

BACKGROUND: Final = Path(__file__).parent / "data" / "background.jsonl.zst"
FEWEST: Final = 50
"""Texts of one language that are enough; with fewer, all languages serve."""


class Background(NamedTuple):
    """Unlabelled texts, and what to tell the user about them."""

    texts: list[str]
    note: str


def background_texts(language: str) -> Background:
    """Give the shipped texts in ``language``; of all languages where there are fewer than 50 in it.

    Texts of another language would teach the language instead of the topic.

    Raises:
        StateError: the shipped file is missing or damaged.
    """
    rows = list(_rows())
    texts = [text for code, text in rows if code == language]
    if len(texts) >= FEWEST:
        return Background(texts, f"{len(texts):,} shipped texts in {language}")
    return Background(
        [text for _, text in rows],
        f"{len(rows):,} shipped texts in other languages than {language}, because there are only {len(texts)} in it: "
        "the model may learn the language instead of the topic; give --unlabelled texts",
    )


def _rows() -> Iterator[tuple[str, str]]:
    try:
        with BACKGROUND.open("rb") as file:
            for line in io.TextIOWrapper(zstandard.ZstdDecompressor().stream_reader(file), encoding="utf-8"):
                row = json.loads(line)
                yield row["language"], row["text"]
    except (OSError, ValueError, KeyError, zstandard.ZstdError) as error:
        raise StateError(
            f"the shipped texts {BACKGROUND} cannot be read: {str(error)[:80]}; "
            "restore the file from the repository or install the project again"
        ) from error
