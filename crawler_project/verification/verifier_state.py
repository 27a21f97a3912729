"""A verification as plain data: what a frontier keeps of a site between two pages.

Only addresses and scores are kept; classes and queues follow from them. ``load_verifier(dump_verifier(v))`` decides as ``v``.
"""

from __future__ import annotations

import json
from typing import Any

from crawler_project.core.errors import ConfigurationError, StateError
from crawler_project.verification.verifier import SiteVerifier
from crawler_project.verification.verifier_parameters import VerifierParameters

FORMAT = 1


def dump_verifier(verifier: SiteVerifier) -> str:
    """Write a verification as JSON."""
    return json.dumps({"format": FORMAT, **verifier.state()}, ensure_ascii=False, separators=(",", ":"))


def load_verifier(text: str, parameters: VerifierParameters) -> SiteVerifier:
    """Read a verification back; ``parameters`` are those that it was begun with.

    Raises:
        StateError: the text is no verification, or one of another format.
    """
    try:
        state: dict[str, Any] = json.loads(text)
        if state["format"] != FORMAT:
            raise StateError(f"a verification is stored in format {state['format']}; this version reads {FORMAT}")
        return SiteVerifier.from_state(state, parameters)
    except (ValueError, KeyError, TypeError, IndexError, ConfigurationError) as error:
        raise StateError(f"a stored verification cannot be read: {type(error).__name__}: {error}") from error
