"""Tables and figures of a web small enough to count by hand."""

import json

import pytest

from crawler_project.simulator.golden import read_golden
from crawler_project.simulator.stats import (
    language_table,
    link_counts,
    nearest_target_distances,
    seed_distances,
    target_share_by_distance,
)


@pytest.fixture
def web(tmp_path):
    rows = [("www.a.co.th", "th"), ("www.a.co.th", "english"), ("b.a.co.th", "th"), ("c.com", "unknown"), ("c.com", "other"), ("d.net", "th"), ("e.org", "th")]  # fmt: skip
    document = {
        "format": "langcrawl-golden/1",
        "target_lang": "th",
        "target_tlds": ["th"],
        "pages": [
            {"page_id": i, "url": f"http://{host}/{i}", "host": host, "tld": host.rpartition(".")[2], "lang": lang}
            for i, (host, lang) in enumerate(rows)
        ],
        "links": [
            {"src": src, "dst": dst, "anchor_lang": lang}
            for src, dst, lang in [
                (0, 0, "th"), (0, 1, "th"), (0, 2, "th"), (0, 3, "other"),
                (1, 0, "other"), (3, 4, "other"), (4, 5, "th"), (4, 3, "other"),
            ]
        ],
        "seeds": ["http://www.a.co.th/0"],
    }  # fmt: skip
    (tmp_path / "web.json").write_text(json.dumps(document))
    return read_golden(tmp_path / "web.json")[0]


def test_language_table_counts_domains_and_languages(web):
    assert language_table(web) == {
        "home": [2, 1, 0, 0],
        "com": [0, 0, 1, 1],
        "net": [1, 0, 0, 0],
        "other": [1, 0, 0, 0],
    }


def test_link_counts_tell_server_domain_and_anchor_apart(web):
    on_target, on_others = link_counts(web)
    assert on_target.all == (4, 2)
    assert on_target.same_server == (2, 1)
    assert on_target.same_domain == (3, 2)
    assert on_target.other_domain == (1, 0)
    assert on_target.target_anchor == (3, 2)
    assert on_others.all == (4, 2)
    assert on_others.other_server == (1, 1)
    assert on_others.target_anchor == (1, 1)
    assert on_others.other_anchor == (3, 1)


def test_distances_are_counted_from_the_seeds(web):
    assert seed_distances(web).tolist() == [0, 1, 1, 1, 2, 3, -1]
    assert target_share_by_distance(web) == [1.0, 0.5, 0.4, 0.5]


def test_nearest_target_pages_are_found_through_others(web):
    """Page 2 is linked by page 0, page 0 by page 1 behind it (distance 2), page 5 through 3 and 4."""
    assert nearest_target_distances(web) == pytest.approx([1 / 3, 1 / 3, 1 / 3])


def test_link_parts_cover_all_links_whatever_their_size(web, monkeypatch):
    whole = link_counts(web)
    monkeypatch.setattr("crawler_project.simulator.stats.LINKS_AT_A_TIME", 1)
    assert link_counts(web) == whole
