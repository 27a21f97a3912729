"""A whole crawl out of Redis into a file, back, and away.

The file is gzip: a line of JSON (format, layout, number of shards), then keys as Redis' own ``DUMP`` gives
them: length of the name, name (without the crawl's prefix, a shard number and ``:`` before it), milliseconds to
live, length of the value, value. Redis checks each value (version, checksum) when it takes it back.
"""

from __future__ import annotations

import gzip
import json
import struct
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

import redis

from crawler_project.core.errors import ConfigurationError, StateError
from crawler_project.frontier.redis_cluster import client_for
from crawler_project.frontier.redis_crawl import LAYOUT, RedisCrawl, as_text, prefix_of
from crawler_project.frontier.redis_scripts import explained_redis_errors

_T = TypeVar("_T")

_FORMAT = "crawler_project frontier"
_AT_ONCE = 200
_FRAME = struct.Struct(">IqI")
_LONGEST_NAME, _LONGEST_VALUE = 1 << 16, 1 << 29


def export_crawl(shards: list[RedisCrawl], path: Path) -> int:
    """Write all keys of a crawl to a file; how many. The crawl should be paused: it is read a few keys at a time.

    Raises:
        ConfigurationError: the file cannot be written.
    """
    scratch = path.with_name(path.name + ".new")
    try:
        with gzip.open(scratch, "wb", compresslevel=6) as file:
            header = {"format": _FORMAT, "layout": LAYOUT, "shards": len(shards)}
            file.write(json.dumps(header).encode() + b"\n")
            count = sum(_export_shard(number, shard, file) for number, shard in enumerate(shards))
        scratch.replace(path)
    except OSError as error:
        scratch.unlink(missing_ok=True)
        raise ConfigurationError(f"{path} cannot be written: {error}") from error
    return count


def import_crawl(client: redis.Redis, name: str, path: Path) -> int:
    """Make the crawl of a file under a name that is free; how many keys it has. If it fails, nothing is left.

    Raises:
        ConfigurationError: the file cannot be read.
        StateError: there is a crawl of this name; the file is no export, damaged, or of another layout or a newer Redis.
    """
    with explained_redis_errors():
        if client_for(client, prefix_of(name, 0)).exists(prefix_of(name, 0) + "m"):
            raise StateError(f"there is a crawl {name!r} in this Redis already; delete it, or choose another name")
    shards = 1
    try:
        with gzip.open(path, "rb") as file:
            shards = _read_header(path, file.readline(10_000))
            return _import_keys(client, name, path, _records(path, shards, file))
    except (OSError, EOFError) as error:
        _delete_keys(client, name, shards)
        if isinstance(error, FileNotFoundError | PermissionError | IsADirectoryError):
            raise ConfigurationError(f"{path} cannot be read: {error}") from error
        raise StateError(f"{path} is damaged: {error}") from error
    except BaseException:
        _delete_keys(client, name, shards)
        raise


def delete_crawl(shards: list[RedisCrawl]) -> int:
    """Remove all keys of a crawl, a few at a time; how many. Workers that run are stopped by errors."""
    return sum(_delete(shard.client, shard.prefix) for shard in shards)


def keys_of(client: redis.Redis, prefix: str) -> Iterator[bytes]:
    """The names of all keys of a shard; some may come twice."""
    pattern = "".join(f"\\{character}" if character in "*?[]\\{}^-" else character for character in prefix) + "*"
    with explained_redis_errors():
        yield from client.scan_iter(match=pattern, count=1000)


def _delete_keys(client: redis.Redis, name: str, shards: int) -> None:
    for shard in range(shards):
        _delete(client_for(client, prefix_of(name, shard)), prefix_of(name, shard))


def _delete(client: redis.Redis, prefix: str) -> int:
    count = 0
    for part in _parts(keys_of(client, prefix)):
        with explained_redis_errors():
            removed: Any = client.unlink(*part)
        count += int(removed)
    return count


def _export_shard(number: int, shard: RedisCrawl, file: gzip.GzipFile) -> int:
    count = 0
    meta = shard.key("m").encode()
    keys = {*keys_of(shard.client, shard.prefix)} - {meta}
    for part in _parts([*sorted(keys), meta]):  # a crawl is there when its `m` is: last
        with explained_redis_errors():
            pipeline = shard.client.pipeline(transaction=False)
            for key in part:
                pipeline.dump(key)
                pipeline.pttl(key)
            answers = pipeline.execute()
        for key, value, lives in zip(part, answers[::2], answers[1::2], strict=True):
            if value is not None:
                name = b"%d:%b" % (number, key[len(shard.prefix) :])
                file.write(_FRAME.pack(len(name), max(lives, 0), len(value)) + name + value)
                count += 1
    return count


def _read_header(path: Path, line: bytes) -> int:
    try:
        header: Any = json.loads(line)
        is_ours = header["format"] == _FORMAT
        layout, shards = header["layout"], int(header["shards"])
    except (ValueError, KeyError, TypeError) as error:
        raise StateError(f"{path} is no export of a frontier") from error
    if not is_ours or not 1 <= shards <= 16384:
        raise StateError(f"{path} is no export of a frontier")
    if layout != LAYOUT:
        raise StateError(f"{path} has layout {layout}, this version reads layout {LAYOUT}")
    return shards


def _records(path: Path, shards: int, file: gzip.GzipFile) -> Iterator[tuple[int, bytes, int, bytes]]:
    while frame := file.read(_FRAME.size):
        if len(frame) < _FRAME.size:
            raise StateError(f"{path} is damaged: it ends in the middle of a key")
        name_size, lives, size = _FRAME.unpack(frame)
        if name_size > _LONGEST_NAME or size > _LONGEST_VALUE or lives < 0:
            raise StateError(f"{path} is damaged: a key of impossible size")
        name, value = file.read(name_size), file.read(size)
        shard, colon, kind = name.partition(b":")
        if not colon or not shard.isdigit() or int(shard) >= shards or len(value) < size:
            raise StateError(f"{path} is damaged: {as_text(name)[:80]!r} is no key of it")
        yield int(shard), kind, lives, value


def _import_keys(client: redis.Redis, name: str, path: Path, records: Iterable[tuple[int, bytes, int, bytes]]) -> int:
    count = 0
    nodes: dict[int, redis.Redis] = {}
    for part in _parts(records):
        try:
            for shard in sorted({record[0] for record in part}):
                if shard not in nodes:
                    nodes[shard] = client_for(client, prefix_of(name, shard))
                _restore(nodes[shard], prefix_of(name, shard), [record for record in part if record[0] == shard])
        except StateError as error:
            if "payload" in str(error) or "Bad data" in str(error):
                raise StateError(f"{path} is damaged, or from a newer Redis ({error})") from error
            raise
        count += len(part)
    return count


def _restore(client: redis.Redis, prefix: str, records: Iterable[tuple[int, bytes, int, bytes]]) -> None:
    with explained_redis_errors():
        pipeline = client.pipeline(transaction=False)
        for _, kind, lives, value in records:
            pipeline.restore(prefix.encode() + kind, lives, value)
        pipeline.execute()


def _parts(values: Iterable[_T]) -> Iterator[list[_T]]:
    iterator = iter(values)
    while part := list(islice(iterator, _AT_ONCE)):
        yield part
