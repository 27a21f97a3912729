"""The strategy that learns on real links, beside the published strategies.

    CRAWLER_DATA=FOLDER python benchmarks/adaptive_real.py [--seed-sets 8] [--out FILE.csv]

``web-a``: a multilingual web of project sites, blogs and manuals, labelled by the language of the prose, anchors judged as in
a live crawl. ``webkb-a``: pages of computer science departments, each class a target; links as they are, no anchor is in a
target language. ``webkb-a, texts``: the same with the texts of anchors, as a live crawl has them; of these strategies only
``adaptive`` looks at them. ``polblogs``: blogs of two sides, one page a blog; from the three of a side that are linked most. The measure
is the mean coverage over the whole crawl (the area below its curve), as a share of the target pages that can be reached; a crawl
that ends early stays where it is. A second row of ``adaptive`` is started from what it learned in another target of the same data.

With ``--seed-sets`` the two of webkb-a alone, each class so many times: from the page with the shortest address of a class on each host, then from one
drawn at random there, again and again. These classes are small, and one page that lists many of them decides much; the mean over the draws says more.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from adaptive import DATA, Curve, add_row, targets_after

from crawler_project.core.seams import AnchorJudge
from crawler_project.core.target import Target
from crawler_project.core.values import Relevance
from crawler_project.relevance.language.judges import make_anchor_judge
from crawler_project.serving.recorded_lines import recorded_lines
from crawler_project.simulator.read_web import read_web
from crawler_project.simulator.simulator import Simulator
from crawler_project.simulator.web import Web
from crawler_project.simulator.web_builder import LinkColumns, PageColumns, assemble
from crawler_project.simulator.web_recorder import Recording, WebRecorder
from crawler_project.simulator.web_texts import WebTexts, read_web_texts
from crawler_project.strategies import make_strategy
from crawler_project.strategies.adaptive import Adaptive
from crawler_project.strategies.learning.state import describe_state, write_state

ROOT = Path(__file__).resolve().parent.parent
STRATEGIES: Sequence[tuple[str, dict[str, str]]] = [
    ("control", {}),
    ("experimental", {}),
    ("soft_focused", {}),
    ("lswc", {"S": "1", "T": "1"}),
    ("lswc", {}),
    ("adaptive", {}),
    ("perfect", {}),
]
LANGUAGES = {"ko": "kr", "ja": "jp", "zh": "cn tw hk", "th": "th", "vi": "vn"}
CLASSES = ("course", "faculty", "project", "student", "staff", "department")


class Silent:
    """No anchor says anything."""

    def judge_anchor(self, text: str, page_language: str, tld: str) -> Relevance:
        return Relevance(False, 0.0)


class NoJudge:
    """All pages are labelled."""

    def judge(self, page: object) -> Relevance:
        return Relevance(False, 0.0)


def recorded(path: Path, target: str, tlds: str, label: str, anchors: AnchorJudge) -> Web:
    """Make a web of a collection; ``label`` is the field that says what a page is."""
    recorder = WebRecorder(Target(frozenset({target}), frozenset(tlds.split())), NoJudge(), anchors)
    for line in recorded_lines(path):
        row = json.loads(line)
        body = row["html"].encode(row.get("charset") or "utf-8", "replace")
        url = row["url"].replace("file://", "http://", 1)
        recorder.add(Recording(url, body, f"text/html; charset={row['charset']}", language=row[label] or "und"))
    return recorder.build()


def seen_as(web: Web, texts: WebTexts, name: str, is_target: npt.NDArray[np.bool_]) -> Web:
    """The web with some pages as its targets, from the one with the shortest address on each host."""
    fronts: dict[int, int] = {}
    for page in np.flatnonzero(is_target).tolist():
        host = int(web.hosts[page])
        if host not in fronts or len(web.url(page)) < len(web.url(fronts[host])):
            fronts[host] = page
    return replace(
        web,
        target_lang=name,
        target_tlds=frozenset(),
        lang_names=[name, "other", "und"],
        langs=np.where(is_target, 0, 1).astype(np.int16),
        anchors=np.zeros(web.n_links, dtype=bool),
        seeds=np.array(list(fronts.values()), dtype=np.int32),
        texts=texts,
    )


def with_texts(path: Path, label: str) -> tuple[Web, WebTexts]:
    """A collection with its texts, recorded as users would."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "web"
        command = [sys.executable, "-m", "scrapy", "web", "record", str(path.resolve()), "--target", "en"]
        subprocess.run([*command, "--label", label, "--out", str(out)], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        web = read_web(out)
        return web, read_web_texts(out, web)


def blogs(path: Path, side: int) -> Web:
    data = json.loads("".join(recorded_lines(path)))
    rows = {node["id"]: row for row, node in enumerate(data["nodes"])}
    urls = [f"http://{node['host'].strip('/')}/" for node in data["nodes"]]
    links = np.array(sorted((rows[a], rows[b]) for a, b in data["edges"]), dtype=np.int64)
    linked = np.bincount(links[:, 1], minlength=len(urls))
    own = np.array([node["value"] == side for node in data["nodes"]])
    seeds = np.argsort(-np.where(own, linked, -1), kind="stable")[:3].tolist()
    hosts = [url.split("/")[2] for url in urls]
    columns = PageColumns(urls, hosts, ["th" if is_own else "en" for is_own in own])
    anchors = np.zeros(len(links), dtype=bool)
    return assemble(
        Target(frozenset({"th"}), frozenset()), columns, LinkColumns(links[:, 0], links[:, 1], anchors), seeds
    )


def webs(folder: Path) -> Iterator[tuple[str, str, Web]]:
    for language, tlds in LANGUAGES.items():
        judge = make_anchor_judge(Target(frozenset({language}), frozenset(tlds.split())))
        yield "web-a", language, recorded(folder / "web-a/pages.jsonl.zst", language, tlds, "text_lang", judge)
    for name in CLASSES:
        yield "webkb-a", name, recorded(folder / "webkb-a/pages.jsonl.zst", name, "", "cls", Silent())
    web, texts = with_texts(folder / "webkb-a/pages.jsonl.zst", "cls")
    labels = np.array(texts.labels.to_pylist(), dtype=object)
    for name in CLASSES:
        yield "webkb-a, texts", name, seen_as(web, texts, name, np.asarray(labels == name, dtype=bool))
    for side, name in enumerate(("liberal", "conservative")):
        yield "polblogs", name, blogs(folder / "polblogs/polblogs.json.zst", side)


def area(curve: Curve, targets: int) -> float:
    return float(curve.mean() / max(1, targets))


def drawn(web: Web, sets: int) -> Iterator[Web]:
    """The web from other seeds: on each host with a target page one of them, drawn at random; its own seeds first."""
    targets = np.flatnonzero(web.is_target)
    yield web
    for number in range(1, sets):
        draw = np.random.default_rng(number)
        seeds = [draw.choice(targets[web.hosts[targets] == host]) for host in np.unique(web.hosts[targets])]
        yield replace(web, seeds=np.array(seeds, dtype=np.int32))


def areas(web: Web) -> tuple[dict[str, float], int, int, Adaptive]:
    """Crawl with every strategy: areas, pages and target pages that can be reached, and what was learned."""
    reached = list(Simulator(web, make_strategy("control")).run())
    targets = int(web.is_target[reached].sum())
    found = {}
    for name, options in STRATEGIES:
        strategy = make_strategy(name, **options)
        label = name + "".join(f"-{value}" for value in options.values())
        found[label] = area(targets_after(Simulator(web, strategy), len(reached)), targets)
        if isinstance(strategy, Adaptive):
            learned = strategy
    return found, len(reached), targets, learned


def from_many_seeds(folder: Path, sets: int, out: Path) -> None:
    for data, target, web in webs(folder):
        if not data.startswith("webkb-a"):
            continue
        rows = [areas(one)[0] for one in drawn(web, sets)]
        means = {name: float(np.mean([row[name] for row in rows])) for name in rows[0]}
        published = [name for name in means if name not in ("adaptive", "perfect")]
        ahead = sum(row["adaptive"] >= max(row[name] for name in published) for row in rows)
        spread = float(np.std([row["adaptive"] for row in rows]))
        add_row(out, {"data": data, "target": target, "sets": sets, "ahead": ahead} | means | {"sd": spread})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--seed-sets", type=int, default=0)
    arguments = parser.parse_args()
    data_folder = Path(os.environ["CRAWLER_DATA"])
    if arguments.seed_sets:
        from_many_seeds(data_folder, arguments.seed_sets, arguments.out or DATA / "adaptive-real-seeds.csv")
        return
    states: dict[str, Path] = {}
    with tempfile.TemporaryDirectory() as folder:
        for data, target, web in webs(data_folder):
            found, pages, targets, learned = areas(web)
            row: dict[str, Any] = {"data": data, "target": target, "pages": pages, "targets": targets} | found
            row["adaptive-warm"] = ""
            if data in states:
                warm = Adaptive(start_from=str(states[data]))
                row["adaptive-warm"] = area(targets_after(Simulator(web, warm), pages), targets)
            states[data] = Path(folder) / f"{data}.json"
            write_state(states[data], describe_state(learned.learner))
            add_row(arguments.out or DATA / "adaptive-real.csv", row)


if __name__ == "__main__":
    main()
