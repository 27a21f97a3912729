"""What one worker of a crawl tells the others: what it has learned, in few bytes."""

from __future__ import annotations

import base64
import binascii
import struct
import zlib
from collections.abc import Sequence
from math import exp, isfinite, log
from typing import NamedTuple

from crawler_project.strategies.learning.features import N_WEIGHTS, WAYS, WORD
from crawler_project.strategies.learning.learner import Learner
from crawler_project.strategies.learning.model import LEARNED, OnlineModel
from crawler_project.strategies.learning.ways import WayCounts

VERSION = 5
"""5: with words of pages that lead on; a note of another version is passed over."""
_HEAD = struct.Struct("<BH")
"""Version, and how many weights there are; after those come the ways."""
_WEIGHT = struct.Struct("<HhB")
_WAY = struct.Struct("<Hff")
_WEIGHT_STEPS = 1000
"""Of a log-odd; weights are kept within ± 32."""
_GRADIENT_STEPS = 16
"""Of a power of e."""
_MOST_COUNTED = 1e6
_LARGEST = 100_000


class Knowledge(NamedTuple):
    """What one worker knows by itself."""

    weights: dict[int, float]
    """Of each class that it has met."""
    gradients: dict[int, float]
    """The squared gradients behind each of them."""
    ways: WayCounts
    """What it has counted itself."""


def pack_knowledge(learner: Learner) -> str:
    """Pack what a worker has learned itself into a text of at most 33 KB, 2 to 6 KB as a rule."""
    model = learner.model
    rows = told_classes(model)
    weights = [_pack_weight(row, model.weights[row], model.gradients[row]) for row in rows]
    counts = zip(range(WAYS), *learner.ways.own(), strict=True)
    found = [
        _WAY.pack(way, min(pages, _MOST_COUNTED), min(finds, _MOST_COUNTED))
        for way, pages, finds in counts
        if pages or finds
    ]
    packed = _HEAD.pack(VERSION, len(rows)) + b"".join(weights) + b"".join(found)
    return base64.b85encode(zlib.compress(packed, 9)).decode("ascii")


def told_classes(model: OnlineModel) -> list[int]:
    """The classes that a worker tells of: all that it has met, but of the many words only those that it has learned from."""
    gradients = enumerate(model.gradients)  # all groups of words come last
    return [row for row, gradient in gradients if gradient > (1.0 if row < WORD else LEARNED)]


def unpack_knowledge(text: str) -> Knowledge | None:
    """Read what :func:`pack_knowledge` wrote; ``None`` for anything else, also of another version."""
    if len(text) > _LARGEST:
        return None
    try:
        inflater = zlib.decompressobj()
        packed = inflater.decompress(base64.b85decode(text), _LARGEST)
    except (ValueError, binascii.Error, zlib.error):
        return None
    if not inflater.eof or len(packed) < _HEAD.size or packed[0] != VERSION:
        return None
    start = _HEAD.size + _WEIGHT.size * _HEAD.unpack_from(packed)[1]
    if len(packed) < start or (len(packed) - start) % _WAY.size:
        return None
    weights = list(_WEIGHT.iter_unpack(packed[_HEAD.size : start]))
    ways = _read_ways(list(_WAY.iter_unpack(packed[start:])))
    if ways is None or any(row >= N_WEIGHTS for row, _, _ in weights):
        return None
    return Knowledge(
        {row: weight / _WEIGHT_STEPS for row, weight, _ in weights},
        {row: exp(gradient / _GRADIENT_STEPS) for row, _, gradient in weights},
        ways,
    )


def learn_from(learner: Learner, others: Sequence[Knowledge]) -> None:
    """Mix in what other workers know, in place of what they told before."""
    learner.model.mix([(known.weights, known.gradients) for known in others])
    learner.ways.mix([known.ways for known in others])


def _read_ways(rows: Sequence[tuple[int, float, float]]) -> WayCounts | None:
    pages, finds = [0.0] * WAYS, [0.0] * WAYS
    for way, found_pages, found in rows:
        if way >= WAYS or not (0 <= found_pages <= _MOST_COUNTED and 0 <= found <= _MOST_COUNTED):
            return None
        pages[way], finds[way] = found_pages, found
    return WayCounts(pages, finds)


def _pack_weight(row: int, weight: float, gradient: float) -> bytes:
    steps = round(_WEIGHT_STEPS * weight) if isfinite(weight) else 0
    power = int(_GRADIENT_STEPS * log(gradient)) if isfinite(gradient) else 255  # less, never more than there is
    return _WEIGHT.pack(row, max(-32_768, min(32_767, steps)), max(0, min(255, power)))
