"""The form as it is out there: an excerpt of the real dump, and the directory that is shipped."""

from __future__ import annotations

import gzip
import re
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path

from crawler_project.seeding.damage import Damage
from crawler_project.seeding.forms import read_entries
from crawler_project.seeding.seed_row import SeedRow

EXCERPT = Path(__file__).with_name("data") / "dmoz-excerpt-2016.rdf.u8"
SHIPPED = Path(__file__).resolve().parents[2] / "seeds" / "example.rdf.gz"
RDF, DUBLIN_CORE = "{http://dmoz.org/rdf/}", "{http://purl.org/dc/elements/1.0/}"


def read(path: Path) -> list[SeedRow]:
    damage = Damage()
    rows = list(read_entries([str(path)], damage))
    assert list(damage.lines()) == []
    return rows


def test_excerpt_of_the_real_dump_is_read_entry_by_entry() -> None:
    pages = ET.parse(EXCERPT).getroot().findall(f"{RDF}ExternalPage")
    texts = (f"{DUBLIN_CORE}Title", f"{DUBLIN_CORE}Description", f"{RDF}topic")
    expected = [(page.get("about"), *(page.findtext(text) for text in texts)) for page in pages]
    rows = read(EXCERPT)
    assert [(row.url, row.title, row.description, row.topic) for row in rows] == expected
    assert len(rows) == 12
    assert rows[4].title == "Richard's Animated Divots"
    assert Counter(row.topic for row in rows) == {"Top/Arts/Animation": 5, "Top/Business/Accounting": 7}


def test_shipped_directory_has_as_many_entries_in_each_branch_as_its_text() -> None:
    text = gzip.decompress(SHIPPED.read_bytes()).decode("utf-8")
    written = Counter(re.findall(r"<topic>([^/<]*(?:/[^/<]*){0,2})", text))
    assert Counter("/".join(row.topic.split("/")[:3]) for row in read(SHIPPED)) == written
    assert len(written) > 4
    assert text.count("<ExternalPage ") == written.total() > 1_000
