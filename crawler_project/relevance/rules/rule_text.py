"""What rules read of a page: its title and its visible text in one normal form (V7)."""

from __future__ import annotations

from typing import Final

from crawler_project.core.values import Page
from crawler_project.relevance.rules.normal_form import normal_form

RULE_TEXT: Final = 100_000
"""Characters of a page that rules should see: shops have long menus before the book."""


def rule_text(page: Page) -> str:
    """Give the title and, on the next line, the text of a page, each in NFKC with white space squeezed (V7).

    Full-width letters, digits and signs become plain ones. Each is cut at ``RULE_TEXT`` characters.
    """
    return f"{normal_form(page.title, RULE_TEXT)}\n{normal_form(page.text, RULE_TEXT)}"
