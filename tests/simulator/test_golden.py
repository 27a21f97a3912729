import copy
import json
from pathlib import Path

import pytest
from naive_crawl import naive_crawl

from crawler_project.core.errors import ConfigurationError
from crawler_project.simulator.golden import read_golden
from crawler_project.simulator.simulator import Simulator

EXAMPLE = Path(__file__).parent.parent / "data" / "strategies-example.json"
DOCUMENT = json.loads(EXAMPLE.read_text())
RUNS = {run["name"]: run for run in DOCUMENT["expected"]}


@pytest.mark.parametrize("name", RUNS)
def test_simulator_has_the_exact_order_of_the_worked_example(name):
    web, runs = read_golden(EXAMPLE)
    run = next(run for run in runs if run.name == name)
    assert list(Simulator(web, run.strategy()).run(run.limit)) == RUNS[name]["order"]


@pytest.mark.parametrize("name", RUNS)
def test_naive_reference_has_the_exact_order_of_the_worked_example(name):
    ids = {page["url"]: page["page_id"] for page in DOCUMENT["pages"]}
    web = DOCUMENT | {"seed_ids": list(dict.fromkeys(ids[url] for url in DOCUMENT["seeds"]))}
    assert naive_crawl(web, RUNS[name]["params"]) == RUNS[name]["order"]


def broken(change):
    document = copy.deepcopy(DOCUMENT)
    change(document)
    return document


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda d: d.pop("links"), "column 'links': missing"),
        (lambda d: d.pop("target_tlds"), "column 'target_tlds': missing"),
        (lambda d: d["pages"][3].pop("lang"), "pages row 3, column 'lang': missing"),
        (lambda d: d["links"][2].pop("anchor_lang"), "links row 2, column 'anchor_lang': missing"),
        (lambda d: d["pages"][3].update(page_id=7), "pages row 3, column 'page_id'"),
        (lambda d: d["pages"][3].update(url="http://www.a.co.th/"), "pages row 3, column 'url'.*row 0"),
        (lambda d: d["pages"][3].update(host=5), "pages row 3, column 'host': 5 is not of type str"),
        (lambda d: d["pages"].__setitem__(1, 4), "pages row 1 is int"),
        (lambda d: d["links"][4].update(dst=21), "links row 4, column 'dst': no page 21; there are 21"),
        (lambda d: d["links"][4].update(src=-1), "links row 4, column 'src'"),
        (lambda d: d["links"][4].update(src=True), "links row 4, column 'src'"),
        (lambda d: d["links"].reverse(), "links row 1, column 'src'.*sort"),
        (lambda d: d["seeds"].append("http://elsewhere/"), "seeds row 2: 'http://elsewhere/'"),
        (lambda d: d["seeds"].clear(), "no seed"),
        (lambda d: d.update(format="langcrawl-web/1"), "format 'langcrawl-web/1'"),
        (lambda d: d["pages"][0].update(url="http://\ud800/"), "pages row 0, column 'url'"),
        (lambda d: d.update(expected={}), "expected"),
    ],
)
def test_read_golden_names_file_row_and_column(tmp_path, change, said):
    path = tmp_path / "case.json"
    path.write_text(json.dumps(broken(change)))
    with pytest.raises(ConfigurationError, match=said) as error:
        read_golden(path)
    assert "case.json" in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("text", ["", "[]", '{"format": ', "[" * 100_000])
def test_read_golden_refuses_what_is_no_golden_file(tmp_path, text):
    path = tmp_path / "case.json"
    path.write_text(text)
    with pytest.raises(ConfigurationError, match=r"case\.json"):
        read_golden(path)


def test_read_golden_needs_no_expected_orders(tmp_path):
    path = tmp_path / "case.json"
    path.write_text(json.dumps({key: value for key, value in DOCUMENT.items() if key != "expected"}))
    web, runs = read_golden(path)
    assert (web.n_pages, web.n_links, web.n_hosts, runs) == (21, 39, 7, [])


def test_read_golden_counts_a_repeated_seed_once(tmp_path):
    path = tmp_path / "case.json"
    path.write_text(json.dumps(broken(lambda d: d["seeds"].insert(0, "http://www.b.com/"))))
    assert read_golden(path)[0].seeds.tolist() == [3, 0]
