"""What makes a page a target page, in words."""

from __future__ import annotations

from typing import NamedTuple

from crawler_project.reports.language_names import language_list


class Aim(NamedTuple):
    """The languages of a crawl, its topic, or both: pages must be in one of the languages and on the topic."""

    languages: tuple[str, ...]
    topic: str = ""

    @property
    def languages_alone(self) -> tuple[str, ...]:
        """The languages where nothing else is asked of a page, as in Chan & Yamana's crawls; else none."""
        return () if self.topic else self.languages

    @property
    def is_topic_alone(self) -> bool:
        """Whether a page may be in any language: the crawl's files do not tell which."""
        return bool(self.topic) and not self.languages

    @property
    def name(self) -> str:
        """``Korean``, ``topic react``, ``Korean on topic react``; ``any language`` when nothing is known."""
        language = language_list(self.languages)
        if not self.topic:
            return language or "any language"
        return f"{language} on topic {self.topic}" if language else f"topic {self.topic}"

    @property
    def said_of_pages(self) -> str:
        """What target pages are: ``Korean``, ``on topic react``, ``Korean and on topic react``."""
        parts = [language_list(self.languages), f"on topic {self.topic}" if self.topic else ""]
        return " and ".join(filter(None, parts)) or "on target"

    @property
    def pages(self) -> str:
        """``Korean pages``, ``pages on topic react``, ``Korean pages on topic react``."""
        language = language_list(self.languages) or ("" if self.topic else "target")
        return " ".join(filter(None, [language, "pages", f"on topic {self.topic}" if self.topic else ""]))
