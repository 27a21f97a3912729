"""F(P, R): how much a page says that it is of a line of business.

Source: Li et al. 2006, section 3.2.1: a rule is a logical expression over regular expressions and a weight;
the weights are normalised, and F is the sum of the weights of the rules that hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from crawler_project.core.values import Page, Relevance
from crawler_project.relevance.rules.expression import Expression
from crawler_project.relevance.rules.pattern_bank import PatternBank
from crawler_project.relevance.rules.rule_text import rule_text

DIGITS = 9
"""Decimals of F: sums of weights that are equal on paper are equal here."""


class Rule(NamedTuple):
    """One rule."""

    name: str
    weight: float
    """0 to 1; the weights of a set sum to 1."""
    expression: Expression
    description: str = ""


class Score(NamedTuple):
    """What the rules say of one page."""

    relevance: float
    """F, 0 to 1, to nine decimals."""
    held: tuple[str, ...]
    """Names of the rules that hold, in the order of the set."""


class HeldRule(NamedTuple):
    """A rule on a page, with the text that speaks for it."""

    rule: Rule
    holds: bool
    text: str
    """What matched first; empty when nothing did (a ``not`` may hold all the same)."""


class RuleSet:
    """The rules of a line of business in a language. Pure: equal pages get equal answers.

    Args:
        rules: with weights of sum 1.
        patterns: the regular expressions that the rules' expressions number.
        keywords: queries for search engines that find candidate sites.
        digest: changes when the rules do.
    """

    def __init__(
        self,
        name: str,
        rules: Sequence[Rule],
        patterns: PatternBank,
        *,
        keywords: Sequence[str] = (),
        language: str = "",
        description: str = "",
        digest: str = "",
    ) -> None:
        self.name = name
        self.rules = tuple(rules)
        self.keywords = tuple(keywords)
        self.language = language
        self.description = description
        self.digest = digest
        self._patterns = patterns

    def score(self, page: Page) -> Score:
        """Give F of a page."""
        return self.score_text(rule_text(page))

    def score_text(self, text: str) -> Score:
        """Give F of a text that is in the normal form already (:func:`rule_text`)."""
        found = self._patterns.found_in(text.encode("utf-8", "replace"))
        held = [rule for rule in self.rules if rule.expression.holds(found)]
        return Score(round(sum(rule.weight for rule in held), DIGITS), tuple(rule.name for rule in held))

    def explain(self, page: Page) -> list[HeldRule]:
        """Say of each rule whether it holds, and by what text."""
        text = rule_text(page)
        found = self._patterns.found_in(text.encode("utf-8", "replace"))
        return [HeldRule(rule, rule.expression.holds(found), self._witness(rule, found, text)) for rule in self.rules]

    def _witness(self, rule: Rule, found: frozenset[int], text: str) -> str:
        pieces = [self._patterns.first_match(number, text) for number in rule.expression.witnesses() if number in found]
        return " … ".join(dict.fromkeys(pieces))


class RuleJudge:
    """A rule set as a relevance judge: a page is relevant from ``threshold`` on."""

    def __init__(self, rules: RuleSet, threshold: float = 0.7) -> None:
        self._rules = rules
        self._threshold = threshold

    def judge(self, page: Page) -> Relevance:
        """Judge by F; the label is the name of the rule set."""
        relevance, held = self._rules.score(page)
        return Relevance(relevance >= self._threshold, relevance, self._rules.name, ", ".join(held))
