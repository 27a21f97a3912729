"""The compose file and the image say what docs/containers.md promises."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from crawler_project import __version__

ROOT = Path(__file__).resolve().parents[2]
COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = ("worker", "demo-web", "demo-worker")
HEALTH_CHECK = ROOT / "docker" / "healthcheck.py"


def redis_options() -> dict[str, str]:
    lines = (ROOT / "docker" / "redis.conf").read_text(encoding="utf-8").splitlines()
    return dict(line.split(" ", 1) for line in lines if line and not line.startswith("#"))


def test_only_the_metasearch_is_reached_from_outside_and_only_from_this_machine() -> None:
    published = {name: service["ports"] for name, service in SERVICES.items() if service.get("ports")}

    assert list(published) == ["searxng"]
    assert all(port.startswith("127.0.0.1:") for port in published["searxng"])


def test_redis_is_on_a_network_without_a_way_out() -> None:
    assert SERVICES["redis"]["networks"] == ["queue"]
    assert COMPOSE["networks"]["queue"]["internal"] is True


def test_redis_keeps_everything_and_asks_for_a_password_that_is_no_argument() -> None:
    options = redis_options()
    assert (options["appendonly"], options["maxmemory-policy"]) == ("yes", "noeviction")
    assert "requirepass" not in options
    script = SERVICES["redis"]["command"][-1]
    assert "exec redis-server /etc/redis/redis.conf - <<" in script
    assert "requirepass $$REDIS_PASSWORD" in script
    assert SERVICES["redis"]["environment"]["REDIS_PASSWORD"].startswith("${REDIS_PASSWORD:?")


def test_plain_up_starts_redis_and_workers_alone() -> None:
    assert {name for name, service in SERVICES.items() if "profiles" not in service} == {"redis", "worker"}
    assert SERVICES["searxng"]["profiles"] == ["metasearch"]


def test_any_number_of_workers_can_be_started() -> None:
    for name in ("worker", "demo-worker"):
        assert "container_name" not in SERVICES[name]
        assert "ports" not in SERVICES[name]
        assert SERVICES[name]["depends_on"]["redis"] == {"condition": "service_healthy"}
        assert SERVICES[name]["command"][:2] == ["crawl", "lang_focused"]


def test_the_demo_cannot_ask_the_internet() -> None:
    assert SERVICES["demo-web"]["networks"] == ["queue"]
    assert SERVICES["demo-worker"]["network_mode"] == "service:demo-web"
    assert "VIRTUAL_WEB=127.0.0.1:8000" in SERVICES["demo-worker"]["command"]


def test_no_container_of_ours_can_write_outside_of_its_volumes_or_gain_rights() -> None:
    for name in (*OURS, "redis"):
        service = SERVICES[name]
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert service["security_opt"] == ["no-new-privileges:true"]


def test_images_are_pinned() -> None:
    for service in SERVICES.values():
        assert re.search(r":\d+\.\d+[\w.-]*$", service["image"]), service["image"]
    assert {SERVICES[name]["image"] for name in OURS} == {f"crawler-project:{__version__}"}
    base = re.search(r"^ARG BASE=(\S+)$", (ROOT / "Dockerfile").read_text(encoding="utf-8"), re.MULTILINE)
    assert base
    assert re.search(r":3\.11\.\d+-slim-bookworm@sha256:[0-9a-f]{64}$", base[1])


def test_image_runs_as_nobody_special_and_ends_on_the_signal_that_scrapy_likes() -> None:
    last_stage = (ROOT / "Dockerfile").read_text(encoding="utf-8").rpartition("\nFROM ")[2]

    for line in ("USER 10001:10001", "STOPSIGNAL SIGINT", 'ENTRYPOINT ["scrapy"]'):
        assert line in last_stage.splitlines()
    assert "HEALTHCHECK " in last_stage


def test_every_file_that_the_compose_file_and_the_image_name_is_there() -> None:
    mounts = [str(volume) for service in SERVICES.values() for volume in service.get("volumes", [])]
    paths = [mount.split(":")[0] for mount in mounts if mount.startswith("./")]
    ignore = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    paths += [line[1:] for line in ignore if line.startswith("!")]

    assert [path for path in paths if not (ROOT / path).exists()] == []
    assert (ROOT / "demo" / "pages.jsonl.zst").exists()


def test_every_variable_has_a_line_in_the_example_and_in_the_docs() -> None:
    named = set(re.findall(r"\$\{(\w+)", (ROOT / "docker-compose.yml").read_text(encoding="utf-8")))
    docs = (ROOT / "docs" / "containers.md").read_text(encoding="utf-8")
    example = (ROOT / "docker" / "example.env").read_text(encoding="utf-8")

    assert {name for name in named if f"`{name}`" not in docs} == set()
    assert {name for name in named if f"{name}=" not in example} == {"SEARXNG_PORT"}


@pytest.mark.parametrize("is_listening", [True, False])
def test_health_check_says_whether_a_port_is_open(*, is_listening: bool) -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        if is_listening:
            listener.listen()
        port = listener.getsockname()[1]
        done = subprocess.run([sys.executable, HEALTH_CHECK, str(port)], capture_output=True, text=True, check=False)

    assert done.returncode == (0 if is_listening else 1)
    assert done.stdout.startswith("" if is_listening else "unhealthy: ConnectionRefusedError")


def test_health_check_says_no_when_redis_does_not_answer() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"redis://:secret@127.0.0.1:{unused.getsockname()[1]}/0"
        done = subprocess.run(
            [sys.executable, HEALTH_CHECK], env={"REDIS_URL": url}, capture_output=True, text=True, check=False
        )

    assert done.returncode == 1
    assert done.stdout.startswith("unhealthy: ConnectionError")
    assert "secret" not in done.stdout
