"""Rule files (V6, V8): what is read, and what is said of each mistake."""

from __future__ import annotations

from pathlib import Path

import pytest

from crawler_project.core.errors import ConfigurationError
from crawler_project.relevance.rules.rule_file import load_rules, parse_rules, shipped_rules


def rule(name: str = "a", weight: str = "1", holds: str = "'x'") -> str:
    return f"[[rule]]\nname = '{name}'\nweight = {weight}\nholds = {holds}\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no rules; write at least one [[rule]]"),
        ("rule = 3", "no rules"),
        ("rule = [3]", "rule 1 is no table"),
        ("x = [", "no TOML: "),
        ("[[rule]]\nweight = 1\nholds = 'x'", "rule 1: no name"),
        (rule(weight="-1"), "rule 'a': weight = -1 must be a number, 0 or more"),
        (rule(weight="nan"), "rule 'a': weight = nan must be a number"),
        (rule(weight="true"), "rule 'a': weight = True must be a number"),
        (rule(weight="'2'"), "rule 'a': weight = '2' must be a number"),
        ("[[rule]]\nname = 'a'\nholds = 'x'", "rule 'a': no weight"),
        ("[[rule]]\nname = 'a'\nweight = 1", "rule 'a': no holds"),
        (rule(weight="0"), "the weights sum to 0"),
        (rule(holds="'(x'"), "rule 'a': regular expression '(x' is refused: missing )"),
        (rule(holds="'[x'"), "rule 'a': regular expression '[x' is refused: missing ]"),
        (rule(holds="'(?=x)'"), "rule 'a': regular expression '(?=x)' is refused: "),
        (rule(holds=r"'(x)\1'"), "rule 'a': regular expression '(x)\\\\1' is refused: "),
        (rule(holds="'(?:(?:a{1,30}){1,30}b){1,30}'"), "rule 'a': regular expression "),
        (rule(holds="'a*'"), "rule 'a': regular expression 'a*' is refused: it matches the empty text"),
        (rule(holds="''"), "rule 'a': holds: an empty regular expression"),
        (rule(holds="{ xor = ['x', 'y'] }"), "rule 'a': holds: unknown operator 'xor'; known: and, or, not"),
        (rule(holds="{ and = 'x' }"), "rule 'a': holds: 'and' needs a list"),
        (rule(holds="{ or = [] }"), "rule 'a': holds: 'or' needs a list of one or more"),
        (rule(holds="{ and = ['x'], or = ['y'] }"), "rule 'a': holds: {'and': ['x'], 'or': ['y']} is no expression"),
        (rule(holds="7"), "rule 'a': holds: 7 is no expression"),
        (rule() + rule(), "rule 'a': the name is taken"),
        (rule() + "wieght = 2", "rule 'a': a rule has no 'wieght'; known: description, holds, name, weight"),
        ("keyword = []\n" + rule(), "the file has no 'keyword'; known: description, keywords,"),
        ("keywords = [1]\n" + rule(), "keywords must be a list of queries"),
        ("name = 1\n" + rule(), "name must be a text in quotes, not 1"),
    ],
)
def test_mistake_in_a_rule_file_is_one_line_that_names_the_rule(text: str, message: str) -> None:
    with pytest.raises(ConfigurationError) as raised:
        parse_rules(text, "my.toml")
    assert str(raised.value).startswith(f"my.toml: {message}")
    assert "\n" not in str(raised.value)


def test_rules_that_are_not_there_name_those_that_are(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"rules='bookshop-xx' cannot be read .*bookshop-ko"):
        load_rules("bookshop-xx")
    with pytest.raises(ConfigurationError, match="cannot be read"):
        load_rules(str(tmp_path))
    with pytest.raises(ConfigurationError, match="cannot be read"):
        load_rules("a\0b")


def test_rule_file_that_is_no_text_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "rules.toml"
    path.write_bytes("name = '가'\n".encode("euc-kr"))
    with pytest.raises(ConfigurationError, match=r"rules\.toml: no UTF-8 text at byte 8"):
        load_rules(str(path))


def test_weights_are_normalised_to_sum_1() -> None:
    rules = parse_rules(rule("a", "5") + rule("b", "14.0", "'y'"), "my.toml")
    assert [round(one.weight, 3) for one in rules.rules] == [0.263, 0.737]
    assert rules.name == "my"


def test_expressions_are_logical() -> None:
    text = (
        rule("and", holds="{ and = ['x', 'y'] }")
        + rule("or", holds="{ or = ['x', 'y'] }")
        + rule("not", holds="{ not = 'x' }")
        + rule("nested", holds="{ and = ['y', { not = { or = ['x', 'z'] } }] }")
    )
    rules = parse_rules(text, "my.toml")
    assert rules.score_text("x").held == ("or",)
    assert rules.score_text("y").held == ("or", "not", "nested")
    assert rules.score_text("xy").held == ("and", "or")
    assert rules.score_text("").held == ("not",)


@pytest.mark.parametrize("name", shipped_rules())
def test_shipped_rules_are_whole(name: str) -> None:
    rules = load_rules(name)
    assert rules.name == name
    assert name.endswith("-" + rules.language)
    assert len(rules.keywords) >= 6
    assert len(rules.rules) >= 6
    assert rules.description
    assert sum(one.weight for one in rules.rules) == pytest.approx(1)


def test_rules_of_the_paper_are_eight_with_the_printed_weight_of_the_price() -> None:
    rules = load_rules("bookshop-zh").rules
    assert [one.name for one in rules] == [
        "price", "buying online", "publisher", "author", "title", "edition", "synopsis", "isbn",
    ]  # fmt: skip
    assert round(rules[0].weight, 3) == 0.263


def test_four_languages_of_two_lines_of_business_are_shipped() -> None:
    assert shipped_rules() == [
        f"{line}-{language}" for line in ("bookshop", "mobile-phone") for language in ("en", "ja", "ko", "zh")
    ]
