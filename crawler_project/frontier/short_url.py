"""A URL without its host, for rows that belong to a host anyway: a third fewer bytes."""

from __future__ import annotations


def shorten_url(url: str, host: str) -> str:
    """Leave out scheme and host of ``url`` if they are ``http(s)://host/``.

    ``/a`` stands for https, ``:/a`` for http, ``=`` and the whole URL for everything else.
    """
    if url.startswith(host, 8) and url.startswith("https://") and url.startswith("/", 8 + len(host)):
        return url[8 + len(host) :]
    if url.startswith(host, 7) and url.startswith("http://") and url.startswith("/", 7 + len(host)):
        return ":" + url[7 + len(host) :]
    return "=" + url


def restore_url(path: str, host: str) -> str:
    """Undo :func:`shorten_url`."""
    if path.startswith("/"):
        return f"https://{host}{path}"
    return path[1:] if path.startswith("=") else f"http://{host}{path[1:]}"
