"""Model files: plain, checked, refused when they cannot be trusted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from crawler_project.core.errors import ConfigurationError, CrawlerProjectError, StateError
from crawler_project.relevance.topic.topic_model import LinearView, TopicModel, TopicParts

PARTS = TopicParts(
    "요리", "wvc_tfidf", "ko", ["김치", "넣고", "ruby"],
    [LinearView(0.75, -0.1, [1.5, 0.2, 1.0], [2.0, 0.1, -3.0]), LinearView(0.25, 0.2, [1.0, 1.0, 0.0], [1.0, 1.0, 1.0])],
    threshold=0.05, slope=3.0, log_counts=True, summary={"positive": 10},
)  # fmt: skip


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    TopicModel(PARTS).save(tmp_path / "model.json")
    return tmp_path / "model.json"


def test_model_is_the_same_after_saving(saved: Path) -> None:
    loaded = TopicModel.load(saved)
    assert loaded.parts == PARTS
    text = "김치 김치 넣고 Ruby"
    assert loaded.score_text(text) == TopicModel(PARTS).score_text(text)
    assert (loaded.name, loaded.threshold) == ("요리", 0.05)
    assert [path.name for path in saved.parent.iterdir()] == ["model.json"]


def test_model_is_plain_json_with_version_summary_and_threshold(saved: Path) -> None:
    content = json.loads(saved.read_text("utf-8"))
    assert {"version", "checksum", "summary", "threshold"} <= set(content)


def edited(saved: Path, **changes: object) -> Path:
    content = json.loads(saved.read_text("utf-8")) | changes
    saved.write_text(json.dumps(content), encoding="utf-8")
    return saved


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"version": 2}, StateError, "has version 2, this program reads 1; update"),
        ({"version": 0}, StateError, "train it again"),
        ({"version": "x"}, StateError, "train it again"),
        ({"threshold": 0.06}, StateError, "damaged"),
        ({"vocabulary": ["a"]}, StateError, "damaged"),
        ({"views": None}, StateError, "damaged"),
        ({"checksum": 1}, StateError, "damaged"),
        ({"format": "other"}, ConfigurationError, "no topic model"),
    ],
)
def test_changed_model_is_refused(
    saved: Path, changes: dict[str, object], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        TopicModel.load(edited(saved, **changes))


@pytest.mark.parametrize("share", [0.0, 0.3, 0.9, 0.999])
def test_cut_model_is_refused(saved: Path, share: float) -> None:
    text = saved.read_bytes().strip()
    saved.write_bytes(text[: int(len(text) * share)])
    with pytest.raises(StateError, match=r"empty|damaged"):
        TopicModel.load(saved)


@pytest.mark.parametrize("content", [b"\x80\x04pickle", b"hello", b"[]", b"[" * 100_000, b"null"])
def test_file_that_is_no_model_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "model").write_bytes(content)
    with pytest.raises(CrawlerProjectError, match="no topic model"):
        TopicModel.load(tmp_path / "model")


def test_missing_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="No such file"):
        TopicModel.load(tmp_path / "model")


def test_model_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="cannot write"):
        TopicModel(PARTS).save(tmp_path / "missing" / "model.json")
