"""What a user asked of a topic crawl, checked before anything is fetched."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

import xxhash
from scrapy.settings import BaseSettings

from crawler_project.core.errors import ConfigurationError
from crawler_project.core.seams import RelevanceJudge
from crawler_project.core.target import Target
from crawler_project.crawling.crawl_plan import OWN_ARGUMENTS, CrawlPlan, common_parts, live_strategy
from crawler_project.crawling.settings_check import tlds_by_language
from crawler_project.page.blocks import AS_IN_PAPER, Cut
from crawler_project.relevance.combine import all_of
from crawler_project.relevance.language.judges import make_anchor_judge, make_language_judge
from crawler_project.relevance.language.model import known_languages
from crawler_project.relevance.topic import TopicJudge, TopicModel
from crawler_project.relevance.topic.link_scores import TopicLinkScorer

DEFAULT_STRATEGY: Final = "cbp_slc"
_OF_TOPIC: Final = (*OWN_ARGUMENTS, "model", "tags")


@dataclass(frozen=True)
class TopicPlan(CrawlPlan):
    """A topic crawl that can start."""

    scorer: TopicLinkScorer | None = None
    topic: str = ""
    """The model's name."""
    digest: str = ""
    """Of the model's file."""
    cut: Cut = AS_IN_PAPER
    has_language: bool = False
    """Only pages in the target's languages are wanted."""

    @classmethod
    def from_arguments(cls, settings: BaseSettings, arguments: Mapping[str, str]) -> Self:
        """Check ``-a`` arguments and settings.

        Raises:
            ConfigurationError: the first thing that is wrong, with what to change.
            StateError: the model is damaged or of a newer version.
        """
        own = {key: str(value) for key, value in arguments.items() if key in _OF_TOPIC}
        parameters = {key: value for key, value in arguments.items() if key not in _OF_TOPIC}
        if not own.get("model"):
            raise ConfigurationError("no model; name one that `scrapy topic train` made: -a model=FILE")
        if not own.get("seeds"):
            raise ConfigurationError("no seeds; name a file of URLs, one a line: -a seeds=FILE")
        model = TopicModel.load(own["model"])
        strategy = live_strategy(own.get("strategy") or DEFAULT_STRATEGY, parameters, _OF_TOPIC)
        cut = Cut(tags=own.get("tags") or "paper").checked()
        target, judge = _target_and_judge(settings, own, model)
        return cls(
            target=target,
            strategy=strategy,
            judge=judge,
            anchor_judge=make_anchor_judge(target),
            judge_name=f"topic {model.name}",
            scorer=TopicLinkScorer(model),
            topic=model.name,
            digest=xxhash.xxh3_128_hexdigest(Path(own["model"]).read_bytes()),
            cut=cut,
            has_language=bool(own.get("target")),
            **common_parts(settings, own, target, strategy, ""),
        )

    @property
    def wanted(self) -> str:
        return f"{super().wanted} and on topic {self.topic}" if self.has_language else f"on topic {self.topic}"

    @property
    def identity(self) -> dict[str, str]:
        """What must be the same when a crawl is continued."""
        return {**super().identity, "model": self.digest, "tags": self.cut.tags}


def _target_and_judge(
    settings: BaseSettings, own: Mapping[str, str], model: TopicModel
) -> tuple[Target, RelevanceJudge]:
    """The topic in the place of a language, or a language whose pages must be on the topic too."""
    if not own.get("target"):
        return Target(frozenset({model.name}), frozenset()), TopicJudge(model)
    path = settings.get("LANGUAGE_MODEL") or None
    known = known_languages(path)
    target = Target.parse(own["target"], known, tlds_by_language(settings, known))
    language = make_language_judge(own.get("judge") or settings["LANGUAGE_JUDGE"], target, path)
    return target, all_of([language, TopicJudge(model)])
