"""Several workers on one Redis verify one list: each site once, whoever dies and whatever each was given."""

from __future__ import annotations

from pathlib import Path

import pytest
from shops_of_test import SITES, add_six_sites
from test_site_verifier import Verification, check_six_sites, read_csv
from web_of_test import WebServer
from workers_of_test import RedisServer, Workers, redis_of_crawls

__all__ = ["redis_of_crawls"]


@pytest.fixture
def verification(server: WebServer, tmp_path: Path) -> Verification:
    return Verification(server, tmp_path)


def test_workers_share_a_list_and_survive_one_of_them(
    server: WebServer, verification: Verification, redis_of_crawls: RedisServer
) -> None:
    add_six_sites(server)
    verification.seeds.write_text("\n".join(SITES))
    workers = Workers(verification, redis_of_crawls, "six-sites")
    settings = {"FRONTIER_LEASE": 2, "FRONTIER_DELAY": 0.02}
    workers.start(2, **settings)
    workers.until(lambda: len(server.requests) > 15)
    killed = workers.processes.pop(0)
    killed.kill()
    killed.communicate()
    workers.start(1, **settings)
    workers.finish()
    check_six_sites(verification)
    assert len(verification.evidence()) == 6


def test_workers_with_other_pages_of_a_site_verify_it_once(
    server: WebServer, verification: Verification, redis_of_crawls: RedisServer
) -> None:
    add_six_sites(server)
    workers = Workers(verification, redis_of_crawls, "other-pages")
    verification.seeds.write_text("http://a.shop.example/")
    other = verification.folder / "other.txt"
    other.write_text("http://a.shop.example/list?cat=1\nhttp://b.shop.example/help")
    workers.start(1, FRONTIER_DELAY=0.02)
    workers.start(1, "-a", f"sites={other}", FRONTIER_DELAY=0.02)
    workers.finish()
    assert {site: row["verdict"] for site, row in verification.sites().items()} == {
        "a.shop.example": "true",
        "b.shop.example": "true",
    }
    rows = [row for path in verification.output.glob("pages*.csv") for row in read_csv(path)]
    assert len(rows) == len({row["url"] for row in rows})
