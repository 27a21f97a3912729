"""What workers of a crawl tell each other of every download."""

from __future__ import annotations

from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler_project.core.values import LONGEST_LESSON, Counts, Visit
from crawler_project.simulator.recipe import recipe_for
from crawler_project.simulator.simulator import Simulator
from crawler_project.simulator.synth import synthesize
from crawler_project.strategies.adaptive import Adaptive
from crawler_project.strategies.learning.features import GROUPS, OF_LINK
from crawler_project.strategies.learning.lessons import Lesson, pack_lesson, unpack_lesson
from crawler_project.strategies.learning.lookup import Kept, pack
from crawler_project.strategies.learning.memory import InLinks
from crawler_project.strategies.learning.sharing import learn_from, pack_knowledge, unpack_knowledge
from crawler_project.strategies.lswc import Lswc

EVIDENCE = pack(Kept(tuple(GROUPS[name].start for name in OF_LINK), ()))
LESSON = Lesson("http://a.kr/x/%ED%95%9C?a=1", "a.kr", True, EVIDENCE, InLinks(0, 255, 3, 47))


class Recorded(Adaptive):
    """Keeps its lessons."""

    told: ClassVar[list[str]] = []

    def learn_one(self, evidence: str, visit: Visit) -> None:
        super().learn_one(evidence, visit)
        self.told.append(self.lesson())


@pytest.fixture(scope="module")
def crawled() -> Recorded:
    strategy = Recorded()
    strategy.told.clear()
    list(Simulator(synthesize(recipe_for("th"), 2000, 1), strategy).run(500))
    return strategy


@pytest.mark.parametrize(
    "lesson",
    [
        LESSON,
        LESSON._replace(is_target=False, evidence=""),
        LESSON._replace(url="https://b.jp/", host="b.jp"),
        LESSON._replace(is_target=False, is_gone=True),
    ],
)
def test_lesson_comes_back(lesson):
    assert unpack_lesson(pack_lesson(lesson)) == lesson


def test_lesson_that_is_too_long_is_not_told():
    assert pack_lesson(LESSON._replace(url="http://a.kr/" + "x" * LONGEST_LESSON)) == ""


def damaged_lessons():
    good = pack_lesson(LESSON)
    return [
        "", " ", "x", good[:5], good[1:], "3" + good[1:], good[0] + "3" + good[2:], good[:2] + "\x00" + good[3:],
        good[:2] + chr(48 + 256) + good[3:], good.replace(" ", ""), good.replace("http://a.kr", "http://"),
        good.replace("http", "file"), good + "#part", good.replace(EVIDENCE, EVIDENCE + "\uffff"),
        good.replace(EVIDENCE, EVIDENCE[:-1]), good + "x" * LONGEST_LESSON, " ".join(["\x00"] * 9), "\ud800" * 20 + " http://a.kr/",
    ]  # fmt: skip


@pytest.mark.parametrize("text", damaged_lessons())
def test_damaged_lesson_is_passed_over(text):
    assert unpack_lesson(text) is None
    strategy = Adaptive()
    strategy.hear(text)
    assert strategy.heard == strategy.learner.model.examples == 0


@given(st.text(max_size=100), st.text(max_size=60), st.integers(0, 60))
def test_lesson_of_any_text_never_raises(text, more, at):
    good = pack_lesson(LESSON)
    strategy = Adaptive()
    for lesson in (text, good[:at] + more + good[at:], good[:at] + more):
        strategy.hear(lesson)
    assert strategy.heard <= 3


def test_worker_that_hears_of_all_downloads_has_learned_what_their_worker_has(crawled):
    heard = Adaptive()
    for lesson in crawled.told:
        heard.hear(lesson)
    assert len(crawled.told) == 500
    assert heard.heard == heard.learner.model.examples == crawled.learner.model.examples < 500  # seeds are none
    assert heard.learner.model.weights == pytest.approx(crawled.learner.model.weights, abs=0.05)
    assert heard.learner.ways.worth == pytest.approx(crawled.learner.ways.worth, abs=0.01)
    for table in ("pages", "target_pages", "over"):
        assert getattr(heard.learner.memory, table) == getattr(crawled.learner.memory, table)


def test_lessons_are_short_and_never_empty(crawled):
    sizes = [len(lesson.encode()) for lesson in crawled.told]
    assert min(sizes) > 0
    assert sum(sizes) / len(sizes) < 100


def test_what_was_heard_is_not_told_as_own_and_not_counted_twice(crawled):
    heard = Adaptive()
    for lesson in crawled.told:
        heard.hear(lesson)
    assert max(heard.learner.ways.own().pages) == 0
    before = list(heard.learner.ways.worth)
    note = unpack_knowledge(pack_knowledge(crawled.learner))
    assert note is not None
    learn_from(heard.learner, [note])
    assert heard.learner.ways.worth == pytest.approx(before, abs=0.01)


def test_link_that_waits_is_forgotten_when_another_worker_has_downloaded_it(crawled):
    worker = Adaptive()
    list(Simulator(synthesize(recipe_for("th"), 2000, 1), worker).run(20))
    url = next(iter(worker.waiting._links))
    worker.hear(pack_lesson(LESSON._replace(url=url, host=url.split("/")[2])))
    assert worker.waiting.get(url) is None


def test_downloads_that_were_heard_of_are_not_taken_for_own_ones():
    """Three workers that hear each other: a twentieth of all downloads is known, whoever made them."""
    alone, worker = Adaptive(enough=1), Adaptive(enough=1)
    for number in range(300):
        lesson = LESSON._replace(url=f"http://h{number}.kr/", host=f"h{number}.kr", is_target=True)
        alone.learn_one(EVIDENCE, visit_of(lesson))
        if number % 3:
            worker.hear(pack_lesson(lesson))
        else:
            worker.learn_one(EVIDENCE, visit_of(lesson))
    again = Adaptive(enough=1)
    again.restore(worker.state())
    offsets = []
    for strategy in (alone, worker, again):
        strategy.learn_one(EVIDENCE, visit_of(LESSON))
        offsets.append(strategy.judge_host_of(visit_of(LESSON), Counts(60, 60)).offset)
    assert offsets[1:] == pytest.approx([offsets[0]] * 2, abs=0.25)


@pytest.mark.parametrize("text", [b"-1", b"1.5", b"true", b"null", b"[]", b"1e3", b""])
def test_number_of_lessons_that_is_none_is_refused(text):
    with pytest.raises(ValueError, match=r"damaged|Expecting"):
        Adaptive().restore(Adaptive().state() | {"heard": text})


def visit_of(lesson: Lesson) -> Visit:
    return Visit(lesson.url, lesson.host, "ko", "ko", lesson.is_target, lesson.is_target, 1, False)


def test_strategy_that_does_not_learn_has_nothing_to_tell():
    strategy = Lswc()
    assert strategy.lesson() == ""
    strategy.hear("anything")
    assert strategy == Lswc()
