"""Say by exit code whether this container can do its work: 0 yes, 1 no, with one line why.

    python3 healthcheck.py [PORT]

With a port: something listens there on loopback (the demo web). Without: the Redis of ``REDIS_URL`` answers a PING
with its password; nothing is asked where no Redis is set. A worker that waits for its Redis is unhealthy, and goes
on by itself when it is back.
"""

from __future__ import annotations

import os
import socket
import sys

SECONDS = 5.0


def check_port(port: int) -> None:
    socket.create_connection(("127.0.0.1", port), timeout=SECONDS).close()


def check_redis(url: str) -> None:
    from redis import Redis

    client = Redis.from_url(url, socket_timeout=SECONDS, socket_connect_timeout=SECONDS)
    client.ping()
    client.close()


def main(arguments: list[str]) -> int:
    try:
        if arguments:
            check_port(int(arguments[0]))
        elif url := os.environ.get("REDIS_URL"):
            check_redis(url)
    except Exception as error:  # noqa: BLE001  # whatever it is, the answer is no
        print(f"unhealthy: {type(error).__name__}: {error}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
