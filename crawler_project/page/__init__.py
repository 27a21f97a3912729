"""Bytes to values: charset, one parse, links and text of a page, and URLs that are traps."""

from crawler_project.page.charset import Decoded, decode
from crawler_project.page.parse import parse_page
from crawler_project.page.traps import TrapGuard, trap_reason

__all__ = ["Decoded", "TrapGuard", "decode", "parse_page", "trap_reason"]
