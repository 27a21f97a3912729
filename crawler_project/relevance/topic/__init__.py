"""Is a page on the topic? Classifiers learned from positive and unlabelled texts."""

from crawler_project.relevance.topic.judge import TopicJudge
from crawler_project.relevance.topic.topic_model import TopicModel

__all__ = ["TopicJudge", "TopicModel"]
