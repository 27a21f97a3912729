"""Which text of a page tells its language."""

from __future__ import annotations

from typing import Final

from crawler_project.core.values import Page
from crawler_project.relevance.language.names import without_language_names
from crawler_project.relevance.language.scripts import LATIN, count_scripts

_PLENTY: Final = 400
"""Characters of prose that need no counting."""
_ENOUGH: Final = 40
"""Letters apart from names of languages. Below it even a menu tells more."""


def text_to_judge(page: Page) -> str:
    """Choose the prose where there is enough of it, else all visible text, else that and the title.

    Menus are left out because an untranslated page under a translated roof has them in the wrong
    language, and code because its words look English.
    """
    if len(page.prose) >= _PLENTY or _is_enough(page.prose):
        return page.prose
    if len(page.text) >= _PLENTY or _is_enough(page.text):
        return page.text
    return f"{page.title} {page.text}" if page.title not in page.text else page.text


def _is_enough(text: str) -> bool:
    return len(text) >= _ENOUGH // 2 and _weight(without_language_names(text)) >= _ENOUGH


def _weight(text: str) -> int:
    """Letters, those that are not Latin twice: a Han character or a Hangul syllable is worth two or more."""
    counts = count_scripts(text)
    return counts[LATIN] + 2 * sum(counts[LATIN + 1 :])
