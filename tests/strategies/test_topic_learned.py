"""The strategy that learns a topic's links: what it starts from, learns, forgets and keeps."""

from typing import NamedTuple

import pytest

from crawler_project.core.errors import ConfigurationError
from crawler_project.core.values import NO_COUNTS, NO_SCORES, Counts, LinkScores, Visit
from crawler_project.strategies.topic_evidence import evidence_of, pack, unpack
from crawler_project.strategies.topic_learned import TopicLearned


class FakeLink(NamedTuple):
    url: str = "http://a.example/x"
    host: str = "a.example"
    same_host: bool = True
    scores: LinkScores = NO_SCORES
    anchor_text: str = ""
    context: str = ""
    counts: Counts = NO_COUNTS


COURSE = FakeLink("http://a.example/cs/101/", anchor_text="Course notes", context="see the course notes of 1996")
OTHER = FakeLink("http://a.example/map.html", anchor_text="Campus map", context="how to get here: campus map")


def visit(url="http://a.example/", *, is_target=False, topic_score=0.0):
    return Visit(url, "a.example", "x", "x", is_target, is_target, 1, False, topic_score)


def follow(strategy, link, *, is_target, number, parent="http://a.example/"):
    page = link.url + str(number)
    evidence = strategy.evidence(visit(parent), link._replace(url=page))
    strategy.learn_one(evidence, visit(page, is_target=is_target))
    return page


def test_starts_from_the_scores_of_block_anchor_and_context():
    links = [
        FakeLink(scores=LinkScores(*scores)) for scores in ((0, 0, 0), (0.5, 0, 0), (0, 0.5, 0.5), (0.5, 0.5, 0.5))
    ]
    scores = list(TopicLearned().score_links(visit(), links))
    assert scores == sorted(scores, reverse=True)
    assert len(set(scores)) == 4


def test_hard_refusal_drops_what_cbp_slc_refuses():
    links = [FakeLink(scores=LinkScores(-1, -1, -1)), FakeLink(scores=LinkScores(-1, -1, 0.1))]
    first, second = TopicLearned(refused="hard").score_links(visit(), links)
    assert first is None
    assert second is not None


def test_learns_the_words_of_links_that_led_to_the_topic():
    strategy = TopicLearned()
    before = strategy.score_links(visit(), [COURSE, OTHER])
    for number in range(20):
        follow(strategy, COURSE, is_target=True, number=number)
        follow(strategy, OTHER, is_target=False, number=number)
    course, other = strategy.score_links(visit(), [COURSE, OTHER])
    assert course < before[0]
    assert other > before[1]


def test_link_to_a_hub_is_worth_more_than_one_to_a_page_that_leads_nowhere():
    strategy = TopicLearned()
    for number in range(10):
        hub = follow(strategy, COURSE, is_target=False, number=number)
        follow(strategy, OTHER, is_target=False, number=number)
        for child in range(8):
            link = FakeLink(f"http://a.example/{number}/{child}", anchor_text="somebody")
            evidence = strategy.evidence(visit(hub), link)
            strategy.learn_one(evidence, visit(link.url, is_target=True))
    course, other = strategy.score_links(visit(), [COURSE, OTHER])
    assert course < other


def test_queued_url_is_put_back_when_its_links_turned_out_bad():
    strategy = TopicLearned()
    priority = strategy.score_links(visit(), [OTHER])[0]
    evidence = strategy.evidence(visit(), OTHER)
    assert strategy.reconsider(OTHER.url, "a.example", priority, evidence) is None
    for number in range(30):
        follow(strategy, OTHER, is_target=False, number=number)
    worse = strategy.reconsider(OTHER.url, "a.example", priority, evidence)
    assert worse > priority
    assert strategy.reconsider(OTHER.url, "a.example", worse, evidence) is None


def test_state_makes_an_equal_strategy():
    strategy = TopicLearned()
    for number in range(9):
        follow(strategy, COURSE if number % 2 else OTHER, is_target=number % 2 == 1, number=number)
    copy = TopicLearned()
    copy.restore(strategy.state())
    for crawl in (strategy, copy):
        follow(crawl, COURSE, is_target=True, number=99)
    assert copy.state() == strategy.state()
    assert copy.score_links(visit(), [COURSE, OTHER]) == strategy.score_links(visit(), [COURSE, OTHER])


@pytest.mark.parametrize("state", [{"weights": b"x" * 16, "lessons": b"[0, []]"}, {"weights": b"", "lessons": b"["}])
def test_damaged_state_is_refused(state):
    with pytest.raises(ValueError, match="weights"):
        TopicLearned().restore(state)


def test_wrong_parameter_is_refused():
    with pytest.raises(ConfigurationError, match="soft, hard"):
        TopicLearned(refused="maybe")


def test_evidence_survives_being_written():
    link = COURSE._replace(scores=LinkScores(0.7, -1.0, 5.0))
    found = evidence_of(visit(topic_score=-0.25), link)
    assert unpack(pack(found)) == found._replace(
        anchor=tuple(found.anchor), context=tuple(found.context), url=tuple(found.url)
    )
    assert found.scores.context == 1.90625
    assert len(pack(found)) < 120


@pytest.mark.parametrize("text", ["", "seed", "AAAA", "\udcff", "!" * 40])
def test_other_texts_are_no_evidence(text):
    assert unpack(text) is None
    strategy = TopicLearned()
    strategy.learn_one(text, visit(is_target=True))
    assert not any(strategy.weights)


def test_words_of_scripts_without_spaces_are_pairs_of_characters():
    first = evidence_of(visit(), FakeLink(anchor_text="西红柿炒鸡蛋的做法"))
    second = evidence_of(visit(), FakeLink(anchor_text="土豆丝的做法"))
    assert set(first.anchor) & set(second.anchor)


def test_queued_link_moves_up_when_its_words_turned_out_good():
    strategy = TopicLearned()
    waiting = COURSE._replace(url="http://a.example/cs/999/")
    (before,) = strategy.score_links(visit(), [waiting])
    assert list(strategy.revisions()) == []
    for number in range(20):
        follow(strategy, COURSE, is_target=True, number=number)
    (revision,) = strategy.revisions()
    assert revision.url == waiting.url
    assert revision.priority < before
    assert unpack(revision.evidence) is not None
    assert list(strategy.revisions()) == []


def test_downloaded_page_is_not_revised():
    strategy = TopicLearned()
    page = COURSE.url + "0"
    strategy.score_links(visit(), [COURSE._replace(url=page)])
    follow(strategy, COURSE, is_target=True, number=0)
    strategy.score_links(visit(), [COURSE._replace(url=page)])
    for number in range(1, 20):
        follow(strategy, COURSE, is_target=True, number=number)
    assert list(strategy.revisions()) == []


def test_restored_strategy_revises_what_was_queued_before():
    strategy = TopicLearned()
    strategy.score_links(visit(), [COURSE])
    again = TopicLearned()
    again.restore(strategy.state())
    for crawl in (strategy, again):
        for number in range(20):
            follow(crawl, COURSE, is_target=True, number=number)
    assert list(again.revisions()) == list(strategy.revisions()) != []


def test_score_of_the_page_a_link_stands_on_is_learned():
    strategy = TopicLearned()
    for number in range(30):
        for score, is_target in ((1.0, True), (-1.0, False)):
            link = FakeLink(f"http://a.example/{score}/{number}")
            evidence = strategy.evidence(visit(f"http://a.example/parent{number}{score}", topic_score=score), link)
            strategy.learn_one(evidence, visit(link.url, is_target=is_target))
    good, bad = (
        strategy.score_links(visit("http://a.example/p", topic_score=score), [FakeLink()])[0] for score in (1.0, -1.0)
    )
    assert good < bad - 0.3
