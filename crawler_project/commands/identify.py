"""``scrapy identify``: the language of pages, texts and anchors, from files or line by line."""

from __future__ import annotations

import argparse
import base64
import binascii
import errno
import json
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar, Final
from urllib.parse import urlsplit

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from crawler_project.core.errors import CrawlerProjectError
from crawler_project.core.seams import RelevanceJudge
from crawler_project.core.target import Target
from crawler_project.core.urls import top_level_domain
from crawler_project.core.values import Page, Relevance
from crawler_project.page.charset import decode
from crawler_project.page.parse import parse_page
from crawler_project.relevance.language.anchors import AnchorIdentifier
from crawler_project.relevance.language.codes import language_code
from crawler_project.relevance.language.judges import LANGUAGE_JUDGES, make_language_judge
from crawler_project.relevance.language.model import known_languages
from crawler_project.reports.given_files import kind_of
from crawler_project.reports.printable import tell

_KINDS: Final = ("body_b64", "text", "anchor")
_OPTIONAL: Final = ("content_type", "url", "page_language")
_MARKUP: Final = re.compile(
    r"<(?:!doctype|html|head|body|title|meta|div|span|table|p|a|h[1-6]|br|frameset)\b", re.IGNORECASE
)
_HEAD: Final = 4_096
_NO_TARGET: Final = Target(frozenset(), frozenset())


class BadRecordError(ValueError):
    """A line that says nothing that can be identified; the message says why."""


class RecordIdentifier:
    """Identify records of the three kinds: pages, texts and anchors. Pure but for the judge's loading."""

    def __init__(self, judge: RelevanceJudge) -> None:
        self._judge = judge
        self._anchors = AnchorIdentifier()

    def identify(self, record: Mapping[str, Any]) -> dict[str, Any]:
        """Answer ``record`` with ``language``, ``score``, ``evidence``, and ``charset`` and ``declared`` of a page.

        Raises:
            BadRecordError: not exactly one of ``body_b64``, ``text`` and ``anchor``, or a value that is no string.
        """
        kind = _kind_of(record)
        if kind == "body_b64":
            return self.identify_page(_decoded(record["body_b64"]), _text(record, "content_type"), _text(record, "url"))
        if kind == "text":
            return _answer(self._judge.judge(Page(_text(record, "url"), text=record["text"])))
        page_language = _text(record, "page_language")
        return _answer(
            self._anchors.judge_anchor(
                record["anchor"], language_code(page_language) if page_language else "", _tld(_text(record, "url"))
            )
        )

    def identify_page(self, body: bytes, content_type: str = "", url: str = "") -> dict[str, Any]:
        """Answer for the bytes of a page."""
        page = parse_page(body, url, content_type=content_type)
        answer = {**_answer(self._judge.judge(page)), "charset": page.charset}
        return {**answer, "declared": page.declared_language} if page.declared_language else answer

    def identify_file(self, body: bytes) -> dict[str, Any]:
        """Answer for the bytes of a file: a saved page where there is markup, else plain text."""
        decoded = decode(body)
        if _MARKUP.search(decoded.text[:_HEAD]):
            return self.identify_page(body)
        return {**self.identify({"text": decoded.text}), "charset": decoded.charset}


def answer_lines(lines: Iterable[bytes], identifier: RecordIdentifier) -> Iterator[str]:
    """Answer JSON Lines one by one, each with a line; a bad one with ``{"error": …}``. Never raises for data."""
    for line in lines:
        try:
            answer = identifier.identify(_parsed(line))
        except BadRecordError as error:
            answer = {"error": str(error)}
        yield json.dumps(answer) + "\n"


def _parsed(line: bytes) -> Mapping[str, Any]:
    if not line.strip():
        raise BadRecordError("the line is empty")
    try:
        record = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise BadRecordError(f"not UTF-8 at byte {error.start}") from error
    except (ValueError, RecursionError) as error:
        raise BadRecordError(f"not JSON: {str(error)[:100]}") from error
    if not isinstance(record, dict):
        raise BadRecordError(f"not a JSON object but {type(record).__name__}")
    return record


def _kind_of(record: Mapping[str, Any]) -> str:
    kinds = [kind for kind in _KINDS if kind in record]
    if len(kinds) != 1:
        raise BadRecordError(f"needs one of {', '.join(_KINDS)}; has {', '.join(kinds) or 'none of them'}")
    for name in (*kinds, *_OPTIONAL):
        value = record.get(name)
        if not isinstance(value, str) and (value is not None or name in kinds):
            raise BadRecordError(f"{name} must be a string, not {'null' if value is None else type(value).__name__}")
    return kinds[0]


def _text(record: Mapping[str, Any], name: str) -> str:
    return record.get(name) or ""


def _decoded(body_b64: str) -> bytes:
    try:
        return base64.b64decode(body_b64, validate=True)
    except (binascii.Error, ValueError) as error:
        raise BadRecordError(f"body_b64 is not Base64: {error}") from error


def _tld(url: str) -> str:
    try:
        return top_level_domain(urlsplit(url).netloc)
    except ValueError:
        return ""


def _answer(found: Relevance) -> dict[str, Any]:
    return {"language": found.label, "score": round(found.score, 4), "evidence": found.evidence}


class Command(ScrapyCommand):
    """Say in which language pages, texts or anchors are."""

    requires_project = True
    requires_crawler_process = False
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        return "[options] FILE|TEXT ...   or   --jsonl < LINES"

    def short_desc(self) -> str:
        return "Identify the language of saved pages and texts"

    def long_desc(self) -> str:
        return (
            "Prints language, confidence and evidence of each file (a saved page or plain text; - is standard input) or text. "
            'With --jsonl it reads JSON Lines from standard input, one of {"body_b64": …, "content_type"?, "url"?}, '
            '{"text": …} and {"anchor": …, "page_language"?, "url"?} a line, and answers each with a line.'
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--jsonl", action="store_true", help="read JSON Lines from standard input, answer each")
        parser.add_argument(
            "--judge", metavar="NAME", help=f"{', '.join(LANGUAGE_JUDGES)}, or an import path (default: LANGUAGE_JUDGE)"
        )
        parser.add_argument("--target", metavar="CODES", help="the target of judge charset_ngram, for example th")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if opts.jsonl == bool(args):
            raise UsageError("give files or texts, or --jsonl and lines on standard input")
        try:
            identifier = self._identifier(opts)
            self.exitcode = _write_answers(identifier) if opts.jsonl else _write_table(identifier, args)
        except CrawlerProjectError as error:
            tell(f"scrapy identify: {error}")
            self.exitcode = 2
        except BrokenPipeError:  # whoever read has enough; Python must not find out once more when it ends
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

    def _identifier(self, opts: argparse.Namespace) -> RecordIdentifier:
        assert self.settings is not None
        model = self.settings.get("LANGUAGE_MODEL") or None
        target = Target.parse(opts.target, known_languages(model)) if opts.target else _NO_TARGET
        return RecordIdentifier(make_language_judge(opts.judge or self.settings["LANGUAGE_JUDGE"], target, model))


def _write_answers(identifier: RecordIdentifier) -> int:
    for answer in answer_lines(sys.stdin.buffer, identifier):
        sys.stdout.write(answer)
        sys.stdout.flush()
    return 0


def _write_table(identifier: RecordIdentifier, args: list[str]) -> int:
    code = 0
    for arg in args:
        try:
            found = _identified(identifier, arg)
        except (OSError, BadRecordError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            tell(f"scrapy identify: {arg!r}: {reason}")
            code = max(code, 2 if isinstance(error, IsADirectoryError) else 1)
            continue
        name = arg if len(arg) <= 60 else f"{arg[:57]}..."
        columns = (found["language"], f"{found['score']:.2f}", found.get("charset", "-"), name, found["evidence"])
        line = "\t".join(columns).encode(sys.stdout.encoding or "utf-8", "replace")
        sys.stdout.write(line.decode(sys.stdout.encoding or "utf-8") + "\n")
        sys.stdout.flush()
    return code


def _identified(identifier: RecordIdentifier, arg: str) -> dict[str, Any]:
    if arg == "-":
        return identifier.identify_file(sys.stdin.buffer.read())
    if re.match(r"https?://\S+$", arg):
        raise BadRecordError("addresses are not fetched here; save the page and give the file")
    kind = kind_of(arg)
    if kind == "file":
        return identifier.identify_file(Path(arg).read_bytes())
    if kind == "folder":
        raise IsADirectoryError(errno.EISDIR, "a folder; name the files in it")
    if re.fullmatch(r"[^\s]*\.(?:x?html?|txt|mht|xml)", arg, re.IGNORECASE):
        raise BadRecordError("no such file")
    return identifier.identify({"text": arg})
