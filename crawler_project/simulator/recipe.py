"""What a generated web should look like: the figures of the papers, one recipe a target language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from crawler_project.core.errors import ConfigurationError

GENERATOR_VERSION = 2
"""Equal arguments give equal webs of one version; 2: hosts of the target's web differ in how full of it they are."""


class Languages(NamedTuple):
    """Pages of one group of top-level domains by language, in any unit."""

    target: float
    english: float
    other: float
    unknown: float


class Locality(NamedTuple):
    """Links of one kind of source page: where they go, and how many of them lead to target pages."""

    links_per_page: float
    same_server: float
    """Share of the links that stay on the server."""
    same_domain: float
    """Share of the links that stay in the registrable domain; the server's are among them."""
    target_same_server: float
    """Share of target pages among the ends of links to the own server; and so on."""
    target_sister_server: float
    """Other servers of the own domain."""
    target_other_domain: float

    @property
    def target(self) -> float:
        """Share of target pages among the ends of all links."""
        sister = self.same_domain - self.same_server
        return (
            self.same_server * self.target_same_server
            + sister * self.target_sister_server
            + (1 - self.same_domain) * self.target_other_domain
        )


class Anchors(NamedTuple):
    """Anchor texts on one kind of source page."""

    in_target: float
    """Share of the links whose anchor text is in the target language."""
    target_behind: float
    """Share of target pages behind those links."""


OTHER_TLDS: Mapping[str, float] = {
    "jp": 11.0, "de": 6.7, "org": 5.7, "ru": 3.0, "fr": 2.5, "it": 2.5, "nl": 2.0, "info": 2.0, "se": 1.9, "pl": 1.0, "ca": 1.0,
}  # fmt: skip
"""Somboonviwat Section 4 names jp, de and org in percent of all pages; the rest of the group is spread."""


@dataclass(frozen=True)
class Recipe:
    """All that the generator wants to know of a language's web."""

    target_lang: str
    home_tlds: Mapping[str, float]
    """Second-level or country domains of the target with their shares: ``{"co.th": 3, "in.th": 1}``."""
    groups: Mapping[str, Languages]
    """Table 3: ``home``, ``com``, ``net`` and ``other``."""
    from_target: Locality
    from_others: Locality
    anchors_on_target: Anchors
    anchors_on_others: Anchors
    hidden: float
    """Share of the target pages that no target page links to (Figure 3 beyond distance 1)."""
    pages_per_host: float = 20.93
    """Somboonviwat Section 4: 13,999,847 pages on 668,934 servers."""
    other_tlds: Mapping[str, float] = field(default_factory=lambda: OTHER_TLDS)


THAI = Recipe(
    target_lang="th",
    home_tlds={"co.th": 5, "in.th": 2, "ac.th": 1.5, "go.th": 1, "or.th": 0.5},
    groups={
        "home": Languages(588_082, 344_679, 25_841, 182_957),
        "com": Languages(903_792, 1_199_555, 130_767, 4_251_728),
        "net": Languages(70_777, 158_065, 27_979, 612_909),
        "other": Languages(143_587, 784_461, 292_502, 4_282_166),
    },
    # Table 4 read as A4 does: 27.54 M links to Thai pages are 71.3 % of those on Thai pages, 1.76 M are
    # 3.1 % of the others; both scaled to 123.8 M links. The shares of server and domain solve the rows.
    from_target=Locality(29.36, 0.719, 0.776, 0.841, 0.691, 0.307),
    from_others=Locality(5.994, 0.500, 0.795, 0.030, 0.0111, 0.062),
    # Table 5: 11.2 M of 42.0 M links on Thai pages have Thai anchors. Its rows give 70.0 % Thai ends where
    # Table 4 has 71.3 %; the difference is shared between its two rows.
    anchors_on_target=Anchors(0.267, 0.821),
    anchors_on_others=Anchors(0.041, 0.029),
    hidden=0.05,
)


def _cjk(
    target_lang: str, home_tlds: Mapping[str, float], share: float, groups: tuple[float, ...], locality: Locality
) -> Recipe:
    """A web like the one that Chan & Yamana crawled breadth first: ``share`` of target pages (Table 4),
    their domains (Table 1: home, com and net, others). The rest is an assumption: other pages half
    English, and links as local as the Thai ones."""
    home, generic, other = groups
    rest = 1 - share
    return Recipe(
        target_lang=target_lang,
        home_tlds=home_tlds,
        groups={
            "home": Languages(share * home, rest * 0.10, rest * 0.02, rest * 0.03),
            "com": Languages(share * generic * 0.8, rest * 0.25, rest * 0.10, rest * 0.10),
            "net": Languages(share * generic * 0.2, rest * 0.05, rest * 0.02, rest * 0.03),
            "other": Languages(share * other, rest * 0.10, rest * 0.14, rest * 0.06),
        },
        from_target=locality,
        from_others=Locality(8.0, 0.55, 0.75, 0.10, 0.15, 0.25),
        anchors_on_target=Anchors(0.60, min(0.99, locality.target + 0.06)),
        anchors_on_others=Anchors(0.10, 0.30),
        hidden=0.02,
    )


RECIPES: Mapping[str, Recipe] = {
    "th": THAI,
    "ko": _cjk("ko", {"co.kr": 5, "kr": 3, "or.kr": 1, "go.kr": 1}, 0.6121, (0.618, 0.376, 0.006), Locality(12.0, 0.70, 0.77, 0.85, 0.70, 0.45)),
    "ja": _cjk("ja", {"co.jp": 4, "jp": 3, "ne.jp": 2, "or.jp": 1}, 0.8746, (0.676, 0.320, 0.004), Locality(10.0, 0.70, 0.77, 0.96, 0.92, 0.80)),
    "zh": _cjk("zh", {"com.cn": 5, "cn": 3, "com.tw": 2, "edu.tw": 1}, 0.8838, (0.420, 0.575, 0.005), Locality(10.0, 0.70, 0.77, 0.96, 0.93, 0.82)),
}  # fmt: skip


def recipe_for(target: str) -> Recipe:
    """Give the recipe of a target language.

    Raises:
        ConfigurationError: there is none; lists those that there are.
    """
    if target not in RECIPES:
        raise ConfigurationError(f"target={target!r} has no recipe; choose one of {', '.join(RECIPES)}")
    return RECIPES[target]
