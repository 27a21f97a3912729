from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from crawler_project.verification.verdict import ScoredPage
from crawler_project.verification.verifier import SiteVerifier
from crawler_project.verification.verifier_parameters import VerifierParameters
from crawler_project.verification.watched_site import WatchedSite

parameters = VerifierParameters(num_rel_pages=3, num_exp_pages=10)


@given(scores=st.lists(st.sampled_from([0.0, 0.3, 0.7, 1.0]), max_size=15), early_no=st.booleans())
def test_watched_site_decides_as_the_verifier_does_in_the_same_order(scores: list[float], early_no: bool) -> None:
    values = VerifierParameters(num_rel_pages=3, num_exp_pages=10, early_no=early_no, order="breadth")
    verifier = SiteVerifier("http://shop.test/0", values)
    watched = WatchedSite("shop.test", values)
    for number, score in enumerate(scores):
        url = f"http://shop.test/{number}"
        verdict = watched.observe(url, score)
        verifier.observe(url, score, [f"http://shop.test/{number + 1}"])
        assert (verdict is None) == (verifier.verdict is None)
        if verdict is not None and verifier.verdict is not None:
            assert (verdict.reason, verdict.pages) == (verifier.verdict.reason, verifier.verdict.pages)
            assert verdict.good_pages == verifier.verdict.good_pages
            break
        watched = WatchedSite("shop.test", values, [ScoredPage(*page) for page in watched.pages])


def test_watched_site_shows_what_it_has_seen_before_there_is_a_verdict() -> None:
    watched = WatchedSite("shop.test", parameters)
    assert watched.observe("http://shop.test/p/1", 0.9) is None
    verdict = watched.verdict("undecided")
    assert (verdict.is_relevant, verdict.reason, len(verdict.good_pages)) == (False, "undecided", 1)
    assert [tuple(one) for one in verdict.classes] == [("/p/{n}", 0.9, 1, 0)]
