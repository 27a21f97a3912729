"""``scrapy simulate``: crawl a recorded or generated web offline, in the order of a strategy."""

from __future__ import annotations

import argparse
import csv
import json
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from scrapy.commands import ScrapyCommand

from crawler_project.core.errors import ConfigurationError, CrawlerProjectError
from crawler_project.reports.printable import tell

if TYPE_CHECKING:
    from crawler_project.simulator.simulated_crawl import SimulatedCrawl
    from crawler_project.simulator.simulation_plan import SimulationPlan
    from crawler_project.simulator.simulator import Simulator
    from crawler_project.simulator.web import Web
    from crawler_project.strategies import Strategy

TRACE_ROWS = 1000
"""A trace has about so many rows unless ``--every`` asks otherwise."""
OF_TOPIC = ("model", "topic", "target")
"""Names that ``-a`` takes beside the strategy's parameters."""


class _Finished(NamedTuple):
    label: str
    crawl: SimulatedCrawl
    record: Mapping[str, Any]


class Command(ScrapyCommand):
    """Simulate crawls."""

    requires_crawler_process = False
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        return "WEB (-a strategy=NAME [-a PARAM=VALUE …] | --compare NAME[:PARAM=VALUE…],…) [options]"

    def short_desc(self) -> str:
        return "Crawl a recorded or generated web offline, in the order of a strategy"

    def long_desc(self) -> str:
        return (
            "WEB is a langcrawl-web/1 directory or a langcrawl-golden/1 file. Strategies and their parameters are those "
            "of a live crawl. Ctrl-C ends a simulation after its current download; what it found so far is written."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("-a", dest="arguments", action="append", default=[], metavar="NAME=VALUE", help="strategy=NAME, or a parameter of it; model=FILE: a topic is the target, topic=LABEL: its pages by the collection's labels (may be repeated)")  # fmt: skip
        parser.add_argument(
            "--compare", metavar="LIST", help="several strategies on the same web: control,lswc:S=1:T=1"
        )
        parser.add_argument("--limit", metavar="N", help="end after N downloads")
        parser.add_argument("--order", metavar="FILE", help="write the downloaded page ids, one a line")
        parser.add_argument("--trace", metavar="FILE.csv", help="write pages, relevant, harvest_rate, coverage, queued")
        parser.add_argument(
            "--every", metavar="N", help=f"downloads between two rows of the trace (default: {TRACE_ROWS} rows)"
        )
        parser.add_argument(
            "--gap", metavar="K", default="0", help="politeness: a host rests for K downloads (default: 0)"
        )
        parser.add_argument("--workers", metavar="W", help="time model: fetches at the same time (default: 1)")
        parser.add_argument("--latency", metavar="SECONDS", help="time model: of one fetch (default: 0.5)")
        parser.add_argument("--delay", metavar="SECONDS", help="time model: rest of a host after a fetch (default: 1)")
        parser.add_argument("--state", metavar="FILE", help="go on from FILE if it exists; Ctrl-C and --limit write it")
        parser.add_argument("--model", metavar="FILE", help="write what strategy=adaptive has learned (scrapy model show FILE)")  # fmt: skip
        parser.add_argument("--plot", metavar="FILE", help="draw coverage and harvest rate (.png, .svg, .pdf); --compare draws comparison.png")  # fmt: skip
        parser.add_argument("--json", action="store_true", help="print one JSON object; with --compare one a line")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Simulate; one line on standard error and exit code 2 when that cannot be done, 130 after Ctrl-C."""
        try:
            self._simulate(args, opts)
        except (CrawlerProjectError, OSError) as error:
            tell(f"scrapy simulate: {error}")
            self.exitcode = 2
        except KeyboardInterrupt:
            tell("scrapy simulate: interrupted")
            self.exitcode = 130

    def _simulate(self, args: list[str], opts: argparse.Namespace) -> None:
        path = _only_argument(args, self.syntax())
        # Here, because Scrapy imports all commands before it runs one.
        from crawler_project.crawling.garbage import collect_rarely
        from crawler_project.simulator.read_web import read_web
        from crawler_project.simulator.simulation_plan import read_plan

        of_topic = _take_topic(opts)
        strategies = _strategies(opts)
        plan = read_plan(opts, len(strategies))
        web = read_web(path)
        if of_topic:
            web = _topic_web(web, path, of_topic)
        elif any(strategy.reads_texts for strategy in strategies.values()):
            web = _with_texts(web, path)
        finished: list[_Finished] = []
        collect_rarely()
        with _no_traceback_on_interrupt() as interrupted:
            for label, strategy in strategies.items():
                finished.append(_crawl(web, label, strategy, plan, interrupted))
                if interrupted:
                    self.exitcode = 130
                    break
        _write(finished, plan, as_json=opts.json)


def _only_argument(args: Sequence[str], syntax: str) -> Path:
    options = [arg for arg in args if arg.startswith("-")]
    if options or len(args) != 1:
        what = f"unknown option {options[0]}" if options else f"name one web, not {len(args)}"
        raise ConfigurationError(f"{what}; usage: scrapy simulate {syntax}")
    return Path(args[0])


def _take_topic(opts: argparse.Namespace) -> dict[str, str]:
    """Take what is about a topic out of the arguments: it goes with ``--compare`` too."""
    pairs = _pairs(opts.arguments)
    found = {name: pairs.pop(name) for name in OF_TOPIC if name in pairs}
    if found and not found.get("model"):
        raise ConfigurationError(
            f"{next(iter(found))}= needs a topic model: add -a model=FILE (see `scrapy topic train`)"
        )
    opts.arguments = [f"{name}={value}" for name, value in pairs.items()]
    return found


def _with_texts(web: Web, path: Path) -> Web:
    """The web with its texts, where they were recorded."""
    from crawler_project.simulator.text_recorder import TEXTS
    from crawler_project.simulator.web_texts import read_web_texts

    return replace(web, texts=read_web_texts(path, web)) if (path / TEXTS).is_file() else web


def _topic_web(web: Web, path: Path, of_topic: Mapping[str, str]) -> Web:
    """The web as the model sees it: pages on the topic are its targets, every text is scored once."""
    from crawler_project.relevance.topic import TopicModel
    from crawler_project.relevance.topic.link_scores import TopicLinkScorer
    from crawler_project.simulator.topic_web import topic_web, view_topic
    from crawler_project.simulator.web_texts import read_web_texts

    target = of_topic.get("target", "")
    if target and target != web.target_lang:
        raise ConfigurationError(
            f"target={target}: this web was recorded for {web.target_lang}; leave it out or record another"
        )
    model = TopicModel.load(of_topic["model"])
    view = view_topic(read_web_texts(path, web), TopicLinkScorer(model))
    return topic_web(web, view, model.name, label=of_topic.get("topic", ""), within_language=bool(target))


def _strategies(opts: argparse.Namespace) -> dict[str, Strategy]:
    """Make the strategies that were asked for, by the text that asked for them."""
    from crawler_project.strategies import STRATEGIES, make_strategy

    if opts.compare is not None:
        if opts.arguments:
            raise ConfigurationError(
                "--compare and -a exclude each other; write parameters as in --compare lswc:S=1:T=1"
            )
        specs = [spec.strip() for spec in opts.compare.split(",") if spec.strip()]
        if not specs:
            raise ConfigurationError(f"--compare is empty; name strategies of {', '.join(STRATEGIES)}")
        parsed = {spec: spec.split(":") for spec in specs}
        return {spec: make_strategy(name, **_pairs(rest)) for spec, (name, *rest) in parsed.items()}
    parameters = _pairs(opts.arguments)
    if "strategy" not in parameters:
        raise ConfigurationError(f"no strategy; add -a strategy=NAME with one of {', '.join(STRATEGIES)}")
    name = parameters.pop("strategy")
    return {name: make_strategy(name, **parameters)}


def _pairs(texts: Sequence[str]) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise ConfigurationError(f"{text!r} is not NAME=VALUE")
        if name in pairs:
            raise ConfigurationError(f"{name} is given twice; use --compare to run several strategies")
        pairs[name] = value
    return pairs


def _simulator(web: Web, strategy: Strategy, plan: SimulationPlan) -> Simulator:
    from crawler_project.simulator.simulator import Simulator
    from crawler_project.simulator.timed_simulator import TimedSimulator

    return TimedSimulator(web, strategy, plan.pace) if plan.pace else Simulator(web, strategy, plan.gap)


@contextmanager
def _no_traceback_on_interrupt() -> Iterator[list[int]]:
    """Collect Ctrl-C instead of raising, so that a download is never left half done; the second one raises."""
    seen: list[int] = []

    def note(number: int, _frame: object) -> None:
        if seen:
            raise KeyboardInterrupt
        seen.append(number)

    before = signal.signal(signal.SIGINT, note)
    try:
        yield seen
    finally:
        signal.signal(signal.SIGINT, before)


def _crawl(web: Web, label: str, strategy: Strategy, plan: SimulationPlan, interrupted: list[int]) -> _Finished:
    from tqdm import tqdm

    from crawler_project.simulator.saved_simulation import resume_simulation, save_simulation
    from crawler_project.simulator.simulated_crawl import follow
    from crawler_project.simulator.topic_measures import topic_measures

    begin = perf_counter()
    simulator = _simulator(web, strategy, plan)
    is_resumed = plan.state is not None and plan.state.exists()
    if is_resumed and plan.state:
        resume_simulation(simulator, plan.gap, plan.state)
        _cut_to_state(plan, simulator)
    total = min(plan.limit or web.n_pages, web.n_pages)
    every = plan.every or max(1, total // TRACE_ROWS)
    with tqdm(total=total, initial=simulator.downloads, unit="page", desc=label, disable=None, mininterval=0.5) as bar:
        for crawl in follow(simulator, plan.limit, every, lambda: bool(interrupted)):
            if len(crawl.order) & 1023 == 0:
                bar.update(simulator.downloads - bar.n)
        bar.update(simulator.downloads - bar.n)
    seconds = perf_counter() - begin
    if plan.order:
        _write_lines(plan.order, map(str, crawl.order), append=is_resumed)
    if plan.trace:
        _write_trace(plan.trace, crawl, append=is_resumed)
    if plan.state:
        save_simulation(simulator, plan.gap, plan.state)
    if plan.model:
        _write_model(plan.model, strategy, web)
    of_topic = topic_measures(simulator) if web.topic is not None else {}
    record = {**crawl.summary(), **of_topic, "seconds": round(seconds, 3), "peak_rss_bytes": _peak_rss()}
    if plan.pace:
        record["simulated_seconds"] = getattr(simulator, "seconds", 0.0)
    return _Finished(label, crawl, record)


def _cut_to_state(plan: SimulationPlan, simulator: Simulator) -> None:
    """Take out of order and trace what was written after the state: a simulation may end between the two."""
    from crawler_project.simulator.continued_files import cut_order, cut_trace
    from crawler_project.simulator.simulated_crawl import TraceRow

    if plan.order:
        cut_order(plan.order, simulator.downloaded())
    if plan.trace:
        cut_trace(plan.trace, ",".join(TraceRow._fields), simulator.downloads)


def _write_model(path: Path, strategy: Strategy, web: Web) -> None:
    from crawler_project.strategies.adaptive import Adaptive
    from crawler_project.strategies.learning.state import describe_state, write_state

    if not isinstance(strategy, Adaptive):
        raise ConfigurationError(f"--model is for strategy=adaptive; {strategy.name} learns nothing for such a file")
    write_state(path, describe_state(strategy.learner, {"target": web.target_lang, "web pages": web.n_pages}))


def _peak_rss() -> int:
    """Peak memory of this process in bytes; 0 where the system does not say."""
    try:
        import resource
    except ImportError:
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def _write_lines(path: Path, lines: Iterator[str], *, append: bool) -> None:
    with path.open("a" if append else "w", encoding="ascii", newline="\n") as file:
        file.writelines(f"{line}\n" for line in lines)


def _write_trace(path: Path, crawl: SimulatedCrawl, *, append: bool) -> None:
    has_rows = append and path.is_file() and path.stat().st_size > 0
    with path.open("a" if append else "w", encoding="ascii", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        if not has_rows:
            writer.writerow(crawl.last._fields)
        writer.writerows(crawl.trace)


def _write(finished: Sequence[_Finished], plan: SimulationPlan, *, as_json: bool) -> None:
    from crawler_project.simulator.simulation_table import simulation_table

    records = {run.label: run.record for run in finished}
    print("\n".join(map(json.dumps, records.values()) if as_json else simulation_table(records)))
    if plan.plot:
        from crawler_project.reports.colours import strategy_colour
        from crawler_project.simulator.crawl_figure import draw_crawls

        draw_crawls({run.label: run.crawl for run in finished}, strategy_colour, plan.plot)
        tell(f"scrapy simulate: curves are in {plan.plot}")
    for run in finished:
        if run.crawl.is_interrupted:
            tell(f"scrapy simulate: {run.label} was interrupted after {run.crawl.last.pages} downloads")
