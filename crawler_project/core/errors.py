"""The errors that this project raises on purpose.

::

    CrawlerProjectError
    ├── ConfigurationError   a setting, argument or file named by the user is wrong: said before any fetch
    ├── StateError           a stored state (frontier, model, output) cannot be used as asked
    │   └── FrontierAwayError    the frontier does not answer or takes no writes now; ask again later
    └── RefusedAddressError  a connection to an address that a crawler has no business with (an OSError too)

Data never raises: broken HTML, odd URLs and wrong charsets give a value and a count.
"""

from __future__ import annotations


class CrawlerProjectError(Exception):
    """Base of every error that this project raises on purpose."""


class ConfigurationError(CrawlerProjectError):
    """What the user asked for cannot be done; the message says what to change."""


class StateError(CrawlerProjectError):
    """A stored state is damaged, of another version or of another crawl."""


class FrontierAwayError(StateError):
    """The frontier cannot be reached, or takes no writes, at present; the same may be asked again later."""


class RefusedAddressError(CrawlerProjectError, OSError):
    """A name led to a private, loopback, link-local or otherwise special address."""
