"""Random operations in random order: every frontier gives the answers of the obvious one."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test
from model_frontier import ModelFrontier

from crawler_project.core.values import Entry, HostRules, HostVerdict, Lease, Outcome

HOSTS = ("a.kr", "b.kr", "c.com")
PRIORITIES = st.sampled_from([0.0, 1.0, 1.0, 2.5])
MANY = settings(
    max_examples=60,
    stateful_step_count=40,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.explicit, Phase.generate, Phase.shrink),
    derandomize=True,
)


@st.composite
def entries(draw: st.DrawFn) -> Entry:
    host = draw(st.sampled_from(HOSTS))
    url = f"https://{host}/{draw(st.integers(0, 6))}"
    return Entry(
        url,
        host,
        draw(PRIORITIES),
        draw(st.integers(1, 2)),
        referrer=draw(st.sampled_from(["", "x", "y"])),
        evidence=draw(st.sampled_from(["", "e"])),
    )


@st.composite
def verdicts(draw: st.DrawFn) -> HostVerdict:
    override = draw(st.none() | st.sampled_from([0.0, 1.0]))
    offset = draw(st.sampled_from([0.0, 0.0, -1.5, 2.0]))
    return HostVerdict(draw(st.sampled_from([0.0, 0.0, -1.0, 1.0])), draw(st.booleans()), override, offset)


@st.composite
def outcomes(draw: st.DrawFn) -> Outcome:
    return Outcome(
        kind=draw(st.sampled_from(["page", "page", "failed", "failed", "redirect", "gone", "refused"])),
        fetched=draw(st.booleans()),
        is_target=draw(st.booleans()),
        directory=draw(st.sampled_from(["", "a.kr/", "b.kr/x/"])),
        entries=draw(st.lists(entries(), max_size=8)),
        verdicts=draw(st.dictionaries(st.sampled_from(HOSTS), verdicts(), max_size=1)),
        reason=draw(st.sampled_from(["timeout", "status 500"])),
        back_off=draw(st.sampled_from([0.0, 0.0, 5.0])),
        notes=draw(st.dictionaries(st.sampled_from(["site a.kr", "weights"]), st.sampled_from(["1", "2"]), max_size=1)),
    )


class FrontierMachine(RuleBasedStateMachine):
    """Do the same to a frontier and to the model."""

    make: Any

    def __init__(self, **options: Any) -> None:
        super().__init__()
        self.now = 1000.0
        self.frontier = self.make(**options)
        self.model = ModelFrontier(**{"delay": 0.0, **options})
        self.leases: list[tuple[Lease, Lease]] = []
        self.old: list[tuple[Lease, Lease]] = []

    def both(self, operation: str, *arguments: Any, **options: Any) -> None:
        expected = getattr(self.model, operation)(*arguments, **options)
        assert getattr(self.frontier, operation)(*arguments, **options) == expected

    @rule(found=st.lists(entries(), max_size=6))
    def add(self, found: list[Entry]) -> None:
        self.both("add", found)

    @rule(limit=st.integers(0, 3))
    def lease(self, limit: int) -> None:
        ours, theirs = self.frontier.lease(limit, self.now), self.model.lease(limit, self.now)
        assert [(lease.entry, lease.attempt) for lease in ours] == [(lease.entry, lease.attempt) for lease in theirs]
        self.leases += zip(ours, theirs, strict=True)

    @precondition(lambda self: self.leases)
    @rule(outcome=outcomes(), data=st.data())
    def commit(self, outcome: Outcome, data: st.DataObject) -> None:
        ours, theirs = self.pick(data)
        assert self.frontier.commit(ours, outcome, self.now) == self.model.commit(theirs, outcome, self.now)

    @precondition(lambda self: self.leases)
    @rule(fetched=st.booleans(), priority=st.none() | PRIORITIES, data=st.data())
    def release(self, fetched: bool, priority: float | None, data: st.DataObject) -> None:
        ours, theirs = self.pick(data)
        self.frontier.release(ours, self.now, fetched=fetched, priority=priority)
        self.model.release(theirs, self.now, fetched=fetched, priority=priority)

    @precondition(lambda self: self.old)
    @rule(outcome=outcomes(), data=st.data())
    def commit_what_is_not_held(self, outcome: Outcome, data: st.DataObject) -> None:
        ours, theirs = data.draw(st.sampled_from(self.old))
        assert self.frontier.commit(ours, outcome, self.now) == self.model.commit(theirs, outcome, self.now)

    def pick(self, data: st.DataObject) -> tuple[Lease, Lease]:
        pair = self.leases.pop(data.draw(st.integers(0, len(self.leases) - 1)))
        self.old.append(pair)
        return pair

    @rule(host=st.sampled_from(HOSTS), delay=st.none() | st.sampled_from([-1.0, 0.0, 2.0, 999.0]))
    def set_host_rules(self, host: str, delay: float | None) -> None:
        self.both("set_host_rules", host, HostRules("User-agent: *", 5.0, delay))

    @rule(text=st.sampled_from(["", "3"]))
    def set_note(self, text: str) -> None:
        self.both("set_note", "site b.kr", text)

    @rule(seconds=st.sampled_from([0.0, 0.5, 1.0, 3.0, 100.0]))
    def wait(self, seconds: float) -> None:
        self.now += seconds

    @rule()
    def requeue_dead(self) -> None:
        self.both("requeue_dead")

    @rule(size=st.integers(0, 99))
    def checkpoint(self, size: int) -> None:
        self.both("checkpoint", {"crawled-ko.csv": size})

    @precondition(lambda self: self.make.can_restart)
    @rule()
    def crash(self) -> None:
        self.both("set_host_rules", "lost.kr", HostRules("", 1.0))
        self.restart(after_crash=True)

    @precondition(lambda self: self.make.can_restart and not self.leases)
    @rule()
    def stop_and_start(self) -> None:
        self.both("checkpoint", {"crawled-ko.csv": 100})
        self.restart(after_crash=False)

    def restart(self, *, after_crash: bool) -> None:
        self.frontier = self.make.restart(self.frontier)
        self.model.restart(after_crash=after_crash)
        self.old += self.leases
        self.leases = []

    @invariant()
    def answers_are_the_same(self) -> None:
        self.both("is_finished")
        self.both("status", self.now)
        self.both("next_ready", self.now)
        for rank in (-1.0, 0.5, 1e9):
            self.both("next_better", rank, self.now)
        self.both("dead")
        self.both("outputs")
        self.both("counts", [*HOSTS, "a.kr/", "b.kr/x/", "nowhere.kr"])
        self.both("host_rules", "a.kr")
        self.both("notes", "site ")

    def teardown(self) -> None:
        self.frontier.close()


def test_frontier_agrees_with_the_model(new_frontier):
    machine = type("Machine", (FrontierMachine,), {"make": new_frontier})
    run_state_machine_as_test(machine, settings=MANY)


def test_frontier_agrees_with_the_model_when_it_compares_distances_and_is_polite(new_frontier):
    machine = type("Machine", (FrontierMachine,), {"make": new_frontier})
    options = {"compare_distance": True, "delay": 1.0, "max_attempts": 2, "retry_delay": 3.0}
    run_state_machine_as_test(lambda: machine(**options), settings=MANY)
