"""Directories in DMOZ's form, whole and damaged."""

from __future__ import annotations

import pytest
from directory_text import BEGIN, END, directory, entry
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler_project.seeding.damage import Damage
from crawler_project.seeding.directory_rdf import MOST_ENTRY, read_directory
from crawler_project.seeding.seed_row import SeedRow


def read(data: bytes | str, size: int = 1 << 16) -> tuple[list[SeedRow], Damage]:
    """Read in pieces of ``size`` bytes."""
    data = data.encode() if isinstance(data, str) else data
    damage = Damage()
    pieces = (data[at : at + size] for at in range(0, len(data), size))
    return list(read_directory(pieces, "dump", damage)), damage


def urls(rows: list[SeedRow]) -> list[str]:
    return [row.url for row in rows]


@pytest.mark.parametrize("size", [1, 7, 64, 1 << 16])
def test_directory_is_read_entry_by_entry_however_it_is_cut_into_pieces(size: int) -> None:
    text = directory(
        '<Topic r:id="Top/A"><link r:resource="http://link.kr/"></link></Topic>',
        entry("http://a.kr/", "R&amp;D  and\n more", "é", "Top/World/Korean/뉴스"),
        '<ExternalPage about="http://b.kr/x?a=1&amp;b=2"><d:Title>B</d:Title><priority>1</priority><topic></topic></ExternalPage>',
        '<!-- <ExternalPage about="http://no.kr/"></ExternalPage> -->',
        '<ExternalPage about="http://c.kr"/>',
    )
    rows, damage = read(text, size)
    assert rows == [
        SeedRow("http://a.kr/", "R&D and more", "é", "Top/World/Korean/뉴스", "dump"),
        SeedRow("http://b.kr/x?a=1&b=2", "B", "", "", "dump"),
        SeedRow("http://c.kr/", source="dump"),
    ]
    assert list(damage.lines()) == []


@pytest.mark.parametrize("size", [1, 13, 1 << 16])
def test_directory_keeps_entries_whose_faults_can_be_put_right(size: int) -> None:
    faulty = entry("http://a.kr/?x=1&y=2", "R&D &nbsp;&lol; 1 < 2 \x01\x0b", "&#x1;&#xD55C;").encode()
    rows, damage = read(
        BEGIN.encode() + faulty.replace(b"R&D", b"R&D \xff") + entry("http://b.kr/").encode() + END.encode(), size
    )
    assert urls(rows) == ["http://a.kr/?x=1&y=2", "http://b.kr/"]
    assert rows[0][1:3] == ("R&D \ufffd &lol; 1 < 2", "한")
    assert damage.mended.total() == 1
    assert damage.skipped.total() == 0
    assert "dump: entry 1: 'http://a.kr/?x=1&y=2'" in str(damage.cases[0])


def test_directory_skips_counts_and_names_entries_that_cannot_be_read() -> None:
    no_end = entry("http://noend.kr/").replace("</ExternalPage>", "")
    crossed = entry("http://crossed.kr/").replace("</d:Title>", "")
    rows, damage = read(
        directory(
            entry("http://a.kr/"), no_end, entry("http://b.kr/"), crossed, entry("ftp://c.kr/"), entry("http://d.kr/")
        )
    )
    assert urls(rows) == ["http://a.kr/", "http://b.kr/", "http://d.kr/"]
    assert damage.skipped == {"its end is missing": 1, "its tags do not match": 1, "not an http or https address": 1}
    named = "\n".join(damage.lines())
    assert all(name in named for name in ("entry 2: 'http://noend.kr/'", "http://crossed.kr/", "ftp://c.kr/"))


def test_directory_skips_an_address_that_is_damaged() -> None:
    rows, damage = read(BEGIN.encode() + b'<ExternalPage about="http://a\xff.kr/"></ExternalPage>' + END.encode())
    assert rows == []
    assert damage.skipped.total() == 1


def test_directory_keeps_what_comes_before_the_cut() -> None:
    text = directory(entry("http://a.kr/"), entry("http://b.kr/"))
    rows, damage = read(text[: text.index("http://b.kr/") + 20])
    assert urls(rows) == ["http://a.kr/"]
    assert any("cut off" in fault for fault in damage.faults)
    assert damage.skipped == {"cut off": 1}


def test_directory_expands_no_entities() -> None:
    bomb = "<!DOCTYPE RDF [<!ENTITY a 'aaaaaaaaaa'>" + "".join(
        f"<!ENTITY {chr(98 + n)} '{('&' + chr(97 + n) + ';') * 10}'>" for n in range(12)
    )
    rows, _ = read(bomb + "]>" + directory(entry("http://a.kr/", "&m;"), entry("http://b.kr/")))
    assert urls(rows) == ["http://a.kr/", "http://b.kr/"]
    assert rows[0].title == "&m;"


def test_directory_reads_no_file_that_an_entity_names() -> None:
    text = '<!DOCTYPE RDF [<!ENTITY f SYSTEM "file:///etc/passwd">]>' + directory(entry("http://a.kr/", "&f;"))
    assert read(text)[0][0].title == "&f;"


def test_directory_gives_up_an_entry_that_never_ends() -> None:
    text = (
        BEGIN + entry("http://a.kr/").replace("</ExternalPage>", "x" * (MOST_ENTRY + 1)) + entry("http://b.kr/") + END
    )
    rows, damage = read(text)
    assert urls(rows) == ["http://b.kr/"]
    assert damage.skipped == {"its end is missing": 1}


def test_directory_without_entries_says_so() -> None:
    rows, damage = read(directory("<Topic r:id='Top'></Topic>"))
    assert rows == []
    assert "no entry" in damage.faults[0]


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_directory_survives_any_damage_and_keeps_the_other_entries(data: st.DataObject) -> None:
    entries = [entry(f"http://a{n}.kr/").encode() for n in range(6)]
    at = data.draw(st.integers(0, len(entries[3]) - 1))
    junk = data.draw(st.binary(max_size=8).filter(lambda junk: b"<!" not in junk))
    entries[3] = entries[3][:at] + junk + entries[3][at + data.draw(st.integers(0, 9)) :]
    rows, _ = read(BEGIN.encode() + b"".join(entries) + END.encode())
    assert {f"http://a{n}.kr/" for n in (0, 1, 2, 5)} <= set(urls(rows))
