"""A command as Scrapy runs it, in this process: fast, and its code is covered."""

from __future__ import annotations

import argparse

from scrapy.commands import ScrapyCommand
from scrapy.settings import Settings


def run_command(command: ScrapyCommand, *arguments: object) -> int:
    """Parse ``arguments`` and run; gives the exit code."""
    command.settings = Settings()
    parser = argparse.ArgumentParser(conflict_handler="resolve")
    command.add_options(parser)
    options, rest = parser.parse_known_args([str(argument) for argument in arguments])
    command.run(rest, options)
    return command.exitcode
