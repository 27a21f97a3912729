"""All that a crawl remembers, as a file: whole, damaged, of several workers."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from crawler_project.core.errors import ConfigurationError
from crawler_project.core.values import NO_COUNTS, Counts, Visit
from crawler_project.simulator.recipe import recipe_for
from crawler_project.simulator.simulator import Simulator
from crawler_project.simulator.synth import synthesize
from crawler_project.strategies.adaptive import Adaptive
from crawler_project.strategies.learning import file as room
from crawler_project.strategies.learning.features import ANCHOR_WORD, GROUPS, OF_LINK
from crawler_project.strategies.learning.file import LARGEST, Recollection, digest_of, read_memory, write_memory
from crawler_project.strategies.learning.lookup import Kept, pack, place_of
from crawler_project.strategies.learning.model import chance_of

EVIDENCE = pack(Kept(tuple(GROUPS[name].start for name in OF_LINK), (ANCHOR_WORD + 5,)))


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> tuple[Adaptive, Path]:
    strategy = Adaptive()
    list(Simulator(synthesize(recipe_for("th"), 1000, 2), strategy).run(300))
    path = tmp_path_factory.mktemp("memory") / "memory.zip"
    write_memory(path, strategy)
    return strategy, path


def test_memory_is_written_and_read_whole(saved):
    strategy, path = saved
    again = Adaptive()
    again.restore(read_memory(path))
    assert again.state() == strategy.state()
    assert path.stat().st_size < 500_000


def test_digest_is_that_of_the_file(saved, tmp_path):
    strategy, _ = saved
    assert write_memory(tmp_path / "memory.zip", strategy) == digest_of(tmp_path / "memory.zip")
    assert digest_of(tmp_path / "nothing.zip") == ""


def test_link_weighs_what_it_weighed_in_the_crawl(saved):
    strategy, path = saved
    for url in ("http://new.com/", "http://www.site1.co.th/d0/p3"):
        host = url.split("/")[2]
        told = Recollection([path]).weigh(url, host, EVIDENCE, NO_COUNTS)
        assert told == strategy.weigh(url, host, EVIDENCE)
        assert told.chance == pytest.approx(chance_of(sum(value for _, value in told.parts)))
    assert Recollection([path]).weigh("http://a.com/", "a.com", "seed", NO_COUNTS) is None


def visit(url: str, is_target: bool) -> Visit:
    return Visit(url, url.split("/")[2], "th", "th", is_target, is_target, 1, False)


def test_pages_count_once_and_links_add_up_when_workers_are_looked_at_together(tmp_path):
    both, paths = Adaptive(), [tmp_path / "memory.a.zip", tmp_path / "memory.b.zip"]
    workers = [Adaptive(), Adaptive()]
    place = place_of("http://a.com/x/new", "a.com")
    for number, worker in enumerate(workers):
        for page in range(4):
            own = visit(f"http://a.com/x/{number}{page}", page > number)
            for strategy in (worker, both):
                strategy.learn_one("", own)
                strategy.learner.lookup.count_links(own, [place])
            workers[1 - number].hear(worker.lesson())
    for worker, path in zip(workers, paths, strict=True):
        write_memory(path, worker)
    recollection = Recollection(paths)
    told = [recollection.weigh("http://a.com/x/new", "a.com", EVIDENCE, NO_COUNTS) for _ in range(3)]
    assert told == [both.weigh("http://a.com/x/new", "a.com", EVIDENCE)] * 3


def test_missing_pages_that_one_worker_met_count_for_all(tmp_path):
    workers, paths = [Adaptive(), Adaptive()], [tmp_path / "memory.a.zip", tmp_path / "memory.b.zip"]
    for page in range(4):
        workers[0].learn_one("", visit(f"http://a.com/x/{page}", True))
        workers[1].learn_gone("", visit(f"http://b.com/x/{page}", False))
    for worker, path in zip(workers, paths, strict=True):
        write_memory(path, worker)
    told = Recollection(paths).weigh("http://b.com/x/new", "b.com", EVIDENCE, NO_COUNTS)
    assert told.answers < 0.2


def test_counts_of_the_frontier_are_believed(saved):
    _, path = saved
    told = [Recollection([path]).weigh("http://n.com/", "n.com", EVIDENCE, Counts(40, targets)) for targets in (0, 40)]
    assert told[0].chance < told[1].chance


@pytest.mark.parametrize("content", [b"", b"PK", b"x" * 1000])
def test_memory_that_is_damaged_is_refused_in_one_line(tmp_path, content):
    path = tmp_path / "memory.zip"
    path.write_bytes(content)
    with pytest.raises(ConfigurationError, match="damaged") as raised:
        Recollection([path])
    assert "\n" not in str(raised.value)


def test_memory_that_is_missing_too_large_or_of_another_version_is_refused(tmp_path):
    path = tmp_path / "memory.zip"
    with pytest.raises(ConfigurationError, match="cannot be read"):
        read_memory(path)
    with pytest.raises(ConfigurationError, match="left no file"):
        Recollection([])
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("format.json", '{"format": "crawler-adaptive-memory/99"}')
    with pytest.raises(ConfigurationError, match="memory/99"):
        read_memory(path)
    with path.open("wb") as file:
        file.truncate(LARGEST + 1)
    with pytest.raises(ConfigurationError, match="too large"):
        read_memory(path)
    with pytest.raises(ConfigurationError, match="cannot be written"):
        write_memory(tmp_path / "no" / "memory.zip", Adaptive())


def test_memory_that_unpacks_to_too_much_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(room, "LARGEST", 1 << 20)
    path = tmp_path / "memory.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("format.json", "{}")
        file.writestr("model", bytes(room.LARGEST + 1))
    with pytest.raises(ConfigurationError, match="too large"):
        read_memory(path)


@given(place=st.floats(0, 1, exclude_max=True), value=st.integers(0, 255))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
def test_memory_with_any_byte_changed_is_read_or_refused(saved, tmp_path, place, value):
    content = bytearray(saved[1].read_bytes())
    content[int(place * len(content))] = value
    path = tmp_path / "changed.zip"
    path.write_bytes(content)
    try:
        told = Recollection([path]).weigh("http://a.com/", "a.com", EVIDENCE, NO_COUNTS)
    except ConfigurationError:
        return
    assert told is not None


def test_state_that_cannot_be_restored_leaves_the_strategy_as_it_was(saved):
    strategy = Adaptive()
    with pytest.raises(ValueError, match="damaged"):
        strategy.restore(saved[0].state() | {"others": b"x"})
    assert strategy.learner.model.examples == 0
