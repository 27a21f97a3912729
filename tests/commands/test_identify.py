"""``scrapy identify``: files, texts and JSON Lines."""

import base64
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from crawler_project.commands.identify import RecordIdentifier, answer_lines
from crawler_project.core.target import Target
from crawler_project.relevance.language.judges import make_language_judge

ROOT = Path(__file__).resolve().parents[2]
IDENTIFIER = RecordIdentifier(make_language_judge("combined", Target(frozenset(), frozenset())))
KOREAN = "이 페이지는 한국어로 쓰여 있으며 크롤러가 수집하려는 언어입니다."
PAGE = f"<html lang=ko><head><title>t</title></head><body><p>{KOREAN}</p></body></html>"


def answer(record: Any) -> dict[str, Any]:
    line = record if isinstance(record, bytes) else json.dumps(record).encode()
    return json.loads(next(iter(answer_lines([line], IDENTIFIER))))


def test_page_is_answered_with_language_charset_and_declaration() -> None:
    body = base64.b64encode(PAGE.encode("euc-kr")).decode()
    found = answer({"body_b64": body, "content_type": "text/html; charset=euc-kr", "url": "http://example.kr/"})
    assert found["language"] == "ko"
    assert found["score"] > 0.9
    assert (found["charset"], found["declared"]) == ("euc-kr", "ko")
    assert "Hangul" in found["evidence"]


def test_page_that_declares_nothing_has_no_declared() -> None:
    found = answer({"body_b64": base64.b64encode(b"<p>plain english words in a row</p>").decode()})
    assert "declared" not in found
    assert found["language"] == "en"


def test_text_is_answered() -> None:
    found = answer({"text": "Это русский текст о погоде и о природе."})
    assert set(found) == {"language", "score", "evidence"}
    assert found["language"] == "ru"


@pytest.mark.parametrize(
    ("record", "language"),
    [
        ({"anchor": "日本語"}, "ja"),
        ({"anchor": "文化", "page_language": "ja"}, "ja"),
        ({"anchor": "文化", "page_language": "zh-Hant"}, "zh"),
        ({"anchor": "文化", "url": "http://example.jp/"}, "ja"),
        ({"anchor": "다음 페이지", "page_language": "en"}, "ko"),
        ({"anchor": ""}, "und"),
        ({"anchor": "문의", "page_language": None, "url": None}, "ko"),
    ],
)
def test_anchor_is_answered(record: dict[str, Any], language: str) -> None:
    assert answer(record)["language"] == language


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"", "empty"),
        (b"\n", "empty"),
        (b"{", "not JSON"),
        (b"[1]", "not a JSON object but list"),
        (b"null", "not a JSON object but NoneType"),
        (b'{"text": "\xff"}', "not UTF-8 at byte 10"),
        (b"[" * 100_000, "not JSON"),
        (b'{"text": ' + b"9" * 10_000 + b"}", "not JSON"),
        (b"{}", "needs one of body_b64, text, anchor; has none"),
        (b'{"text": "a", "anchor": "b"}', "has text, anchor"),
        (b'{"text": 1}', "text must be a string, not int"),
        (b'{"text": null}', "text must be a string, not null"),
        (b'{"text": false}', "text must be a string"),
        (b'{"text": []}', "text must be a string"),
        (b'{"anchor": "a", "page_language": ["ko"]}', "page_language must be a string, not list"),
        (b'{"body_b64": "a"}', "body_b64 is not Base64"),
        (b'{"body_b64": "\\u00e9"}', "body_b64 is not Base64"),
    ],
)
def test_bad_line_is_answered_with_the_reason(line: bytes, reason: str) -> None:
    found = answer(line)
    assert set(found) == {"error"}
    assert reason in found["error"]


@pytest.mark.parametrize("text", ["\ud800", "\x00", "\ufffe", "a" * 300_000, "\u202e" * 1000])
@pytest.mark.parametrize("kind", ["text", "anchor"])
def test_odd_text_is_answered(kind: str, text: str) -> None:
    assert "language" in answer({kind: text, "url": "http://[bad", "page_language": text[:5]})


def test_next_line_goes_on_after_a_bad_one() -> None:
    lines = [b"{\n", b'{"text": "Dies ist ein deutscher Satz."}\n']
    first, second = map(json.loads, answer_lines(lines, IDENTIFIER))
    assert "error" in first
    assert second["language"] == "de"


def run_identify(*arguments: str, data: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "scrapy", "identify", *arguments],
        input=data,
        capture_output=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"},
        timeout=60,
        check=False,
    )


def test_command_answers_lines() -> None:
    done = run_identify("--jsonl", data=b'{"text": "Dies ist ein deutscher Satz."}\n\xff\n{"anchor": "\xed\x99\x88"}')
    assert done.returncode == 0
    assert done.stderr == b""
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row.get("language") for row in found] == ["de", None, "ko"]


def test_command_answers_files_and_texts(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_bytes(PAGE.encode("utf-8"))
    (tmp_path / "plain").write_bytes("これは日本語の文書です。".encode("shift_jis"))
    done = run_identify(str(tmp_path / "page.html"), str(tmp_path / "plain"), "สวัสดีครับ ยินดีต้อนรับ", "missing.html")
    rows = [line.split("\t") for line in done.stdout.decode().splitlines()]
    assert [row[0] for row in rows] == ["ko", "ja", "th"]
    assert [row[2] for row in rows] == ["utf-8", "shift_jis", "-"]
    assert done.stderr.decode().splitlines() == ["scrapy identify: 'missing.html': no such file"]
    assert done.returncode == 1


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--judge", "combind", "x"], "judge='combind' is unknown; choose one of combined"),
        (["--judge", "charset_ngram", "--target", "kr", "x"], "did you mean 'ko'"),
        (["http://example.org/"], "addresses are not fetched here"),
    ],
)
def test_command_says_what_to_change(arguments: list[str], reason: str) -> None:
    done = run_identify(*arguments)
    assert done.returncode != 0
    assert reason in done.stderr.decode()
    assert b"Traceback" not in done.stderr


def test_command_ends_quietly_when_nobody_reads_on() -> None:
    lines = b'{"text": "Dies ist ein deutscher Satz."}\n' * 20_000
    with subprocess.Popen(
        [sys.executable, "-m", "scrapy", "identify", "--jsonl"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(lines[:41])
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["language"] == "de"
        process.stdout.close()
        try:
            process.stdin.write(lines)
            process.stdin.close()
        except BrokenPipeError:
            pass
        assert process.stderr.read() == b""
        process.wait(30)


def test_command_takes_no_folder_for_a_text(tmp_path: Path) -> None:
    page = tmp_path / "page.txt"
    page.write_text("안녕하세요 여러분")
    done = run_identify(str(tmp_path), str(page))
    assert done.returncode == 2
    assert done.stderr.decode().splitlines() == [f"scrapy identify: {str(tmp_path)!r}: a folder; name the files in it"]
    assert done.stdout.startswith(b"ko\t")


def test_command_takes_a_text_that_is_no_name_for_a_text() -> None:
    done = run_identify("안녕하세요 여러분 " * 200, "")
    assert (done.returncode, done.stderr) == (0, b"")
