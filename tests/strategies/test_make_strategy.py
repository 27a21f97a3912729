import pytest

from crawler_project.core.errors import ConfigurationError
from crawler_project.strategies import STRATEGIES, make_strategy
from crawler_project.strategies.lswc import Lswc

TOPIC = ("breadth_first", "best_first", "anchor_text", "link_context", "cbp", "slc", "cbp_slc", "topic_learned")


def test_strategies_are_those_of_the_papers_and_one_that_learns():
    assert list(STRATEGIES) == [
        "control", "experimental", "hard_focused", "soft_focused", "server_filter", "directory_filter", "lswc", "adaptive",
        "perfect", "breadth_first", "best_first", "anchor_text", "link_context", "cbp", "slc", "cbp_slc", "topic_learned",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "defaults"),
    [
        ("control", {}),
        ("experimental", {}),
        ("perfect", {}),
        ("hard_focused", {"inherit": True}),
        ("soft_focused", {"inherit": True}),
        ("server_filter", {"new": "aggressive", "m": 5, "theta": 0.1, "recheck": False, "inherit": True}),
        ("directory_filter", {"new": "aggressive", "m": 5, "theta": 0.1, "recheck": False, "inherit": True}),
        ("lswc", {"S": 3, "T": 5, "inherit": True}),
        *[(name, {"refused": "soft"}) for name in TOPIC],
    ],
)
def test_make_strategy_has_the_documented_defaults(name, defaults):
    assert make_strategy(name).parameters() == defaults


def test_make_strategy_reads_text_as_the_type_of_the_parameter():
    strategy = make_strategy("server_filter", new="tld", m="2", theta=".5", recheck="TRUE", inherit="false")
    assert strategy.parameters() == {"new": "tld", "m": 2, "theta": 0.5, "recheck": True, "inherit": False}


@pytest.mark.parametrize(
    ("name", "parameters", "said"),
    [
        ("lswc", {"S": "x"}, r"S=x .*whole number, 1 or more"),
        ("lswc", {"S": "2.5"}, r"whole number"),
        ("lswc", {"T": "0"}, r"T=0 .*1 or more"),
        ("lswc", {"S": True}, r"whole number"),
        ("server_filter", {"theta": "2"}, r"theta=2 .*between 0 and 1"),
        ("server_filter", {"theta": "nan"}, r"between 0 and 1"),
        ("server_filter", {"m": "-1"}, r"0 or more"),
        ("server_filter", {"new": "bold"}, r"aggressive, conservative, tld"),
        ("hard_focused", {"inherit": "perhaps"}, r"true or false"),
        ("lswc", {"s": "3"}, r"no parameter 's'; allowed: S, T, inherit"),
        ("control", {"S": "3"}, r"allowed: none"),
        ("lswcc", {}, r"choose one of control, experimental"),
        ("cbp_slc", {"refused": "maybe"}, r"refused=maybe .*soft, hard"),
        ("no.such.module.Class", {}, r"cannot be imported"),
        (".x", {}, r"choose one of|cannot be imported"),
        ("crawler_project.core.values.Page", {}, r"not a subclass"),
    ],
)
def test_make_strategy_says_what_is_allowed(name, parameters, said):
    with pytest.raises(ConfigurationError, match=said) as error:
        make_strategy(name, **parameters)
    assert "\n" not in str(error.value)


def test_make_strategy_takes_an_import_path():
    assert make_strategy("crawler_project.strategies.lswc.Lswc", S="1") == Lswc(S=1)


def test_strategy_checks_its_values_when_made_directly():
    with pytest.raises(ConfigurationError, match="1 or more"):
        Lswc(T=0)
