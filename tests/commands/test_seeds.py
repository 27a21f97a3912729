"""``scrapy seeds`` as a user calls it; the crawl of ``identify --by page`` is in tests/crawl/test_seed_pages.py."""

from __future__ import annotations

import csv
import gzip
import io
import sys
from types import SimpleNamespace

import pytest
from in_process import run_command

from crawler_project.commands.seeds import Command

ENTRY = '<ExternalPage about="{url}"><d:Title>{title}</d:Title><d:Description></d:Description><topic>{topic}</topic></ExternalPage>\n'
BEGIN = '<RDF xmlns:d="http://purl.org/dc/elements/1.0/" xmlns="http://dmoz.org/rdf/">\n'
ENTRIES = [
    *((f"http://h{n}.co.kr/", "한국어 누리집", "Top/World/Korean/뉴스") for n in range(8)),
    *((f"http://h{n}.com/ko", "한국어 누리집", "Top/World/Korean/Computers") for n in range(4)),
    ("http://h0.com/ko2", "한국어 누리집", "Top/World/Korean/Computers"),
    ("http://h1.co.kr/", "한국어 누리집", "Top/World/Korean/Computers"),
    *((f"http://h{n}.jp/", "日本語のページ", "Top/World/Japanese") for n in range(5)),
    ("http://adult.kr/", "한국어 누리집", "Top/World/Korean/Adult"),
    ("http://en.org/", "A page about the English language", "Top/Reference"),
]


@pytest.fixture
def seeds(capsys, monkeypatch, tmp_path):
    """Run the command in an empty folder that holds ``dump.rdf.gz``; gives exit code, standard output and error."""
    monkeypatch.chdir(tmp_path)
    dump = (
        BEGIN + "".join(ENTRY.format(url=url, title=title, topic=topic) for url, title, topic in ENTRIES) + "</RDF>\n"
    )
    (tmp_path / "dump.rdf.gz").write_bytes(gzip.compress(dump.encode()))

    def run(*arguments: object, stdin: str | bytes = "") -> tuple[int, str, str]:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(data), isatty=lambda: False))
        code = run_command(Command(), *arguments)
        output = capsys.readouterr()
        return code, output.out, output.err

    return run


def read(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_extract_writes_the_columns_and_only_the_topics_asked_for(seeds):
    code, out, err = seeds("extract", "dump.rdf.gz", "--topic", "Top/World/Korean*")
    assert code == 0
    assert out.splitlines()[0] == "url,title,description,topic,source"
    assert [(row["url"], row["topic"]) for row in read(out)] == [
        entry[::2] for entry in ENTRIES if "Korean" in entry[2]
    ]
    assert err.splitlines()[-1] == f"extract: {len(ENTRIES)} addresses read, 15 written"
    both = seeds(
        "extract",
        "dump.rdf.gz",
        "--topic",
        "Top/World/Japanese",
        "--topic",
        "Top/Reference",
        "--without-topic",
        "*REF*",
    )[1]
    assert {row["topic"] for row in read(both)} == {"Top/World/Japanese"}


def test_the_steps_work_in_a_pipe(seeds, tmp_path):
    extracted = seeds("extract", "-", stdin=(tmp_path / "dump.rdf.gz").read_bytes())[1]
    _, ordered, counts = seeds("sort", "--by", "tld", "--keep", "com,kr", stdin=extracted)
    assert [row["tld"] for row in read(ordered)] == ["com"] * 5 + ["kr"] * 10
    assert "jp" in counts
    _, identified, table = seeds("identify", "--by", "text", stdin=ordered)
    assert {row["language"] for row in read(identified)} == {"ko"}
    assert all(0 <= float(row["confidence"]) <= 1 for row in read(identified))
    assert table.splitlines()[0].split() == ["tld", "ko"] or "ko" in table.splitlines()[0]
    chosen = seeds("sample", "--language", "ko", "--n", "5", stdin=identified)[1]
    assert chosen == seeds("sample", "--language", "ko", "--n", "5", "--random-state", "0", stdin=identified)[1]
    assert chosen != seeds("sample", "--language", "ko", "--n", "5", "--random-state", "1", stdin=identified)[1]
    assert len({row["url"].split("/")[2] for row in read(chosen)}) == len(read(chosen)) == 5


def test_every_step_reads_any_form_of_seeds(seeds):
    assert len(read(seeds("sort", "dump.rdf.gz")[1])) == len(ENTRIES)
    assert read(seeds("identify", "-", "--by", "url", stdin="a.co.kr\n")[1])[0]["language"] == "ko"
    assert len(read(seeds("sample", "dump.rdf.gz", "--per-host", "0", "--n", "100")[1])) == len(ENTRIES) - 1


def test_sort_and_identify_write_table_and_picture(seeds, tmp_path):
    seeds("sort", "dump.rdf.gz", "--table", "f2.csv", "--picture", "f2.png", "-o", "s.csv")
    seeds("identify", "s.csv", "--by", "text", "--table", "t1.csv", "--picture", "t1.svg", "-o", "i.csv")
    assert read((tmp_path / "f2.csv").read_text())[0] == {"tld": "kr", "urls": "10", "share": "47.62%"}
    assert read((tmp_path / "t1.csv").read_text())[-1]["total"] == str(len(ENTRIES))
    assert (tmp_path / "f2.png").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in (tmp_path / "t1.svg").read_text()


def test_sample_leaves_out_the_dead_and_says_when_there_are_too_few(seeds):
    text = "url,language,status\nhttp://a.kr/,ko,alive\nhttp://b.kr/,ko,status 404\nhttp://c.jp/,ja,alive\n"
    code, out, err = seeds("sample", "--language", "ko", stdin=text)
    assert (code, [row["url"] for row in read(out)]) == (0, ["http://a.kr/"])
    assert "1 of 1,000 that were asked for" in err


def test_sample_takes_strata_in_proportion(seeds):
    extracted = seeds("extract", "dump.rdf.gz", "--topic", "Top/World/*")[1]
    rows = read(seeds("sample", "--n", "6", "--strata", "topic", stdin=extracted)[1])
    assert {row["topic"] for row in rows} == {entry[2] for entry in ENTRIES if "World" in entry[2]}


def test_rank_orders_seeds_by_a_link_graph(seeds, tmp_path):
    links = [("http://h1.co.kr/", f"http://h{n}.co.kr/") for n in range(2, 8)] + [
        ("http://h2.co.kr/", "http://h3.co.kr/")
    ]
    (tmp_path / "links.csv").write_text("source,target\n" + "".join(f"{a},{b}\n" for a, b in links))
    extracted = seeds("extract", "dump.rdf.gz", "--topic", "*뉴스")[1]
    code, out, err = seeds("rank", "-", "--links", "links.csv", stdin=extracted)
    assert code == 0
    assert read(out)[0]["url"] == "http://h1.co.kr/"
    assert read(out)[-1] | {"rank": "", "hub": ""} == read(out)[-1]
    assert "1 of 8 addresses are not in the graph" in err
    assert len(read(seeds("rank", "--links", "links.csv", "--by", "pagerank", "--n", "3")[1])) == 3


def test_make_does_the_chain_reports_it_and_does_nothing_twice(seeds, tmp_path):
    code, _, err = seeds("make", "--target", "ko", "--from", "dump.rdf.gz", "--n", "6", "--output", "made")
    assert code == 0, err
    rows = read((tmp_path / "made" / "ko.csv").read_text("utf-8"))
    assert len(rows) == 6
    assert {row["language"] for row in rows} == {"ko"}
    assert "http://adult.kr/" not in (tmp_path / "made" / "1-extracted.csv").read_text("utf-8")
    assert len((tmp_path / "made" / "ko.txt").read_text("utf-8").split()) == 6
    report = (tmp_path / "made" / "report.md").read_text("utf-8")
    assert "| extract | 21 | 20 |" in report
    assert "| sort | 20 | 19 |" in report
    before = (tmp_path / "made" / "3-identified.csv").stat().st_mtime_ns
    seeds("make", "--target", "ko,ja", "--from", "dump.rdf.gz", "--n", "6", "--output", "made")
    assert (tmp_path / "made" / "3-identified.csv").stat().st_mtime_ns == before
    assert len(read((tmp_path / "made" / "ja.csv").read_text("utf-8"))) == 5
    seeds("make", "--target", "ko", "--from", "dump.rdf.gz", "--n", "6", "--output", "made", "--keep", "kr")
    assert {row["tld"] for row in read((tmp_path / "made" / "ko.csv").read_text("utf-8"))} == {"kr"}


def test_make_takes_the_best_of_a_link_graph(seeds, tmp_path):
    links = "".join(f"http://h1.co.kr/,http://h{n}.co.kr/\n" for n in range(2, 8))
    (tmp_path / "links.csv").write_text("source,target\n" + links)
    code, _, err = seeds(
        "make", "--target", "ko", "--from", "dump.rdf.gz", "--n", "2", "--output", "made", "--links", "links.csv"
    )
    assert code == 0, err
    assert read((tmp_path / "made" / "ko.csv").read_text("utf-8"))[0]["url"] == "http://h1.co.kr/"


def test_damage_is_named_and_the_rest_is_kept(seeds, tmp_path):
    text = (
        BEGIN
        + ENTRY.format(url="ftp://x.kr/", title="t", topic="Top")
        + ENTRY.format(url="http://y.kr/", title="t", topic="T")
    )
    _, out, err = seeds("extract", "-", stdin=text)
    assert [row["url"] for row in read(out)] == ["http://y.kr/"]
    assert "entry 1: 'ftp://x.kr/': not an http or https address" in err
    assert "without </RDF>" in err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "say which: extract, sort, identify, sample, rank, make"),
        (["extrct", "dump.rdf.gz"], "'extrct' is no step"),
        (["extract"], "usage: scrapy seeds extract FILE"),
        (["extract", "absent.rdf"], "'absent.rdf' cannot be read: No such file"),
        (["extract", "https://a.kr/sitemap.xml"], "is an address, and nothing is fetched here; save it as a file"),
        (["extract", "error.html"], "is an HTML page ('404 Not Found')"),
        (["extract", "empty"], "is empty"),
        (["extract", "table.csv", "--column", "website"], "no column 'website'; it has 'rank', 'name'"),
        (["extract", "dump.rdf.gz", "--format", "rdf"], "format='rdf' is unknown"),
        (["sort", "dump.rdf.gz", "--by", "language"], "choose one of tld, domain"),
        (["sort", "dump.rdf.gz", "--picture", "x.gif"], "allowed: .png"),
        (["sort", "dump.rdf.gz", "--keeps", "kr"], "unknown option --keeps"),
        (["sort", "dump.rdf.gz", "-o", "/proc/none/x.csv"], "cannot be written"),
        (["identify", "dump.rdf.gz", "--by", "magic"], "choose one of page, text, url"),
        (["identify", "dump.rdf.gz", "--by", "text", "--judge", "oracle"], "judge='oracle' is unknown"),
        (["sample", "dump.rdf.gz", "--language", "ko,xx"], "language='xx' is not a language code"),
        (["sample", "dump.rdf.gz", "--language", "und,kr"], "did you mean 'ko'"),
        (["sample", "dump.rdf.gz", "--language", "ko"], "no column 'language'; `scrapy seeds identify` makes it"),
        (["sample", "dump.rdf.gz", "--n", "0"], "--n 0 does not fit"),
        (["sample", "dump.rdf.gz", "--strata", "host"], "strata='host' is unknown"),
        (["rank", "dump.rdf.gz"], "rank needs --links"),
        (["rank", "--links", "absent"], "links='absent' does not exist"),
        (["rank", "--links", "table.csv"], "no columns source and target"),
        (["make", "--target", "ko"], "make needs --from"),
        (["make", "--target", "kr", "--from", "dump.rdf.gz"], "did you mean 'ko'"),
        (["make", "--from", "dump.rdf.gz"], "target is empty"),
    ],
)  # fmt: skip
def test_a_wrong_argument_is_one_line_and_exit_code_2(seeds, tmp_path, arguments, said):
    (tmp_path / "error.html").write_text("<!DOCTYPE html><title>404 Not Found</title>")
    (tmp_path / "empty").write_text("")
    (tmp_path / "table.csv").write_text("rank,name\n1,x\n")
    code, _, err = seeds(*arguments)
    assert code == 2
    assert said in err
    assert len(err.splitlines()) == 1, err
