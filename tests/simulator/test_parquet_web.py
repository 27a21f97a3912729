import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from crawler_project.core.errors import ConfigurationError
from crawler_project.core.urls import directory_of
from crawler_project.simulator.golden import read_golden
from crawler_project.simulator.read_web import read_web
from crawler_project.simulator.simulator import Simulator
from crawler_project.simulator.web_writer import write_web

EXAMPLE = Path(__file__).parent.parent / "data" / "strategies-example.json"


@pytest.fixture
def folder(tmp_path):
    write_web(read_golden(EXAMPLE)[0], tmp_path / "web", {"made_by": "hand"})
    return tmp_path / "web"


def test_read_web_gives_back_what_was_written(folder):
    web, original = read_web(folder), read_golden(EXAMPLE)[0]
    for name in ("offsets", "targets", "anchors", "seeds", "is_target", "tld_is_target"):
        assert np.array_equal(getattr(web, name), getattr(original, name)), name
    assert [web.url(page) for page in range(21)] == [original.url(page) for page in range(21)]
    assert [web.host(page) for page in range(21)] == [original.host(page) for page in range(21)]
    assert [web.lang_names[lang] for lang in web.langs] == [original.lang_names[lang] for lang in original.langs]
    assert json.loads((folder / "meta.json").read_text())["made_by"] == "hand"


def test_written_web_uses_the_words_and_types_of_the_format(folder):
    pages, links = pq.read_table(folder / "pages.parquet"), pq.read_table(folder / "links.parquet")
    assert pages.column("lang").to_pylist()[:5] == ["th", "th", "english", "th", "unknown"]
    assert [pages.schema.field(name).type for name in ("page_id", "url")] == [pa.int64(), pa.large_string()]
    assert [links.schema.field(name).type for name in ("src", "dst")] == [pa.int64(), pa.int64()]
    assert set(links.column("anchor_lang").to_pylist()) == {"th", "other"}


@pytest.mark.parametrize("run", read_golden(EXAMPLE)[1], ids=lambda run: run.name)
def test_orders_are_the_same_from_parquet(folder, run):
    assert list(Simulator(read_web(folder), run.strategy()).run()) == list(run.order)


def test_read_web_takes_plain_strings_narrow_integers_and_further_columns(folder):
    pages = pq.read_table(folder / "pages.parquet")
    plain = {name: pages.column(name).to_pylist() for name in pages.column_names} | {"status": [200] * 21}
    plain["page_id"] = pa.array(plain["page_id"], pa.int32())
    pq.write_table(pa.table(plain), folder / "pages.parquet")
    assert list(Simulator(read_web(folder), read_golden(EXAMPLE)[1][0].strategy()).run())


def test_seeds_may_have_comments_blanks_and_repeats(folder):
    (folder / "seeds.txt").write_text("# first\n\n  http://www.b.com/  \nhttp://www.a.co.th/\nhttp://www.b.com/\n")
    assert read_web(folder).seeds.tolist() == [3, 0]


def test_directories_are_those_of_the_live_crawl(folder):
    web = read_web(folder)
    names = [directory_of(web.url(page), web.host(page)) for page in range(web.n_pages)]
    same = [[a == b for b in names] for a in names]
    assert (web.directories[:, None] == web.directories[None, :]).tolist() == same


def with_column(table, name, values):
    return table.set_column(table.column_names.index(name), name, [values])


def change_table(name, change):
    def apply(folder):
        path = folder / name
        pq.write_table(change(pq.read_table(path)), path)

    return apply


def with_value(name, row, value):
    def change(table):
        values = table.column(name).to_pylist()
        values[row] = value
        return with_column(table, name, pa.array(values))

    return change


def cut(name, share):
    def apply(folder):
        content = (folder / name).read_bytes()
        (folder / name).write_bytes(content[: int(len(content) * share)])

    return apply


def edit_meta(**changes):
    def apply(folder):
        meta = json.loads((folder / "meta.json").read_text()) | changes
        (folder / "meta.json").write_text(json.dumps({key: value for key, value in meta.items() if value is not None}))

    return apply


@pytest.mark.parametrize(
    ("breakage", "said"),
    [
        (cut("pages.parquet", 0.5), r"pages\.parquet cannot be read as Parquet"),
        (cut("links.parquet", 0.5), r"links\.parquet cannot be read as Parquet"),
        (cut("links.parquet", 0), r"links\.parquet cannot be read as Parquet"),
        (lambda folder: (folder / "links.parquet").unlink(), r"links\.parquet"),
        (lambda folder: (folder / "meta.json").unlink(), r"meta\.json"),
        (lambda folder: (folder / "seeds.txt").unlink(), r"seeds\.txt"),
        (change_table("pages.parquet", lambda t: t.drop_columns(["host"])), r"pages\.parquet has no column 'host'"),
        (
            change_table("links.parquet", lambda t: t.rename_columns(["from", "dst", "anchor_lang"])),
            r"links\.parquet has no column 'src'; its columns: from, dst",
        ),
        (
            change_table("links.parquet", lambda t: with_column(t, "dst", pa.array(["0"] * 39))),
            r"links\.parquet, column 'dst': type string",
        ),
        (
            change_table("pages.parquet", lambda t: with_column(t, "lang", pa.array([1] * 21))),
            r"pages\.parquet, column 'lang': type int64",
        ),
        (change_table("pages.parquet", with_value("page_id", 4, 5)), r"pages\.parquet row 4, column 'page_id': 5"),
        (change_table("pages.parquet", with_value("lang", 4, None)), r"pages\.parquet row 4, column 'lang': empty"),
        (
            change_table("pages.parquet", with_value("url", 4, "http://www.a.co.th/")),
            r"pages\.parquet row 4, column 'url'",
        ),
        (change_table("links.parquet", with_value("dst", 7, 21)), r"links\.parquet row 7, column 'dst': no page 21"),
        (change_table("links.parquet", with_value("dst", 7, -1)), r"links\.parquet row 7, column 'dst': no page -1"),
        (change_table("links.parquet", with_value("src", 9, 20)), r"links\.parquet row 10, column 'src': .*sort"),
        (change_table("links.parquet", lambda t: t.slice(0, 30)), r"links\.parquet has 30 .* n_links 39"),
        (edit_meta(n_pages=20), r"pages\.parquet has 21 .* n_pages 20"),
        (edit_meta(format="langcrawl-web/2"), r"langcrawl-web/2"),
        (edit_meta(target_lang=None), r"'target_lang' is missing"),
        (edit_meta(target_tlds="th"), r"'target_tlds' .* not of type list"),
        (lambda folder: (folder / "meta.json").write_text("[]"), r"meta\.json"),
        (
            lambda folder: (folder / "seeds.txt").write_text("\nhttp://nowhere/\n"),
            r"seeds\.txt row 2: 'http://nowhere/'",
        ),
        (lambda folder: (folder / "seeds.txt").write_text("# none\n"), r"seeds\.txt: there is no seed"),
        (lambda folder: (folder / "seeds.txt").write_bytes(b"\xff\xfe"), r"seeds\.txt cannot be read"),
    ],
)
def test_read_web_names_file_row_and_column(folder, breakage, said):
    breakage(folder)
    with pytest.raises(ConfigurationError, match=said) as error:
        read_web(folder)
    assert "\n" not in str(error.value)


def test_read_web_says_when_nothing_is_there(tmp_path):
    with pytest.raises(ConfigurationError, match="does not exist"):
        read_web(tmp_path / "none")


def test_read_web_notices_damage_inside_a_table(folder):
    content = bytearray((folder / "links.parquet").read_bytes())
    content[4:60] = b"\xff" * 56
    (folder / "links.parquet").write_bytes(bytes(content))
    with pytest.raises(ConfigurationError, match=r"links\.parquet"):
        read_web(folder)


def test_write_web_refuses_a_place_that_is_a_file(tmp_path):
    (tmp_path / "taken").write_text("")
    with pytest.raises(ConfigurationError, match="cannot be written"):
        write_web(read_golden(EXAMPLE)[0], tmp_path / "taken")
