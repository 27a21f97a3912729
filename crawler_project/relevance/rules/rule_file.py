"""Rule files: TOML in, a checked rule set out (V8)."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import xxhash

from crawler_project.core.errors import ConfigurationError
from crawler_project.core.target import check_language
from crawler_project.relevance.language.model import known_languages
from crawler_project.relevance.rules.expression import BadExpressionError, Expression, read_expression
from crawler_project.relevance.rules.pattern_bank import BadPatternError, PatternBank, compile_pattern
from crawler_project.relevance.rules.rule_set import Rule, RuleSet

SHIPPED: Final = Path(__file__).parent / "files"
_TOP_KEYS: Final = frozenset({"name", "language", "description", "keywords", "rule"})
_RULE_KEYS: Final = frozenset({"name", "weight", "holds", "description"})
_LARGEST_FILE: Final = 1_000_000


def shipped_rules() -> list[str]:
    """Give the names of the rule files that come with the project, sorted."""
    return sorted(path.stem for path in SHIPPED.glob("*.toml"))


def load_rules(name: str) -> RuleSet:
    """Load a shipped rule file by name (``bookshop-ko``), or any by path (``my-shops.toml``).

    Raises:
        ConfigurationError: there is no such file, or something in it is wrong; names the rule.
    """
    shipped = SHIPPED / f"{name}.toml"
    path = shipped if name in shipped_rules() else Path(name)
    try:
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ConfigurationError(
            f"rules={name!r} cannot be read ({reason}); name one of {', '.join(shipped_rules())}, or give a file in TOML"
        ) from error
    if len(data) > _LARGEST_FILE:
        raise ConfigurationError(f"{path.name}: larger than {_LARGEST_FILE:,} bytes; no rule file is")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"{path.name}: no UTF-8 text at byte {error.start}; save it as UTF-8") from error
    return parse_rules(text, path.name)


def parse_rules(text: str, source: str) -> RuleSet:
    """Read and check the text of a rule file; ``source`` is its name in messages.

    Raises:
        ConfigurationError: the first thing that is wrong.
    """
    try:
        document = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigurationError(f"{source}: no TOML: {error}") from error
    try:
        return _rule_set(document, source, xxhash.xxh3_64_hexdigest(text.encode()))
    except _BadRuleFileError as error:
        raise ConfigurationError(f"{source}: {error}") from error


class _BadRuleFileError(ValueError):
    pass


def _rule_set(document: Mapping[str, Any], source: str, digest: str) -> RuleSet:
    _check_keys(document, _TOP_KEYS, "the file")
    tables = document.get("rule")
    if not isinstance(tables, list) or not tables:
        raise _BadRuleFileError("no rules; write at least one [[rule]] with a name, a weight and holds")
    patterns: dict[str, int] = {}
    rules: list[Rule] = []
    for number, table in enumerate(tables, 1):
        rule = _rule(table, number, patterns)
        if any(rule.name == other.name for other in rules):
            raise _BadRuleFileError(f"rule {rule.name!r}: the name is taken by an earlier rule")
        rules.append(rule)
    total = math.fsum(rule.weight for rule in rules)
    if not 0 < total < math.inf:
        raise _BadRuleFileError(f"the weights sum to {total:g}; give at least one rule a weight above 0")
    return RuleSet(
        _text(document, "name") or Path(source).stem,
        [rule._replace(weight=rule.weight / total) for rule in rules],
        PatternBank(list(patterns)),
        keywords=_keywords(document),
        language=_language(document),
        description=_text(document, "description"),
        digest=digest,
    )


def _rule(table: object, number: int, patterns: dict[str, int]) -> Rule:
    if not isinstance(table, dict):
        raise _BadRuleFileError(f"rule {number} is no table; write it below a line [[rule]]")
    name = table.get("name")
    if not isinstance(name, str) or not name.strip():
        raise _BadRuleFileError(f"rule {number}: no name; write name = '...'")
    try:
        _check_keys(table, _RULE_KEYS, "a rule")
        return Rule(name, _weight(table), _expression(table, patterns), _text(table, "description"))
    except _BadRuleFileError as error:
        raise _BadRuleFileError(f"rule {name!r}: {error}") from error


def _weight(table: Mapping[str, Any]) -> float:
    if "weight" not in table:
        raise _BadRuleFileError("no weight; write weight = 1")
    weight = table["weight"]
    if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 <= weight < math.inf:
        raise _BadRuleFileError(f"weight = {weight!r} must be a number, 0 or more")
    return float(weight)


def _expression(table: Mapping[str, Any], patterns: dict[str, int]) -> Expression:
    if "holds" not in table:
        raise _BadRuleFileError("no holds; write holds = 'a regular expression'")

    def number_of(pattern: str) -> int:
        if pattern not in patterns:
            try:
                compile_pattern(pattern)
            except BadPatternError as error:
                raise _BadRuleFileError(f"regular expression {pattern[:80]!r} is refused: {error}") from error
        return patterns.setdefault(pattern, len(patterns))

    try:
        return read_expression(table["holds"], number_of)
    except (BadExpressionError, RecursionError) as error:
        raise _BadRuleFileError(f"holds: {error}") from error


def _keywords(document: Mapping[str, Any]) -> list[str]:
    keywords = document.get("keywords", [])
    if not isinstance(keywords, list) or not all(isinstance(word, str) and word.strip() for word in keywords):
        raise _BadRuleFileError("keywords must be a list of queries: keywords = ['online bookshop', 'isbn cart']")
    return list(dict.fromkeys(" ".join(word.split()) for word in keywords))


def _language(document: Mapping[str, Any]) -> str:
    """Read the language of the pages; empty where the file names none."""
    language = _text(document, "language")
    if language:
        try:
            check_language(language, known_languages())
        except ConfigurationError as error:
            raise _BadRuleFileError(str(error)) from error
    return language


def _text(table: Mapping[str, Any], key: str) -> str:
    value = table.get(key, "")
    if not isinstance(value, str):
        raise _BadRuleFileError(f"{key} must be a text in quotes, not {value!r}")
    return value


def _check_keys(table: Mapping[str, Any], known: frozenset[str], where: str) -> None:
    unknown = sorted(set(table) - known)
    if unknown:
        raise _BadRuleFileError(f"{where} has no {unknown[0]!r}; known: {', '.join(sorted(known))}")
