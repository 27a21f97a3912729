from pathlib import Path

import pytest
from crawl_writer import page, write_crawl

from crawler_project.core.errors import ConfigurationError
from crawler_project.reports import chain
from crawler_project.reports.chain import Explanation, explain_urls


def explain(directory: Path, url: str) -> Explanation:
    (answer,) = explain_urls(directory, [url])
    return answer


def way(answer: Explanation) -> list[tuple[str, str]]:
    return [(hop.final_url, hop.why) for hop in answer.hops]


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    """Seed, a redirected page, an English page, a leaf; rows lie in two files."""
    rows = [
        page("http://seed.kr/"),
        page(
            "http://old.com/a",
            final_url="http://new.com/a",
            referrer="http://seed.kr/",
            why="anchor ko 0.98",
            depth=1,
            anchor_text="'=한국어",
            title="새 문서",
        ),
        page("http://en.com/", "en", referrer="http://new.com/a", why="tld kr", depth=2),
        page("http://leaf.kr/?b=1", referrer="http://en.com/", why="tld kr", depth=3),
    ]
    return write_crawl(tmp_path / "crawl", rows)


def test_explain_follows_the_referrers_to_the_seed_across_files_and_redirects(crawl: Path) -> None:
    answer = explain(crawl, "http://leaf.kr/?b=1")
    assert way(answer) == [
        ("http://seed.kr/", "seed"),
        ("http://new.com/a", "anchor ko 0.98"),
        ("http://en.com/", "tld kr"),
        ("http://leaf.kr/?b=1", "tld kr"),
    ]
    assert answer.note == ""
    second = answer.hops[1]
    assert (second.url, second.anchor_text, second.title, second.position) == (
        "http://old.com/a",
        "=한국어",
        "새 문서",
        2,
    )
    assert [hop.is_target for hop in answer.hops] == [True, True, False, True]


@pytest.mark.parametrize("asked", ["http://old.com/a", "http://new.com/a", "HTTP://NEW.com:80/a#x", "new.com/a"])
def test_explain_finds_a_page_by_any_form_of_its_address(crawl: Path, asked: str) -> None:
    assert explain(crawl, asked).hops[-1].final_url == "http://new.com/a"


def test_explain_answers_in_the_order_asked(crawl: Path) -> None:
    asked = ["http://en.com/", "http://no.example/", "http://seed.kr/"]
    answers = explain_urls(crawl, asked)
    assert [answer.asked for answer in answers] == asked
    assert [len(answer.hops) for answer in answers] == [3, 0, 1]


def test_explain_names_crawled_addresses_like_one_that_was_not_crawled(tmp_path: Path) -> None:
    urls = [
        "http://a.kr/blog/11",
        "http://a.kr/blog/1",
        "http://www.a.kr/blog/12",
        "http://a.kr/",
        "http://b.kr/blog/12",
    ]
    crawl = write_crawl(tmp_path / "crawl", [page(url) for url in urls])
    answer = explain(crawl, "https://a.kr/blog/12")
    assert not answer.is_crawled
    assert answer.nearest[0] in {"http://a.kr/blog/1", "http://a.kr/blog/11"}
    assert "http://b.kr/blog/12" not in answer.nearest
    assert explain(crawl, "http://sub.a.kr/blog/12").nearest[0] == "http://www.a.kr/blog/12"


@pytest.mark.parametrize("asked", ["", "mailto:x@a.kr", "http://", "\udcff", "http://far.example/", "x" * 3000])
def test_explain_takes_any_text_for_an_address_that_was_not_crawled(crawl: Path, asked: str) -> None:
    answer = explain(crawl, asked)
    assert (answer.is_crawled, answer.nearest) == (False, ())


def test_explain_stops_where_referrers_go_round_in_a_circle(tmp_path: Path) -> None:
    rows = [page(f"http://a.kr/{n}", referrer=f"http://a.kr/{(n + 1) % 3}", why="link") for n in range(3)]
    answer = explain(write_crawl(tmp_path / "crawl", rows), "http://a.kr/0")
    assert [url for url, _ in way(answer)] == ["http://a.kr/2", "http://a.kr/1", "http://a.kr/0"]
    assert answer.note == "the referrers go round in a circle from here"


def test_explain_cuts_a_chain_that_is_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chain, "MAX_HOPS", 4)
    rows = [page(f"http://a.kr/{n}", referrer=f"http://a.kr/{n - 1}" if n else "") for n in range(9)]
    answer = explain(write_crawl(tmp_path / "crawl", rows), "http://a.kr/8")
    assert [url for url, _ in way(answer)] == [f"http://a.kr/{n}" for n in (5, 6, 7, 8)]
    assert answer.note == "the chain is cut after 4 hops"


def test_explain_says_so_when_the_referrer_is_not_there(tmp_path: Path) -> None:
    crawl = write_crawl(tmp_path / "crawl", [page("http://a.kr/", referrer="http://lost.kr/", why="link")])
    assert "is not among the crawl's rows" in explain(crawl, "http://a.kr/").note


def test_explain_takes_the_first_download_of_a_page_that_was_reached_twice(tmp_path: Path) -> None:
    rows = [
        page("http://x.kr/", final_url="http://page.kr/", why="link", position=7),
        page("http://page.kr/", why="seed", position=3),
    ]
    crawl = write_crawl(tmp_path / "crawl", rows)
    assert explain(crawl, "http://page.kr/").hops[0].position == 3


def test_explain_takes_rows_with_missing_numbers(tmp_path: Path) -> None:
    crawl = write_crawl(tmp_path / "crawl", [page("http://a.kr/", status="", language_score="", depth="")])
    (hop,) = explain(crawl, "http://a.kr/").hops
    assert (hop.status, hop.language_score, hop.depth) == (None, None, None)


def test_explain_reads_only_crawl_directories(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="expected the output directory"):
        explain_urls(tmp_path, ["http://a.kr/"])
