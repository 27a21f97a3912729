"""Made-up texts of a few topics, the same every time."""

from __future__ import annotations

import random

WORDS = {
    "cooking": [
        "pan",
        "oven",
        "butter",
        "onion",
        "garlic",
        "simmer",
        "boil",
        "recipe",
        "flour",
        "sugar",
        "salt",
        "pepper",
        "dough",
        "bake",
        "roast",
        "stew",
        "soup",
        "sauce",
    ],
    "sailing": [
        "boat",
        "sail",
        "mast",
        "wind",
        "harbour",
        "anchor",
        "keel",
        "rope",
        "tide",
        "crew",
        "deck",
        "regatta",
        "knot",
        "hull",
        "rudder",
        "compass",
        "wave",
    ],
    "music": [
        "guitar",
        "melody",
        "chord",
        "rhythm",
        "drum",
        "concert",
        "singer",
        "album",
        "tune",
        "violin",
        "bass",
        "orchestra",
        "song",
        "piano",
        "choir",
    ],
    "chess": [
        "knight",
        "bishop",
        "rook",
        "pawn",
        "queen",
        "king",
        "opening",
        "gambit",
        "castle",
        "endgame",
        "check",
        "mate",
        "board",
        "tempo",
    ],
}
COMMON = [
    "people",
    "time",
    "work",
    "day",
    "place",
    "year",
    "hand",
    "part",
    "world",
    "week",
    "point",
    "group",
    "number",
    "home",
    "water",
    "room",
]


def texts(topic: str, number: int, seed: int = 0, length: int = 40) -> list[str]:
    source = random.Random(f"{topic} {seed}")
    return [
        " ".join(source.choice(WORDS[topic] if source.random() < 0.35 else COMMON) for _ in range(length))
        for _ in range(number)
    ]


def mixed(number: int, seed: int = 0) -> list[str]:
    """Texts of all topics in turn."""
    return [text for group in zip(*(texts(topic, number, seed) for topic in WORDS), strict=True) for text in group]
