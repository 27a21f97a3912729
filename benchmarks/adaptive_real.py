"""The strategy that learns on real links, beside the published strategies.

    CRAWLER_DATA=FOLDER python benchmarks/adaptive_real.py [--out FILE.csv]

``web-a``: a multilingual web of project sites, blogs and manuals, labelled by the language of the prose, anchors judged as in
a live crawl. ``webkb-a``: pages of computer science departments, each class a target; links as they are, no anchor is in a
target language. ``webkb-a, texts``: the same with the texts of anchors, as a live crawl has them; of these strategies only
``adaptive`` looks at them. ``polblogs``: blogs of two sides, one page a blog; from the three of a side that are linked most. The measure
is the mean coverage over the whole crawl (the area below its curve), as a share of the target pages that can be reached; a crawl
that ends early stays where it is. A second row of ``adaptive`` is started from what it learned in another target of the same data.
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=DATA / "adaptive-real.csv")
    arguments = parser.parse_args()
    states: dict[str, Path] = {}
    with tempfile.TemporaryDirectory() as folder:
        for data, target, web in webs(Path(os.environ["CRAWLER_DATA"])):
            reached = list(Simulator(web, make_strategy("control")).run())
            all_targets = int(web.is_target[reached].sum())
            row: dict[str, Any] = {"data": data, "target": target, "pages": len(reached), "targets": all_targets}
            for name, options in STRATEGIES:
                strategy = make_strategy(name, **options)
                curve = targets_after(Simulator(web, strategy), len(reached))
                row[name + "".join(f"-{value}" for value in options.values())] = area(curve, all_targets)
                if isinstance(strategy, Adaptive):
                    learned = strategy
            row["adaptive-warm"] = ""
            if data in states:
                warm = Adaptive(start_from=str(states[data]))
                row["adaptive-warm"] = area(targets_after(Simulator(web, warm), len(reached)), all_targets)
            states[data] = Path(folder) / f"{data}.json"
            write_state(states[data], describe_state(learned.model, learned.ways))
            add_row(arguments.out, row)


if __name__ == "__main__":
    main()
