"""What the scheduler and the callbacks tell each other by a request."""

from __future__ import annotations

OUTCOME = "outcome"
"""Key of ``Request.meta`` under which a callback leaves the :class:`~crawler_project.core.values.Outcome`; ``None`` gives the URL back."""
