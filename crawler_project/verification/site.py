"""What one site is (V5): the pages of one host, however the host is written."""

from __future__ import annotations

from crawler_project.core.urls import canonical_url


def site_of_host(host: str) -> str:
    """Give the site of a canonical host (:attr:`~crawler_project.core.urls.UrlParts.host`)."""
    return host.removeprefix("www.")


def site_of(url: str) -> str:
    """Give the site of a URL: its host in ASCII, without ``www.``, with a port that is not the scheme's default.

    A sub-domain is another site; http and https are one. Empty for what is no http(s) URL.
    """
    parts = canonical_url(url)
    return site_of_host(parts.host) if parts else ""


def same_site(first: str, second: str) -> bool:
    """Whether two URLs are of one site; URLs of no site are of the same none."""
    return site_of(first) == site_of(second)
