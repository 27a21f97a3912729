"""What one worker of a crawl tells the others: the weights that it has learned, in few bytes."""

from __future__ import annotations

import base64
import binascii
import struct
import zlib
from math import exp, isfinite, log
from typing import NamedTuple

from crawler_project.strategies.adaptive_features import N_WEIGHTS
from crawler_project.strategies.adaptive_model import OnlineModel

VERSION = 2
_ROW = struct.Struct("<HhB")
_WEIGHT_STEPS = 1000
"""Of a log-odd; weights are kept within ± 32."""
_GRADIENT_STEPS = 16
"""Of a power of e."""
_LARGEST = 100_000


class Knowledge(NamedTuple):
    """What one worker knows: of each class that it has met, the weight and the squared gradients behind it."""

    weights: dict[int, float]
    gradients: dict[int, float]


def pack_knowledge(model: OnlineModel) -> str:
    """Pack what a model has learned itself into a text of at most 4 KB."""
    rows = [row for row, gradient in enumerate(model.gradients) if gradient > 1.0]
    packed = bytes([VERSION]) + b"".join(_pack_row(row, model.weights[row], model.gradients[row]) for row in rows)
    return base64.b85encode(zlib.compress(packed, 9)).decode("ascii")


def unpack_knowledge(text: str) -> Knowledge | None:
    """Read what :func:`pack_knowledge` wrote; ``None`` for anything else, also of another version."""
    if len(text) > _LARGEST:
        return None
    try:
        inflater = zlib.decompressobj()
        packed = inflater.decompress(base64.b85decode(text), _LARGEST)
    except (ValueError, binascii.Error, zlib.error):
        return None
    if not inflater.eof or not packed or packed[0] != VERSION or (len(packed) - 1) % _ROW.size:
        return None
    known = Knowledge({}, {})
    for row, weight, gradient in _ROW.iter_unpack(packed[1:]):
        if row >= N_WEIGHTS:
            return None
        known.weights[row] = weight / _WEIGHT_STEPS
        known.gradients[row] = exp(gradient / _GRADIENT_STEPS)
    return known


def _pack_row(row: int, weight: float, gradient: float) -> bytes:
    steps = round(_WEIGHT_STEPS * weight) if isfinite(weight) else 0
    power = round(_GRADIENT_STEPS * log(gradient)) if isfinite(gradient) else 255
    return _ROW.pack(row, max(-32_768, min(32_767, steps)), max(0, min(255, power)))
