"""Words of addresses and anchors as classes of evidence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler_project.strategies.learning.features import ANCHOR_WORD, GROUPS, MOST_WORDS, N_WEIGHTS, WORD
from crawler_project.strategies.learning.words import anchor_words, path_words


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Graduate Students", "students: GRADUATE"),
        ("café", "le Café"),
        ("서울 날씨", "서울의 날씨"),
        ("日本語の本", "新しい日本語"),
        ("หนังสือ", "หนังสือใหม่"),
        ("Новости", "все новости"),
    ],
)
def test_anchors_of_common_words_share_classes(one, other):
    assert set(anchor_words(one)) & set(anchor_words(other))


def test_numbers_single_letters_and_signs_say_nothing():
    assert anchor_words("1 2 3 » … a") == ()
    assert path_words("http://a.com/1/2?x=3", 12) == ()
    assert path_words("http://a.com/", 12) == ()


def test_path_is_looked_at_behind_the_host_only():
    assert path_words("http://news.com/blog/1", len("http://news.com/")) == path_words("http://a.com/blog/2", 13)


@given(st.text(max_size=300))
def test_any_text_gives_few_classes_of_its_group(text):
    words = anchor_words(text)
    assert len(set(words)) == len(words) <= MOST_WORDS
    assert all(ANCHOR_WORD <= word < N_WEIGHTS for word in words)
    group = GROUPS["words"]
    found = path_words("http://a.com/" + text, 13)
    assert len(found) <= MOST_WORDS
    assert all(WORD <= word < group.start + group.size for word in found)
