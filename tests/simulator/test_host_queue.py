"""The queue by itself: what strategies of the papers do not need, others may."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from crawler_project.core.values import KEEP_HOST, HostVerdict
from crawler_project.simulator.host_queue import HostQueue

VERDICTS = [
    KEEP_HOST,
    HostVerdict(override=0.0),
    HostVerdict(precedence=-1.0),
    HostVerdict(precedence=2.0, override=3.0),
]


def drain(queue):
    pages = []
    while (page := queue.pop()) >= 0:
        pages.append(page)
    return pages


def test_page_keeps_its_place_when_it_moves_up_or_comes_back():
    queue = HostQueue([0, 0, 0], 1)
    for page in (0, 1, 2):
        queue.push(page, 5.0)
    assert queue.pop() == 0
    queue.push(2, 1.0)
    queue.push(0, 1.0)
    assert drain(queue) == [0, 2, 1]


def test_relevant_host_moves_up_with_its_places_kept():
    queue = HostQueue([0, 1, 1, 0], 2)
    for page, priority in ((0, 1.0), (1, 9.0), (2, 4.0), (3, 0.0)):
        queue.push(page, priority)
    queue.set_verdict(1, HostVerdict(override=0.0))
    assert drain(queue) == [1, 2, 3, 0]


def test_precedence_of_hosts_comes_before_priority_of_pages():
    queue = HostQueue([0, 1], 2)
    queue.push(0, 0.0)
    queue.push(1, 9.0)
    queue.set_verdict(1, HostVerdict(precedence=-1.0))
    assert drain(queue) == [1, 0]


def test_discarded_host_is_counted_until_its_pages_come_up():
    queue = HostQueue([0, 1, 0], 2)
    for page in (0, 1, 2):
        queue.push(page, 1.0)
    queue.set_verdict(0, HostVerdict(discard=True))
    assert len(queue) == 3
    assert drain(queue) == [1]
    assert (len(queue), queue.peak) == (0, 3)


def test_resting_host_is_passed_over_until_it_wakes():
    queue = HostQueue([0, 0, 1], 2)
    for page in (0, 1, 2):
        queue.push(page, 0.0)
    assert queue.pop(0) == 0
    queue.rest(0, 5.0)
    assert (queue.pop(1), queue.pop(2), queue.next_waking()) == (2, -1, 5.0)
    assert queue.pop(5) == 1
    assert queue.next_waking() is None


@given(seed=st.integers(0, 2**32))
def test_queue_agrees_with_a_sorted_list(seed):
    """Any pushes, verdicts and pops; the model sorts everything at each pop."""
    rng = Random(seed)
    hosts = [rng.randrange(4) for _ in range(20)]
    queue, queued, places, verdicts = HostQueue(hosts, 4), {}, {}, dict.fromkeys(range(4), KEEP_HOST)

    def key(page):
        verdict = verdicts[hosts[page]]
        priority = queued[page] if verdict.override is None else verdict.override
        return verdict.precedence, priority, places[page]

    for _ in range(150):
        action = rng.random()
        if action < 0.55:
            page, priority = rng.randrange(20), float(rng.randrange(4))
            if priority < queued.get(page, 9.0):
                places.setdefault(page, len(places))
                queued[page] = priority
                queue.push(page, priority)
        elif action < 0.7:
            host = rng.randrange(4)
            verdicts[host] = rng.choice(VERDICTS)
            queue.set_verdict(host, verdicts[host])
        else:
            expected = min(queued, key=key, default=-1)
            assert queue.pop() == expected
            queued.pop(expected, None)
        assert len(queue) == len(queued)
