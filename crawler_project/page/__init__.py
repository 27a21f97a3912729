"""Bytes to values: charset, one parse, links and text of a page, and URLs that are traps."""

from crawler_project.page.blocks import Cut, Partition, cut_html
from crawler_project.page.charset import Decoded, decode
from crawler_project.page.parse import parse_page
from crawler_project.page.traps import TrapGuard, trap_reason

__all__ = ["Cut", "Decoded", "Partition", "TrapGuard", "cut_html", "decode", "parse_page", "trap_reason"]
