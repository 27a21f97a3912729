"""Live and simulated crawls agree: the same small web, over HTTP and in the simulator, in the same order."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from web_of_test import TOPIC_STRATEGIES, Crawl, WebServer

from crawler_project.simulator.golden import read_golden
from crawler_project.simulator.simulator import Simulator
from crawler_project.simulator.web import Web
from crawler_project.simulator.web_texts import WebTexts
from crawler_project.strategies import STRATEGIES, make_strategy

EXAMPLE = Path(__file__).parent.parent / "data" / "strategies-example.json"
ANCHORS = {"th": "อ่านต่อภาษาไทย", "other": "read more about this"}
RUNS: list[tuple[str, dict[str, Any]]] = [
    ("control", {}),
    ("experimental", {}),
    ("hard_focused", {}),
    ("hard_focused", {"inherit": False}),
    ("soft_focused", {}),
    ("server_filter", {"m": 2, "theta": 0.5}),
    ("server_filter", {"m": 2, "theta": 0.5, "new": "conservative", "recheck": True}),
    ("server_filter", {"m": 2, "theta": 0.5, "new": "tld"}),
    ("directory_filter", {"m": 2, "theta": 0.5, "new": "conservative"}),
    ("directory_filter", {"m": 1, "theta": 0.5, "recheck": True}),
    ("lswc", {"S": 1, "T": 1}),
    ("lswc", {"S": 3, "T": 5}),
    ("lswc", {"S": 2, "T": 2, "inherit": False}),
    ("adaptive", {}),
]


def test_every_strategy_that_can_run_live_is_compared() -> None:
    of_topics = set(TOPIC_STRATEGIES)  # compared in test_topic_focused.py, on a web with texts
    live = {name for name, cls in STRATEGIES.items() if not cls.needs_whole_web}
    assert {name for name, _ in RUNS} == live - of_topics
    assert of_topics <= live


@pytest.mark.parametrize(("name", "parameters"), RUNS, ids=str)
def test_live_order_is_the_simulated_order(
    server: WebServer, crawl: Crawl, name: str, parameters: dict[str, Any]
) -> None:
    web, _ = read_golden(EXAMPLE)
    urls = web.urls.to_pylist()
    simulated = [urls[page] for page in Simulator(with_anchor_texts(web), make_strategy(name, **parameters)).run()]
    serve(server, web)
    crawl.seeds.write_text("\n".join(urls[seed] for seed in web.seeds))
    arguments = [part for key, value in parameters.items() for part in ("-a", f"{key}={value}")]
    crawl.run(
        "-a", "target=th", "-a", "judge=title_judge.TitleJudge", "-a", f"strategy={name}", *arguments, CONCURRENT_REQUESTS=1, ROBOTSTXT_OBEY=0, FOCUS_USE_HREFLANG=0
    )  # fmt: skip
    assert [row["url"] for row in crawl.rows()] == simulated


def with_anchor_texts(web: Web) -> Web:
    """The web with the anchor texts that :func:`serve` gives to its links."""
    texts = pa.array(["", ANCHORS["other"], ANCHORS["th"]], pa.large_string())
    nothing = np.zeros(max(web.n_pages, web.n_links), dtype=np.int32)
    anchors = 1 + web.anchors.astype(np.int32)
    of_pages, of_links = nothing[: web.n_pages], nothing[: web.n_links]
    return replace(web, texts=WebTexts(texts, of_pages, pa.array([""] * web.n_pages), of_links, anchors, of_links))


def serve(server: WebServer, web: Web) -> None:
    """Pages whose texts and anchors are in the languages that the web says."""
    urls = web.urls.to_pylist()
    for page, url in enumerate(urls):
        host, _, path = url.removeprefix("http://").partition("/")
        start, end = web.offsets[page : page + 2].tolist()
        links = "".join(
            f'<li><a href="{urls[target]}">{ANCHORS["th" if is_target else "other"]}</a></li>'
            for target, is_target in zip(web.targets[start:end].tolist(), web.anchors[start:end].tolist(), strict=True)
        )
        language = web.lang_names[web.langs[page]]
        server.pages[host, f"/{path}"] = f"<title>{language}</title><ul>{links}</ul>"
