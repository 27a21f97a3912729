import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import zstandard

from crawler_project.core.errors import ConfigurationError
from crawler_project.core.urls import url_hash
from crawler_project.reports.collection_labels import load_collection_labels

RECORDS: list[dict[str, Any]] = [
    {"url": "http://a.kr/#top", "text_lang": "ko", "html": "가"},
    {"url": "http://b.tw/", "text_lang": "zh-Hant"},
    {"url": "http://c.com/", "text_lang": None},
    {"url": "http://gone.kr/", "text_lang": "ko", "status": 404},
    {"url": "no address", "text_lang": "ko"},
]
TEXT = "\n".join(json.dumps(record) for record in RECORDS) + "\n\n"


@pytest.mark.parametrize(
    ("name", "pack"),
    [
        ("pages.jsonl", lambda data: data),
        ("pages.jsonl.gz", gzip.compress),
        ("pages.jsonl.zst", zstandard.ZstdCompressor().compress),
        ("pages.jsonl.zst", lambda data: zstandard.compress(data[:40]) + zstandard.compress(data[40:])),
    ],
)
def test_load_collection_labels_reads_plain_and_packed_files(
    tmp_path: Path, name: str, pack: Callable[[bytes], bytes]
) -> None:
    (tmp_path / name).write_bytes(pack(TEXT.encode()))
    labels = load_collection_labels(tmp_path / name)
    assert labels.languages == {
        url_hash("http://a.kr/"): "ko",
        url_hash("http://b.tw/"): "zh-Hant",
        url_hash("http://c.com/"): "und",
    }
    assert labels.pages_in(("zh",)).tolist() == [url_hash("http://b.tw/")]
    assert set(labels.labelled_pages()) == {url_hash("http://a.kr/"), url_hash("http://b.tw/")}


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("missing.jsonl", None, "cannot be read"),
        ("pages.jsonl.zst", b"not packed", "cannot be read"),
        ("pages.jsonl.zst", zstandard.compress(TEXT.encode() * 9)[:-30], "cannot be read|labels no page|is no page"),
        ("pages.jsonl.gz", b"not packed", "cannot be read"),
        ("pages.jsonl", b'{"url": "http://a/"}\n{"html": ""}\n', "line 2 is no page of a collection"),
        ("pages.jsonl", b"[]\n", "line 1 is no page of a collection"),
        ("pages.jsonl", b'{"url": "http://a/"}\n', "labels no page"),
        ("pages.jsonl", b"\xff\n", "cannot be read"),
    ],
)
def test_load_collection_labels_says_what_was_expected(
    tmp_path: Path, name: str, content: bytes | None, said: str
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(ConfigurationError, match=rf"({said}).*; expected JSON Lines with the fields url and text_lang"):
        load_collection_labels(tmp_path / name)
