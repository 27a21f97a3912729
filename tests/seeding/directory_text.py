"""A directory in DMOZ's form, as the tests need it."""

from __future__ import annotations

BEGIN = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<RDF xmlns:r="http://www.w3.org/TR/RDF/" '
    'xmlns:d="http://purl.org/dc/elements/1.0/" xmlns="http://dmoz.org/rdf/">\n'
)
END = "</RDF>\n"


def entry(url: str, title: str = "t", description: str = "d", topic: str = "Top/World/Korean") -> str:
    return (
        f'<ExternalPage about="{url}">\n<d:Title>{title}</d:Title>\n'
        f"<d:Description>{description}</d:Description>\n<topic>{topic}</topic>\n</ExternalPage>\n"
    )


def directory(*entries: str) -> str:
    return BEGIN + "".join(entries) + END
