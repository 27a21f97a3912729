"""``scrapy web`` as a user calls it."""

import csv
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from in_process import run_command

from crawler_project.commands.web import Command
from crawler_project.items import COLUMNS
from crawler_project.simulator.read_web import read_web


@pytest.fixture
def web(capsys, monkeypatch, tmp_path):
    """Run the command in an empty folder; gives exit code, standard output and standard error."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        code = run_command(Command(), *arguments)
        output = capsys.readouterr()
        return code, output.out, output.err

    return run


def test_synth_writes_a_web_that_can_be_read(web, tmp_path):
    code, out, _ = web("synth", "--pages", "500", "--target", "ko", "--seed", "4", "made")
    assert (code, out.startswith("made: 500 pages")) == (0, True)
    assert read_web(tmp_path / "made").target_lang == "ko"
    meta = json.loads((tmp_path / "made" / "meta.json").read_text())
    assert (meta["seed"], meta["target"], meta["n_pages"]) == (4, "ko", 500)


def test_a_web_replaces_a_web_with_its_texts_or_one_that_was_begun(web, tmp_path):
    write_collection(tmp_path / "pages.jsonl")
    record = ("record", "pages.jsonl", "--out", "made", "--target", "ko")
    made = tmp_path / "made"
    assert web(*record)[0] == 0
    assert (made / "texts.parquet").exists()
    assert web(*record)[0] == 0
    assert web("synth", "--pages", "500", "made")[0] == 0
    assert {path.name for path in made.iterdir()} == {"pages.parquet", "links.parquet", "seeds.txt", "meta.json"}
    (made / "meta.json").unlink()
    assert web(*record)[0] == 0
    assert web(*record, "--no-texts")[0] == 0
    assert not (made / "texts.parquet").exists()
    assert read_web(made).n_pages == 3


@pytest.mark.parametrize("command", [("synth", "made", "--pages", "500"), ("record", "pages.jsonl", "--target", "ko", "--out", "made")])  # fmt: skip
@pytest.mark.parametrize("other", ["crawled-ko.csv", "pages.parquet", "seeds.txt", "web-and-more"])
def test_a_web_is_not_written_over_something_else(web, tmp_path, command, other):
    write_collection(tmp_path / "pages.jsonl")
    if other == "web-and-more":
        web("synth", "--pages", "500", "made")
    (tmp_path / "made").mkdir(exist_ok=True)
    if other == "pages.parquet":  # as `scrapy export` writes it
        pq.write_table(pa.table({"url": ["http://a.kr/"], "language": ["ko"]}), tmp_path / "made" / other)
    else:
        (tmp_path / "made" / other).write_text("http://a.kr/\n")
    before = {path.name: path.read_bytes() for path in (tmp_path / "made").iterdir()}
    code, out, err = web(*command)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "made holds something else than a web; name a new folder" in err
    assert {path.name: path.read_bytes() for path in (tmp_path / "made").iterdir()} == before


def test_stats_prints_tables_and_figures(web, tmp_path):
    web("synth", "--pages", "500", "made")
    code, out, _ = web("stats", "made", "--plot", "distances.png")
    assert code == 0
    assert all(title in out for title in ("Table 3", "Tables 4 and 5", "Figure 2", "Figure 3"))
    assert (tmp_path / "distances.png").read_bytes().startswith(b"\x89PNG")


def test_stats_prints_json(web):
    web("synth", "--pages", "500", "made")
    figures = json.loads(web("stats", "made", "--json")[1])
    assert figures["pages"] == 500
    assert sum(sum(row.values()) for row in figures["table_3"].values()) == 500
    assert (
        figures["table_4_and_5"]["target"]["all"]["links"] + figures["table_4_and_5"]["other"]["all"]["links"]
        == figures["links"]
    )


COLLECTION = [
    {
        "url": "http://a.kr/",
        "text_lang": "ko",
        "charset": "euc-kr",
        "html": '<p>안녕하세요 <a href="/b">다음 쪽으로</a>',
    },
    {
        "url": "http://a.kr/b",
        "text_lang": None,
        "charset": "utf-8",
        "html": '<a href="http://c.com/">English manual</a>',
    },
    {"url": "http://c.com/", "text_lang": "en", "charset": "utf-8", "html": "<p>A page in English."},
]


def write_collection(path, records=COLLECTION):
    path.write_text("".join(json.dumps(record) + "\n" for record in records))


def test_record_makes_a_web_of_a_collection(web, tmp_path):
    write_collection(tmp_path / "pages.jsonl")
    code, out, _ = web("record", "pages.jsonl", "--out", "made", "--target", "ko")
    assert (code, out.startswith("made: 3 pages, 2 links, 2 hosts, 1 seeds")) == (0, True)
    made = read_web(tmp_path / "made")
    assert [made.lang_names[lang] for lang in made.langs] == ["ko", "und", "en"]
    assert made.anchors.tolist() == [True, False]
    assert made.url(int(made.seeds[0])) == "http://a.kr/"


def test_record_finds_the_files_in_a_folder_and_takes_seeds(web, tmp_path):
    (tmp_path / "crawl").mkdir()
    write_collection(tmp_path / "crawl" / "pages.jsonl")
    (tmp_path / "seeds.txt").write_text("# start here\nhttp://c.com/\n")
    assert web("record", "crawl", "--out", "made", "--target", "ko", "--seeds", "seeds.txt")[0] == 0
    assert read_web(tmp_path / "made").seeds.tolist() == [2]


def test_record_takes_the_output_of_a_crawl(web, tmp_path):
    (tmp_path / "crawl").mkdir()
    (tmp_path / "crawl" / "crawl.json").write_text('{"format": "crawler-project-crawl/1", "target": ["ko"]}')
    rows = [
        ["http://a.kr/", "http://a.kr/", "ko", 0, "", "", 1],
        ["http://b.com/", "http://b.com/new", "en", 1, "http://a.kr/", "한국어", 2],
        ["http://c.kr/", "http://c.kr/", "und", 2, "http://b.com/new", "next", 4],
        ["http://a.kr/x", "http://a.kr/x", "ko", 1, "http://a.kr/", "'=sum", 3],
    ]
    for language in ("ko", "en", "und"):
        with (tmp_path / "crawl" / f"crawled-{language}.csv").open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, COLUMNS, restval="0")
            writer.writeheader()
            for row in rows:
                names = ("url", "final_url", "language", "depth", "referrer", "anchor_text", "position")
                if row[2] == language:
                    writer.writerow(dict(zip(names, row, strict=True)))
    code, out, err = web("record", "crawl", "--out", "made")
    assert (code, err) == (0, "")
    assert "only those by which pages were found" in out
    made = read_web(tmp_path / "made")
    assert [made.url(page) for page in range(4)] == ["http://a.kr/", "http://b.com/", "http://a.kr/x", "http://c.kr/"]
    assert made.sources().tolist() == [0, 0, 1]
    assert made.targets.tolist() == [1, 2, 3]
    assert made.anchors.tolist() == [True, False, False]
    assert made.seeds.tolist() == [0]


def test_record_merges_the_rows_of_several_workers(web, tmp_path):
    (tmp_path / "crawl").mkdir()
    (tmp_path / "crawl" / "crawl.json").write_text('{"format": "crawler-project-crawl/1", "target": ["ko"]}')
    rows = {  # each worker counts its positions by itself; one page was stored by both
        "one": [["http://a.kr/", 0, "", 1, "00:01"], ["http://c.kr/", 1, "http://b.kr/", 2, "00:04"]],
        "two": [["http://b.kr/", 1, "http://a.kr/", 1, "00:02"], ["http://c.kr/", 1, "http://b.kr/", 2, "00:03"]],
    }
    for worker, pages in rows.items():
        with (tmp_path / "crawl" / f"crawled-ko.{worker}.csv").open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, COLUMNS, restval="")
            writer.writeheader()
            for url, depth, referrer, position, time in pages:
                writer.writerow(
                    {"url": url, "final_url": url, "language": "ko", "depth": depth, "referrer": referrer,
                     "position": position, "fetched_at": f"2026-01-01T00:{time}Z"}
                )  # fmt: skip
    code, _, err = web("record", "crawl", "--out", "made")
    assert (code, err) == (0, "")
    made = read_web(tmp_path / "made")
    assert [made.url(page) for page in range(made.n_pages)] == ["http://a.kr/", "http://b.kr/", "http://c.kr/"]
    assert (made.sources().tolist(), made.targets.tolist(), made.seeds.tolist()) == ([0, 1], [1, 2], [0])


def test_record_judges_all_pages_when_asked(web, tmp_path):
    write_collection(tmp_path / "pages.jsonl", [record | {"text_lang": "th"} for record in COLLECTION])
    web("record", "pages.jsonl", "--out", "made", "--target", "ko", "--judge", "combined")
    made = read_web(tmp_path / "made")
    assert made.lang_names[made.langs[0]] == "ko"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["pages.jsonl"], "--out DIR"),
        (["pages.jsonl", "--out", "made"], "--target CODE"),
        (["pages.jsonl", "--out", "made", "--target", "kr"], "did you mean 'ko'"),
        (["pages.jsonl", "--out", "made", "--target", "ko", "--judge", "x"], "judge='x'"),
        (["pages.jsonl", "--out", "made", "--target", "th"], "name seeds"),
        (["bad.jsonl", "--out", "made", "--target", "ko"], "bad.jsonl line 1"),
        (["nowhere.jsonl", "--out", "made", "--target", "ko"], "nowhere.jsonl cannot be read"),
        (["empty", "--out", "made", "--target", "ko"], "holds no crawled-*.csv"),
    ],
)
def test_record_says_in_one_line_what_is_wrong(web, tmp_path, arguments, said):
    write_collection(tmp_path / "pages.jsonl")
    (tmp_path / "bad.jsonl").write_text('{"url": 3}\n')
    (tmp_path / "empty").mkdir()
    code, out, err = web("record", *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err


@pytest.mark.parametrize("source", ["nowhere.jsonl", "nowhere.warc", "bad.jsonl"])
def test_record_of_a_source_that_cannot_be_read_leaves_no_folder(web, tmp_path, source):
    (tmp_path / "bad.jsonl").write_text('{"url": 3}\n')
    assert web("record", source, "--out", "made", "--target", "ko")[0] == 2
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "say which"),
        (["sketch", "x"], "say which"),
        (["synth"], "say which"),
        (["synth", "x", "--pages", "many"], "--pages many"),
        (["synth", "x", "--pages", "5"], "pages=5"),
        (["synth", "x", "--target", "kr"], "th, ko, ja, zh"),
        (["synth", "x", "--seed", "-1"], "--seed -1"),
        (["synth", "x", "--page", "5", "--sed=3"], "--sed"),
        (["stats", "nowhere"], "nowhere does not exist"),
        (["stats", "nowhere", "--plot", "distances.xyz"], "name a .png, .svg or .pdf file"),
        (["stats", "nowhere", "--plot", "no/such/folder.png"], "in a folder that exists"),
    ],
)
def test_wrong_argument_costs_one_line_and_exit_code_2(web, arguments, said):
    code, out, err = web(*arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err
