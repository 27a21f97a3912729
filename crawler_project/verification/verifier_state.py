"""A verification as plain data: what a frontier keeps of a site between two pages.

Only addresses and scores are kept; classes and queues follow from them. ``load_verifier(dump_verifier(v))`` decides as ``v``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from crawler_project.core.errors import ConfigurationError, StateError
from crawler_project.verification.verifier import SiteVerifier
from crawler_project.verification.verifier_parameters import VerifierParameters

FORMAT = 1


def plain_verifier(verifier: SiteVerifier) -> dict[str, Any]:
    """Give a verification as plain data."""
    return {"format": FORMAT, **verifier.state()}


def dump_verifier(verifier: SiteVerifier) -> str:
    """Write a verification as JSON."""
    return json.dumps(plain_verifier(verifier), ensure_ascii=False, separators=(",", ":"))


def load_verifier(text: str, parameters: VerifierParameters) -> SiteVerifier:
    """Read a verification back; ``parameters`` are those that it was begun with.

    Raises:
        StateError: the text is no verification, or one of another format.
    """
    try:
        return verifier_of(json.loads(text), parameters)
    except ValueError as error:
        raise StateError(f"a stored verification is no JSON: {error}") from error


def verifier_of(state: Mapping[str, Any], parameters: VerifierParameters) -> SiteVerifier:
    """Make a verification of plain data (:func:`plain_verifier`).

    Raises:
        StateError: the data is no verification, or one of another format.
    """
    try:
        if state["format"] != FORMAT:
            raise StateError(f"a verification is stored in format {state['format']}; this version reads {FORMAT}")
        return SiteVerifier.from_state(state, parameters)
    except (ValueError, KeyError, TypeError, IndexError, ConfigurationError) as error:
        raise StateError(f"a stored verification cannot be read: {type(error).__name__}: {error}") from error
