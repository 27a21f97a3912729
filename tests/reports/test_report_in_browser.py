"""The page in a real browser, as wide as a telephone."""

import os
import re
import shutil
import subprocess
from datetime import UTC, datetime
from html import escape
from pathlib import Path

import pytest
from crawl_writer import page, write_crawl

from crawler_project.reports.report_files import compare_directories, write_report

WIDTH = 390
FRAME = """<!doctype html><iframe id="frame" style="border:0;width:{width}px;height:844px" srcdoc="{page}"></iframe>
<script>
document.getElementById("frame").addEventListener("load", event => {{
  const page = event.target.contentDocument, root = page.documentElement, seen = document.documentElement.dataset;
  for (const details of page.querySelectorAll("details")) details.open = true;
  seen.widths = root.clientWidth + "/" + root.scrollWidth;
  seen.plots = [...page.querySelectorAll("[role=img] svg")].map(svg => Math.round(svg.clientWidth)).join();
  seen.strangers = page.querySelectorAll("script, img, iframe").length;
}});
</script>"""
"""The page in a frame that measures it: a browser window cannot be narrower than 500 pixels."""


def browser() -> str:
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None and os.environ.get("CI"):
        pytest.fail("no chromium here; apt-get install chromium")
    if found is None:
        pytest.skip("no chromium here")
    return found


def dump_dom(html: Path, profile: Path) -> tuple[str, str]:
    """The page after it was loaded, and what the browser said on its console."""
    done = subprocess.run(
        [
            browser(), "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
            "--disable-component-update", "--disable-sync", f"--user-data-dir={profile}", "--enable-logging=stderr",
            "--hide-scrollbars", "--proxy-server=127.0.0.1:9", "--dump-dom", html.as_uri(),
        ],
        capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    return done.stdout, "\n".join(line for line in done.stderr.splitlines() if "CONSOLE" in line)


def test_report_fits_a_telephone_and_runs_nothing_from_the_web(tmp_path: Path) -> None:
    attack = "<script>alert(1)</script><img src=http://example.org/x onerror=alert(1)>"
    rows = [
        page("http://a.kr/", host="long" * 40 + ".example.kr"),
        page("http://b.kr/", "en", host=attack, why=f"{attack} x"),
        *(page(f"http://c{number}.kr/", code) for number, code in enumerate(["ja", "zh", "und", "fr"] * 5)),
    ]
    stats = {f"fetch/refused_count/{'reason' * 30}": 12345678, "focus/kept_count/seed": 123456789}
    info = {"stats": stats, "parameters": {"long" * 30: attack}, "judge": attack}
    crawls = [
        write_crawl(tmp_path / "c", rows, "control", **info),
        write_crawl(tmp_path / ("directory" * 10), rows[1:], attack, **info),
        write_crawl(tmp_path / "e", rows[:9], "experimental"),
    ]
    output = tmp_path / "report.html"
    write_report(compare_directories(crawls), output, datetime(2026, 11, 21, tzinfo=UTC))
    frame = tmp_path / "frame.html"
    html = output.read_text(encoding="utf-8")
    frame.write_text(FRAME.format(width=WIDTH, page=escape(html)), encoding="utf-8")

    dom, console = dump_dom(frame, tmp_path / "profile")

    assert console == ""
    seen = dict(re.findall(r' data-(\w+)="([^"]*)"', dom[: dom.index(">", dom.index("<html"))]))
    assert seen["widths"] == f"{WIDTH}/{WIDTH}"
    assert seen["strangers"] == "0"
    plots = [int(width) for width in seen["plots"].split(",")]
    assert len(plots) == 5
    assert all(300 < width < WIDTH for width in plots)
