from __future__ import annotations

import socket
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPResponse

import pytest

from crawler_project.serving.thread import ThreadedServer, serve_in_thread

PAGES = [
    {"url": "https://a.kr/", "html": "<meta charset=euc-kr>안녕", "charset": "euc-kr"},
    {"url": "http://b.kr/경로?q=1", "html": "query"},
    {"url": "http://b.kr/robots.txt", "html": "User-agent: *\nDisallow: /private"},
    {"url": "http://b.kr/old", "status": 301, "location": "http://a.kr/"},
    {"url": "http://b.kr/busy", "status": 503, "headers": {"Retry-After": "7"}},
]


@pytest.fixture(scope="module")
def server() -> Iterator[ThreadedServer]:
    with serve_in_thread(PAGES) as running:
        yield running


@pytest.fixture
def connection(server: ThreadedServer) -> Iterator[HTTPConnection]:
    connection = HTTPConnection("127.0.0.1", server.port, timeout=10)
    yield connection
    connection.close()


def ask(connection: HTTPConnection, host: str, path: str, method: str = "GET") -> tuple[HTTPResponse, bytes]:
    connection.request(method, path, headers={"Host": host})
    response = connection.getresponse()
    return response, response.read()


def test_server_tells_hosts_apart_by_the_host_header(connection: HTTPConnection) -> None:
    response, body = ask(connection, "a.kr", "/")
    assert (response.status, body) == (200, "<meta charset=euc-kr>안녕".encode("euc-kr"))
    assert response.headers["Content-Type"] == "text/html"
    assert ask(connection, "B.KR", "/%EA%B2%BD%EB%A1%9C?q=1")[1] == b"query"


def test_server_keeps_the_connection(connection: HTTPConnection) -> None:
    ask(connection, "a.kr", "/")
    used = connection.sock
    assert used is not None
    ask(connection, "b.kr", "/nothing")
    ask(connection, "b.kr", "/busy", "HEAD")
    assert connection.sock is used


def test_server_answers_head_with_the_headers_of_get(connection: HTTPConnection) -> None:
    whole, body = ask(connection, "a.kr", "/")
    head, nothing = ask(connection, "a.kr", "/", "HEAD")
    assert nothing == b""
    assert head.headers["Content-Length"] == whole.headers["Content-Length"] == str(len(body))
    assert head.headers["Content-Type"] == whole.headers["Content-Type"]


def test_server_answers_with_recorded_status_and_headers(connection: HTTPConnection) -> None:
    moved, _ = ask(connection, "b.kr", "/old")
    assert (moved.status, moved.headers["Location"]) == (301, "http://a.kr/")
    busy, _ = ask(connection, "b.kr", "/busy")
    assert (busy.status, busy.headers["Retry-After"]) == (503, "7")


def test_server_serves_robots_txt_only_where_it_was_recorded(connection: HTTPConnection) -> None:
    found, body = ask(connection, "b.kr", "/robots.txt")
    assert (found.status, found.headers["Content-Type"]) == (200, "text/plain; charset=utf-8")
    assert body.startswith(b"User-agent")
    assert ask(connection, "a.kr", "/robots.txt")[0].status == 404


def test_server_refuses_unknown_hosts_pages_and_methods(connection: HTTPConnection) -> None:
    assert ask(connection, "a.kr", "/nothing")[0].status == 404
    assert ask(connection, "unknown.kr", "/")[0].status == 421
    refused, _ = ask(connection, "a.kr", "/", "POST")
    assert (refused.status, refused.headers["Allow"]) == (405, "GET, HEAD")


def test_server_survives_requests_that_are_no_http(server: ThreadedServer, connection: HTTPConnection) -> None:
    for rubbish in (
        b"\x16\x03\x01\x00\xa5",
        b"GET / HTTP/1.1\r\nHost: a.kr\r\nHost: b.kr\r\n\r\n",
        b"GET \xff\xfe\r\n\r\n",
    ):
        with socket.create_connection(("127.0.0.1", server.port), timeout=10) as raw:
            raw.sendall(rubbish)
            raw.shutdown(socket.SHUT_WR)
            while raw.recv(65536):
                pass
    assert ask(connection, "a.kr", "/")[0].status == 200


def test_server_records_each_request() -> None:
    with serve_in_thread(PAGES) as server:
        connection = HTTPConnection("127.0.0.1", server.port, timeout=10)
        ask(connection, "A.kr", "/")
        ask(connection, "b.kr", "/x?y")
        connection.close()
    assert [(record.host, record.path) for record in server.requests] == [("a.kr", "/"), ("b.kr", "/x?y")]
    first, second = server.requests
    assert first.start <= first.end <= second.start <= second.end
    assert list(server.requests_by_host()) == ["a.kr", "b.kr"]


def test_server_waits_for_the_latency_that_it_is_told() -> None:
    asked = []

    def latency(host: str, path: str) -> float:
        asked.append((host, path))
        return 0.05

    with serve_in_thread(PAGES, latency=latency) as server:
        connection = HTTPConnection("127.0.0.1", server.port, timeout=10)
        ask(connection, "a.kr", "/")
        connection.close()
    assert asked == [("a.kr", "/")]
    assert server.requests[0].end - server.requests[0].start >= 0.05


def test_server_is_down_after_the_block() -> None:
    with serve_in_thread(PAGES) as server:
        assert server.virtual_web == f"127.0.0.1:{server.port}"
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", server.port), timeout=10)


def test_server_says_when_the_port_is_taken(server: ThreadedServer) -> None:
    with pytest.raises(OSError, match="address already in use"), serve_in_thread(PAGES, port=server.port):
        pass
