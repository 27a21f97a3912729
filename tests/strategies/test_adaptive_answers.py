"""Requests that give no page: what they say of those to come, and what they must not say of pages."""

from __future__ import annotations

from math import exp, isfinite, log

import pytest
from adaptive_web import PlainLink
from hypothesis import given
from hypothesis import strategies as st

from crawler_project.core.values import UNKNOWN, Counts, Visit
from crawler_project.strategies.adaptive import Adaptive
from crawler_project.strategies.learning.answers import ALWAYS, answers_of, worth_if_answered
from crawler_project.strategies.learning.lessons import unpack_lesson
from crawler_project.strategies.learning.memory import MOST_COUNTED, CrawlMemory, directory_slot, site_of

HUB = Visit("http://hub.kr/", "hub.kr", "ko", "ko", True, True, 1, True)


def page_of(link: PlainLink) -> Visit:
    return Visit(link.url, link.host, "ko", "ko", True, True, 1, False)


def no_page_of(link: PlainLink) -> Visit:
    return Visit(link.url, link.host, UNKNOWN, UNKNOWN, False, False, 1, False)


def links_on(host: str, directory: str, count: int) -> list[PlainLink]:
    return [PlainLink(f"http://{host}/{directory}/{number}", host) for number in range(count)]


def crawled(pages: list[PlainLink], missing: list[PlainLink], strategy: Adaptive | None = None) -> Adaptive:
    strategy = strategy or Adaptive()
    strategy.learn_one("", HUB)
    for kind in (pages, missing):
        for link in kind:
            evidence = strategy.evidence(HUB, link)
            if kind is pages:
                strategy.learn_one(evidence, page_of(link))
            else:
                strategy.learn_gone(evidence, no_page_of(link))
    return strategy


def share_of(strategy: Adaptive, host: str, directory: str = "x") -> float:
    slot = directory_slot(f"http://{host}/{directory}/any", host)
    return answers_of(strategy.learner.memory, site_of(host).host, slot).directory


def test_what_gave_no_page_changes_nothing_of_what_is_thought_of_pages():
    pages, missing = links_on("good.kr", "a", 5), links_on("good.kr", "a", 9)[5:]
    before, after = crawled(pages, []), crawled(pages, missing)
    assert after.learner.model.weights == before.learner.model.weights
    assert after.learner.model.examples == before.learner.model.examples
    assert after.learner.memory.pages == before.learner.memory.pages


def test_what_gave_no_page_says_nothing_of_the_page_that_linked_to_it():
    strategy = crawled([], [])
    lists = [PlainLink(f"http://good.kr/lists/{number}", "good.kr") for number in range(3)]
    for link, found in zip(lists, (True, True, False), strict=True):
        page = page_of(link)._replace(is_target=False)
        strategy.learn_one(strategy.evidence(HUB, link), page)
        leaf = PlainLink(link.url + "/leaf", "good.kr")
        strategy.score_links(page, [leaf])
        evidence = strategy.evidence(page, leaf)
        before = strategy.learner.ways.own(), list(strategy.learner.model.weights)
        if found:
            strategy.learn_one(evidence, page_of(leaf))
            assert strategy.learner.ways.finds != before[0].finds
        else:
            strategy.learn_gone(evidence, no_page_of(leaf))
            assert (strategy.learner.ways.own(), strategy.learner.model.weights) == before


def test_directory_without_pages_is_left_for_another_of_its_host():
    strategy = crawled(links_on("good.kr", "a", 5), links_on("good.kr", "dead", 5))
    dead, alive = PlainLink("http://good.kr/dead/9", "good.kr"), PlainLink("http://good.kr/a/9", "good.kr")
    dead_one, alive_one = strategy.score_links(HUB, [dead, alive])
    assert dead_one > alive_one
    assert share_of(strategy, "good.kr", "dead") < 0.4
    assert share_of(strategy, "good.kr", "a") > 0.7


def test_host_without_pages_is_left_for_another():
    strategy = crawled(links_on("other.kr", "x", 2), links_on("dead.kr", "x", 6))
    dead, new = PlainLink("http://dead.kr/x/9", "dead.kr"), PlainLink("http://new.kr/x/9", "new.kr")
    (of_dead,), (of_new,) = (strategy.score_links(HUB, [link]) for link in (dead, new))
    of_dead += strategy.judge_host_of(no_page_of(dead), Counts(0, 0)).offset
    assert of_dead > of_new + 1


def test_first_requests_to_hosts_say_what_to_expect_of_new_ones():
    missing = [PlainLink(f"http://dead{number}.kr/", f"dead{number}.kr") for number in range(8)]
    found = [PlainLink(f"http://good{number}.kr/", f"good{number}.kr") for number in range(8)]
    assert share_of(crawled(found, []), "new.kr") == 1.0
    assert 0.4 < share_of(crawled(found, missing), "new.kr") < 0.7
    assert share_of(crawled([], missing), "new.kr") < 0.3


def test_explanation_says_how_such_requests_end():
    strategy = crawled([], links_on("dead.kr", "x", 6))
    link = PlainLink("http://dead.kr/x/9", "dead.kr")
    (priority,) = strategy.score_links(HUB, [link])
    share = share_of(strategy, "dead.kr")
    assert f", answers {share:.2f}: " in strategy.explain(HUB, link, priority)
    weighing = strategy.weigh(link.url, link.host, strategy.evidence(HUB, link))
    assert weighing.answers == pytest.approx(share)
    assert weighing.score < sum(value for _, value in weighing.parts)
    assert weighing.of_leading_on == 0
    assert weighing.of_answers == pytest.approx(worth_if_answered(weighing.of_page, share) - weighing.of_page)


def test_worker_that_hears_of_a_missing_page_thinks_as_who_asked_for_it():
    link = PlainLink("http://dead.kr/x/1", "dead.kr")
    asked, heard = crawled([], [link]), Adaptive()
    lesson = unpack_lesson(asked.lesson())
    assert lesson is not None
    assert lesson.is_gone
    heard.learn_one("", HUB)
    heard.hear(asked.lesson())
    assert share_of(heard, "dead.kr") == share_of(asked, "dead.kr") < 1
    assert heard.heard == heard.learner.model.examples == 0


def test_answers_are_stored():
    strategy, again = crawled(links_on("good.kr", "a", 3), links_on("good.kr", "x", 4)), Adaptive()
    again.restore(strategy.state())
    assert share_of(again, "good.kr") == share_of(strategy, "good.kr") < 1


def test_more_missing_pages_than_requests_are_no_counts():
    memory = CrawlMemory()
    memory.gone[7] = 1
    with pytest.raises(ValueError, match="damaged"):
        CrawlMemory().__setstate__(memory.__getstate__())


@given(st.lists(st.booleans(), max_size=3 * MOST_COUNTED))
def test_shares_are_shares_whatever_comes(answers):
    memory = CrawlMemory()
    host, directory = site_of("a.kr").host, directory_slot("http://a.kr/x/1", "a.kr")
    for number, is_gone in enumerate(answers):
        if is_gone:
            memory.count_gone(f"http://a.kr/x/{number}", "a.kr")
        else:
            memory.count_page(f"http://a.kr/x/{number}", "a.kr", False)
    found = answers_of(memory, host, directory)
    assert all(0 < share <= 1 for share in found)
    assert (found == ALWAYS) == (True not in answers)
    assert max(memory.asked) <= MOST_COUNTED


@given(st.floats(-60, 60), st.floats(1e-4, 1), st.floats(-60, 60), st.floats(1e-4, 1))
def test_better_links_and_better_hosts_are_worth_more(one, share, other, other_share):
    worth = worth_if_answered(one, share)
    assert isfinite(worth)
    assert worth <= max(one, -30) + 1e-9
    if one <= other and share <= other_share:
        assert worth <= worth_if_answered(other, other_share) + 1e-6


def test_worth_is_that_of_both_chances_and_of_the_share_once_more():
    chance, share = 1 / (1 + exp(-1.0)), 0.5
    assert worth_if_answered(1.0, share) == pytest.approx(log(share * chance / (1 - share * chance)) + log(share))
    assert worth_if_answered(1.0, 1.0) == 1.0
