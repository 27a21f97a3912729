"""F(P, R): the score of a page, and that no text and no rule makes it slow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler_project.core.values import Page
from crawler_project.relevance.rules.pattern_bank import BadPatternError, PatternBank, compile_pattern
from crawler_project.relevance.rules.rule_file import load_rules, parse_rules
from crawler_project.relevance.rules.rule_set import RuleJudge

PAPER_PRICE = r"""
[[rule]]
name = 'price'
weight = 5
holds = '(市场价|售价|原价|定价|现卖价)[::]?\s?[0-9.]+(\$|¥|元)?'
[[rule]]
name = 'isbn'
weight = 14
holds = 'ISBN'
"""


@pytest.mark.parametrize("text", ["市场价:21元", "定价 32.20", "现卖价:12$", "售价：１８．５０元", "定价：　32"])
def test_price_rule_of_the_paper_holds_on_its_examples_and_on_full_width_forms(text: str) -> None:
    score = parse_rules(PAPER_PRICE, "paper.toml").score(Page("http://shop.test/", text=text))
    assert (score.held, round(score.relevance, 3)) == (("price",), 0.263)


def test_rules_see_the_title_too_but_no_match_spans_both() -> None:
    rules = parse_rules("[[rule]]\nname='a'\nweight=1\nholds='one two'", "a.toml")
    assert rules.score(Page("http://a.test/", title="one\n two")).relevance == 1
    assert rules.score(Page("http://a.test/", title="one", text="two")).relevance == 0


def test_case_is_ignored() -> None:
    assert parse_rules("[[rule]]\nname='a'\nweight=1\nholds='isbn'", "a.toml").score_text("ISBN").relevance == 1


def test_compatibility_characters_in_a_rule_are_read_as_in_a_text() -> None:
    rules = parse_rules("[[rule]]\nname='a'\nweight=1\nholds='価格：（税込）'", "a.toml")
    assert rules.score(Page("http://a.test/", text="価格：（税込）")).relevance == 1
    assert rules.score(Page("http://a.test/", text="価格:(税込)")).relevance == 1


def test_all_rules_together_are_exactly_1() -> None:
    text = "".join(f"[[rule]]\nname='r{n}'\nweight={n}.1\nholds='x'\n" for n in range(1, 12))
    assert parse_rules(text, "a.toml").score_text("x").relevance == 1.0


def test_explanation_shows_the_text_that_speaks_for_a_rule() -> None:
    page = Page("http://a.test/", title="程序设计", text="定价：32.20元 ISBN 9787")
    shown = {held.rule.name: (held.holds, held.text) for held in parse_rules(PAPER_PRICE, "a.toml").explain(page)}
    assert shown == {"price": (True, "定价:32.20元"), "isbn": (True, "ISBN")}


def test_judge_of_rules_is_a_relevance_judge() -> None:
    judge = RuleJudge(parse_rules(PAPER_PRICE, "paper.toml"), threshold=0.7)
    assert judge.judge(Page("http://a.test/", text="ISBN"))[:3] == (True, round(14 / 19, 9), "paper")
    assert judge.judge(Page("http://a.test/", text="定价 3"))[3] == "price"


def test_texts_that_are_no_unicode_give_a_score() -> None:
    rules = load_rules("bookshop-zh")
    assert rules.score(Page("http://a.test/", text="定价 3 \ud800 \0 \ufffe ISBN")).relevance > 0.3


PATTERNS = ["a", "ab+c", "[0-9]{2,4}", "(x|yz)+", "^b", "c$", r"\bab\b", "é|책", "[^a]b", "a.{0,3}c"]
BANK = PatternBank(PATTERNS)
SINGLE = [compile_pattern(pattern) for pattern in PATTERNS]


@given(text=st.text("abcxyz019é책 \n", max_size=40))
def test_one_pass_finds_what_each_expression_finds_alone(text: str) -> None:
    encoded = text.encode()
    alone = {number for number, pattern in enumerate(SINGLE) if pattern.search(encoded)}
    assert BANK.found_in(encoded) == alone


def test_expressions_are_tried_singly_when_the_one_pass_has_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    bank = PatternBank(["x", "y"])
    monkeypatch.setattr(bank, "_at_once", type("Exhausted", (), {"Match": lambda *_: None})())
    assert bank.found_in(b"ay") == {1}


def test_engine_refuses_what_is_not_linear() -> None:
    for pattern in (r"(a)\1", "(?<=a)b", "a(?!b)", "(?>a)"):
        with pytest.raises(BadPatternError):
            compile_pattern(pattern)


@pytest.mark.parametrize("text", ["a" * 100_000, "ab" * 50_000, "a" * 99_999 + "!", "aX" * 50_000])
def test_catastrophic_expression_ends_at_once(text: str, within: Callable[..., Any]) -> None:
    rules = parse_rules("[[rule]]\nname='a'\nweight=1\nholds='(a+)+b$|(a|aa)+c|(x+x+)+y|a.{0,60}q'", "a.toml")
    within(1, lambda: rules.score_text(text))  # re takes longer than the universe
