"""A disk that is full ends a crawl with a line and exit code 1, and the pages that were not kept are fetched later."""

from __future__ import annotations

import subprocess

from test_sigkill import linked_web
from web_of_test import Crawl, WebServer


def test_full_disk_ends_the_crawl_with_exit_code_1(server: WebServer, crawl: Crawl) -> None:
    linked_web(server, hosts=12, pages=8)
    crawl.seeds.write_text("\n".join(f"http://h{host}.example.org/0" for host in range(12)))
    command = crawl.command(ROBOTSTXT_OBEY=0)
    limited = ["bash", "-c", 'ulimit -f 8; exec "$@"', "crawl", *command]  # files of 8 kB at most
    environment = crawl.environment()
    done = subprocess.run(
        limited, cwd=crawl.folder, env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    printed = done.stdout + done.stderr
    assert done.returncode == 1, printed
    assert "cannot be written (File too large); the crawl stops" in printed
    assert "Crawl ended (output cannot be written)" in printed
    assert "Traceback" not in printed
