"""Model files: JSON with a version and a checksum; nothing in them is ever run."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from crawler_project.core.errors import ConfigurationError, StateError
from crawler_project.relevance.topic.topic_model import LinearView, TopicParts

FORMAT: Final = "crawler_project topic model"
VERSION: Final = 1
_DIGITS: Final = 7


def write_model_file(parts: TopicParts, path: str | Path) -> None:
    """Write ``parts`` as JSON, numbers with seven digits; whoever reads sees the old file or the whole new one.

    Raises:
        ConfigurationError: the file cannot be written.
    """
    body = _to_json(parts)
    content = {"format": FORMAT, "version": VERSION, "checksum": _checksum(body), **body}
    path = Path(path)
    draft = path.with_name(path.name + ".part")
    try:
        draft.write_text(json.dumps(content, ensure_ascii=False, allow_nan=False) + "\n", encoding="utf-8")
        draft.replace(path)
    except OSError as error:
        raise ConfigurationError(f"cannot write the model {str(path)!r}: {error.strerror or error}") from error


def read_model_file(path: str | Path) -> TopicParts:
    """Read what :func:`write_model_file` wrote.

    Raises:
        ConfigurationError: no such file, or a file that is no topic model.
        StateError: damaged, or of a version that this program does not know.
    """
    content = _parsed(Path(path))
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise ConfigurationError(f"{str(path)!r} is no topic model; make one with scrapy topic train")
    version = content.get("version")
    if version != VERSION:
        newer = isinstance(version, int) and version > VERSION
        advice = "update crawler_project" if newer else "train it again with scrapy topic train"
        raise StateError(
            f"the topic model {str(path)!r} has version {version!r}, this program reads {VERSION}; {advice}"
        )
    body = {key: value for key, value in content.items() if key not in {"format", "version", "checksum"}}
    try:
        if content.get("checksum") == _checksum(body):
            return _from_json(body)
    except (KeyError, TypeError, ValueError):  # ValueError: a checksum that was made of nonsense
        pass
    raise StateError(f"the topic model {str(path)!r} is damaged (its checksum does not fit); copy or train it again")


def _parsed(path: Path) -> Any:
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise ConfigurationError(f"cannot read the model {str(path)!r}: {error.strerror or error}") from error
    if not text.strip():
        raise StateError(f"the topic model {str(path)!r} is empty; copy or train it again")
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        if FORMAT in text[:200]:
            raise StateError(f"the topic model {str(path)!r} is damaged: {str(error)[:80]}") from error
        raise ConfigurationError(f"{str(path)!r} is no topic model (not JSON)") from error


def _to_json(parts: TopicParts) -> dict[str, Any]:
    return {
        "name": parts.name,
        "method": parts.method,
        "language": parts.language,
        "threshold": _rounded(parts.threshold),
        "slope": _rounded(parts.slope),
        "log_counts": parts.log_counts,
        "summary": dict(parts.summary),
        "views": [
            {
                "share": _rounded(view.share),
                "bias": _rounded(view.bias),
                "scales": [_rounded(value) for value in view.scales],
                "weights": [_rounded(value) for value in view.weights],
            }
            for view in parts.views
        ],
        "vocabulary": list(parts.vocabulary),
    }


def _from_json(body: Mapping[str, Any]) -> TopicParts:
    views = [
        LinearView(
            float(view["share"]),
            float(view["bias"]),
            [float(value) for value in view["scales"]],
            [float(value) for value in view["weights"]],
        )
        for view in body["views"]
    ]
    size = len(body["vocabulary"])
    if not views or any(len(view.scales) != size or len(view.weights) != size for view in views):
        raise ValueError("lengths differ")
    return TopicParts(
        name=str(body["name"]),
        method=str(body["method"]),
        language=str(body["language"]),
        vocabulary=[str(term) for term in body["vocabulary"]],
        views=views,
        threshold=float(body["threshold"]),
        slope=float(body["slope"]),
        log_counts=bool(body["log_counts"]),
        summary=dict(body["summary"]),
    )


def _checksum(body: Mapping[str, Any]) -> str:
    text = json.dumps(body, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def _rounded(value: float) -> float:
    return float(f"{value:.{_DIGITS}g}")
