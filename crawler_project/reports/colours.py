"""One colour for a strategy, wherever it is drawn."""

from __future__ import annotations

from zlib import crc32

STRATEGY_COLOURS = {
    "control": "#0072B2",
    "experimental": "#D55E00",
    "hard_focused": "#009E73",
    "soft_focused": "#CC79A7",
    "lswc": "#E69F00",
    "server_filter": "#56B4E9",
    "directory_filter": "#000000",
    "perfect": "#7F7F7F",
    "adaptive": "#8B3A8F",
    "breadth_first": "#3B75AF",
    "best_first": "#8C564B",
    "anchor_text": "#BC8F00",
    "link_context": "#4DA6A0",
    "cbp": "#E377A2",
    "slc": "#6A51A3",
    "cbp_slc": "#C0392B",
    "topic_learned": "#1B7F3B",
}
"""Colours that colour-blind people can tell apart (Okabe and Ito 2008, *Color Universal Design*), and a grey in
the place of their yellow, of which a thin line cannot be seen on white. Black stands for the colour of the text."""

LINE_STYLES = ("-", "--", "-.", ":")
"""For crawls of one strategy in one plot, in order."""


def strategy_colour(strategy: str) -> str:
    """Give the colour of a strategy as ``#RRGGBB``; one of another name gets one of the colours, always the same."""
    colours = tuple(STRATEGY_COLOURS.values())
    return STRATEGY_COLOURS.get(strategy) or colours[crc32(strategy.encode("utf-8", "replace")) % len(colours)]
