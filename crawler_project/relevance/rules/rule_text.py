"""What rules read of a page: its title and its visible text in one normal form (V7)."""

from __future__ import annotations

import unicodedata
from typing import Final

from crawler_project.core.values import Page

RULE_TEXT: Final = 100_000
"""Characters of a page that rules should see: shops have long menus before the book."""


def rule_text(page: Page) -> str:
    """Give the title and, on the next line, the text of a page, each in NFKC with white space squeezed."""
    return f"{normalised(page.title)}\n{normalised(page.text)}"


def normalised(text: str) -> str:
    """Bring a text into NFKC (full-width letters, digits and signs become plain ones) and squeeze its white space."""
    if not unicodedata.is_normalized("NFKC", text):
        text = unicodedata.normalize("NFKC", text)
    return " ".join(text.split())
