"""The best-first search of a site (V10 to V14), on sites that are plain dictionaries."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler_project.core.errors import ConfigurationError, StateError
from crawler_project.verification.heuristic import NEW_CLASS
from crawler_project.verification.site import site_of
from crawler_project.verification.verdict import Verdict
from crawler_project.verification.verifier import SiteVerifier
from crawler_project.verification.verifier_parameters import ORDERS, VerifierParameters
from crawler_project.verification.verifier_state import dump_verifier, load_verifier

Site = Mapping[str, tuple[float, list[str]]]
"""URL → F and links; a URL that is not there fails."""
HOST = "http://shop.test"
LITERAL = VerifierParameters(classes="literal")


def literal(**values: object) -> VerifierParameters:
    return VerifierParameters(classes="literal", **values)  # type: ignore[arg-type]


def verify(site: Site, parameters: VerifierParameters, start: str = HOST + "/") -> Verdict:
    verifier = SiteVerifier(start, parameters)
    while (page := verifier.next_page()) is not None:
        score, links = site.get(page, (0.0, []))
        verifier.observe(page, score, links)
    assert verifier.verdict is not None
    return verifier.verdict


def paths(verdict: Verdict) -> list[str]:
    return [page.url.removeprefix(HOST) for page in verdict.pages]


def shop(products: int = 30) -> Site:
    """A shop of the paper's kind: its pages differ in the values of attributes."""
    lists = [f"{HOST}/list.asp?cat={number}" for number in range(3)]
    items = [f"{HOST}/item.asp?id={number}" for number in range(products)]
    return {
        f"{HOST}/": (0.1, [f"{HOST}/about.asp", *lists]),
        f"{HOST}/about.asp": (0.0, [f"{HOST}/"]),
        **{url: (0.3, [f"{HOST}/help.asp", *items[number::3]]) for number, url in enumerate(lists)},
        **{url: (0.9, [f"{HOST}/", *items]) for url in items},
    }


def test_verifier_takes_the_best_class_first_and_in_it_the_oldest_page() -> None:
    verdict = verify(shop(), literal())
    # home (H 0.1); nothing is known of about and list: the oldest class; list has 0.3, item nothing yet;
    # when the lists are used up, about 0, so help (older than item); then item has 0.9
    assert paths(verdict) == [
        "/", "/about.asp", "/list.asp?cat=0", "/list.asp?cat=1", "/list.asp?cat=2", "/help.asp", "/item.asp?id=0",
        "/item.asp?id=3", "/item.asp?id=6", "/item.asp?id=9", "/item.asp?id=12",
    ]  # fmt: skip
    assert (verdict.is_relevant, verdict.reason, verdict.site) == (True, "enough pages", "shop.test")
    assert [page.url for page in verdict.good_pages] == [f"{HOST}/item.asp?id={number}" for number in (0, 3, 6, 9, 12)]


def test_verdict_carries_its_evidence() -> None:
    verdict = verify(shop(), literal(num_rel_pages=2))
    classes = {one.abstract_url: one[1:] for one in verdict.classes}
    assert list(classes) == ["/", "/about.asp", "/list.asp?cat", "/help.asp", "/item.asp?id"]
    assert classes["/list.asp?cat"] == (0.3, 3, 0)
    assert classes["/item.asp?id"] == (0.9, 2, 28)
    assert verdict.relevance == pytest.approx((0.1 + 3 * 0.3 + 2 * 0.9) / 8)
    assert [page.score for page in verdict.pages] == [0.1, 0.0, 0.3, 0.3, 0.3, 0.0, 0.9, 0.9]


def test_thresholds_compare_with_at_least() -> None:
    site = {f"{HOST}/": (0.7, [f"{HOST}/a"]), f"{HOST}/a": (0.7, [])}
    assert verify(site, literal(num_rel_pages=2)).reason == "enough pages"
    assert verify(site, literal(num_rel_pages=2, page_threshold=0.70001)).good_pages == ()
    # a sum of weights that is 0.7 on paper
    assert verify({f"{HOST}/": (0.1 * 3 + 0.4 - 1e-16, [])}, literal(num_rel_pages=1)).is_relevant


def test_exactly_the_allowed_number_of_pages_is_fetched() -> None:
    chain = {f"{HOST}/{number}": (0.5, [f"{HOST}/{number + 1}"]) for number in range(99)}
    verdict = verify(chain, literal(), f"{HOST}/0")
    assert (len(verdict.pages), verdict.reason, verdict.is_relevant) == (50, "limit", False)


def test_last_allowed_page_can_still_decide() -> None:
    chain = {f"{HOST}/{number}": (float(number >= 2), [f"{HOST}/{number + 1}"]) for number in range(9)}
    verdict = verify(chain, literal(num_rel_pages=2, num_exp_pages=4), f"{HOST}/0")
    assert (len(verdict.pages), verdict.reason) == (4, "enough pages")


def test_site_without_further_pages_is_exhausted() -> None:
    verdict = verify({f"{HOST}/": (0.9, [f"{HOST}/", "http://else.test/"])}, literal())
    assert (paths(verdict), verdict.reason, verdict.is_relevant) == (["/"], "exhausted", False)


def test_limit_comes_before_exhausted_when_both_are_reached() -> None:
    assert verify({f"{HOST}/": (0.1, [])}, literal(num_exp_pages=1)).reason == "limit"


def test_failed_fetch_counts_as_a_page_of_score_0() -> None:
    verdict = verify({f"{HOST}/": (0.2, [f"{HOST}/gone"])}, literal())
    assert verdict.pages[1] == (f"{HOST}/gone", 0.0)
    assert verdict.classes[1] == ("/gone", 0.0, 1, 0)


def test_links_to_other_sites_known_pages_and_repeats_are_left_out() -> None:
    links = [
        f"{HOST}/a",
        "https://www.shop.test/a",
        "http://m.shop.test/a",
        "http://shop.test:8080/a",
        f"{HOST}/a#part",
        "mailto:shop@shop.test",
        "",
        f"{HOST}/",
        "http://[",
    ]
    verifier = SiteVerifier(f"{HOST}/", literal())
    verifier.observe(f"{HOST}/", 0.0, links)
    # of one site, under two addresses: the classes are one
    assert [tuple(one) for one in verifier.evidence()] == [("/", 0.0, 1, 0), ("/a", 0.0, 0, 2)]


@pytest.mark.parametrize(
    ("new_class", "heuristic"),
    [("zero", 0.0), ("one", 1.0), ("mean", 0.4), ("parent", 0.6), ("size", 0.6)],
)
def test_class_without_expanded_pages_has_the_heuristic_that_was_asked_for(new_class: str, heuristic: float) -> None:
    verifier = SiteVerifier(f"{HOST}/", literal(new_class=new_class))
    verifier.observe(f"{HOST}/", 0.2, [f"{HOST}/a"])
    verifier.observe(verifier.next_page() or "", 0.6, [f"{HOST}/b?x={number}" for number in range(3)])
    assert verifier.evidence()[-1].heuristic == pytest.approx(heuristic)


def test_tie_goes_to_the_oldest_class_also_where_sums_of_floats_differ() -> None:
    scores = iter([0.2, 0.1, 0.2, 0.3])
    verifier = SiteVerifier(f"{HOST}/?0", literal(new_class="one"))
    verifier.observe(f"{HOST}/?0", next(scores), [f"{HOST}/?1"[:-1] + "0&0", *(f"{HOST}/x?a={n}" for n in range(4))])
    for _ in range(3):
        page = verifier.next_page()
        assert page is not None
        verifier.observe(page, next(scores), [])
    heuristics = [one.heuristic for one in verifier.evidence()]
    assert heuristics == [0.2, 0.2]  # (0.1 + 0.2 + 0.3) / 3 is 0.19999999999999998


def test_next_page_is_the_same_until_it_is_observed() -> None:
    verifier = SiteVerifier(f"{HOST}/", LITERAL)
    assert verifier.next_page() == verifier.next_page() == f"{HOST}/"
    with pytest.raises(ValueError, match="was not asked for"):
        verifier.observe(f"{HOST}/other", 1.0)
    verifier.observe(f"{HOST}/", 0.0)
    assert verifier.next_page() is None
    with pytest.raises(ValueError, match="was not asked for"):
        verifier.observe(f"{HOST}/", 1.0)


def test_page_at_another_address_of_the_site_is_one_page() -> None:
    verifier = SiteVerifier(f"{HOST}/", LITERAL)
    assert verifier.redirected(f"{HOST}/", "https://www.shop.test/home")
    assert verifier.redirected(f"{HOST}/", "https://www.shop.test/home/")
    verifier.observe(f"{HOST}/", 0.5, ["https://www.shop.test/home/", f"{HOST}/a", f"{HOST}/b"])
    assert verifier.redirected(f"{HOST}/a", f"{HOST}/b")  # queued, and now no page of its own
    verifier.observe(f"{HOST}/a", 0.5, [f"{HOST}/b"])
    assert verifier.verdict is not None
    assert paths(verifier.verdict) == ["/", "/a"]
    assert [one[1:] for one in verifier.evidence()] == [(0.5, 1, 0), (0.5, 1, 0), (0.0, 0, 0)]


@pytest.mark.parametrize(
    "target", ["http://else.test/", f"{HOST}/", f"{HOST}/a", "https://www.shop.test/home", "nonsense"]
)
def test_redirect_to_another_site_or_to_a_page_known_is_not_followed(target: str) -> None:
    verifier = SiteVerifier(f"{HOST}/", LITERAL)
    assert verifier.redirected(f"{HOST}/", "https://www.shop.test/home")
    verifier.observe(f"{HOST}/", 0.5, [f"{HOST}/a"])
    assert not verifier.redirected(f"{HOST}/a", target)
    with pytest.raises(ValueError, match="was not asked for"):
        verifier.redirected(f"{HOST}/", f"{HOST}/c")


def path_style_shop() -> Site:
    """A shop of today: the key of a page is in its path, its menus are long."""
    items = [f"{HOST}/product/97807783{number:05}" for number in range(60)]
    lists = [f"{HOST}/category/{name}" for name in ("fiction", "history", "science", "art")]
    menu = [f"{HOST}/{name}" for name in ("login", "cart", "help", "about", "stores", "careers")]
    return {
        f"{HOST}/": (0.1, [*menu, *lists]),
        **dict.fromkeys(menu, (0.1, menu)),
        **{url: (0.2, [*menu, *lists, *items[number::4]]) for number, url in enumerate(lists)},
        **{url: (0.9, [*menu, *items[number : number + 5]]) for number, url in enumerate(items)},
    }


def test_generalised_method_finds_what_the_literal_one_cannot_in_a_shop_of_paths() -> None:
    literal_verdict = verify(path_style_shop(), VerifierParameters(classes="literal", num_exp_pages=15))
    verdict = verify(path_style_shop(), VerifierParameters(num_exp_pages=15))
    assert not literal_verdict.is_relevant
    assert verdict.is_relevant
    assert len(verdict.pages) <= 8


def deep_shop() -> Site:
    """A shop whose products are three lists away from its home page, beside a menu that leads nowhere."""
    items = [f"{HOST}/product/{9780778328704 + number}" for number in range(60)]
    menu = [f"{HOST}/{name}" for name in ("videos", "team", "podcast", "academy", "magazine", "partners", "readers", "awards", "labels", "puzzles")]  # fmt: skip
    subjects = [f"{HOST}/c/{name}" for name in ("fiction", "history", "science", "art")]
    parts = {url: [f"{url}/{name}" for name in ("new", "old", "rare")] for url in subjects}
    leaves = {url: [f"{url}/{name}" for name in ("cheap", "dear")] for its in parts.values() for url in its}
    pages = [url for its in leaves.values() for url in its]
    return {
        f"{HOST}/": (0.1, [*menu, *subjects]),
        **dict.fromkeys(menu, (0.1, menu)),
        **{url: (0.1, [*menu, *links]) for url, links in {**parts, **leaves}.items()},
        **{url: (0.1, [*menu, *items[number :: len(pages)]]) for number, url in enumerate(pages)},
        **dict.fromkeys(items, (0.9, menu)),
    }


def test_exploring_finds_products_that_are_far_from_the_home_page() -> None:
    verdict = verify(deep_shop(), VerifierParameters())
    assert verdict.is_relevant
    assert len(verdict.pages) <= 20
    assert verdict == verify(deep_shop(), VerifierParameters())
    assert len(verify(deep_shop(), VerifierParameters(explore=False)).pages) > len(verdict.pages)


def test_exploring_is_off_where_the_heuristic_of_new_classes_is_named() -> None:
    assert [VerifierParameters(new_class=name).explore for name in NEW_CLASS] == [
        name == "family" for name in NEW_CLASS
    ]
    assert LITERAL.explore is False
    assert VerifierParameters.parse({"explore": "off"}).explore is False
    assert VerifierParameters.parse({"classes": "literal", "explore": "true"}).explore is True


def test_exploring_leaves_an_endless_chain_of_pages() -> None:
    chain = {f"{HOST}/day?n={number}": (0.0, [f"{HOST}/day?n={number + 1}"]) for number in range(99)}
    site = {**deep_shop(), **chain}
    score, links = site[f"{HOST}/"]
    site[f"{HOST}/"] = (score, [f"{HOST}/day?n=0", *links])
    assert verify(site, VerifierParameters()).is_relevant


def test_early_no_gives_up_a_site_without_good_pages_and_literal_does_not() -> None:
    site = {f"{HOST}/{n}": (0.1, [f"{HOST}/{n + 1}", f"{HOST}/x{n}"]) for n in range(200)}
    given_up = verify(site, VerifierParameters(), f"{HOST}/0")
    assert (given_up.reason, given_up.is_relevant, len(given_up.pages)) == ("early no", False, 28)
    assert len(verify(site, VerifierParameters(early_no=False), f"{HOST}/0").pages) == 50
    assert len(verify(site, LITERAL, f"{HOST}/0").pages) == 50
    assert verify(site, literal(early_no=True), f"{HOST}/0").reason == "early no"


def test_early_no_stops_when_enough_pages_are_out_of_reach() -> None:
    site = {f"{HOST}/{n}": (float(n % 5 == 4), [f"{HOST}/{n + 1}"]) for n in range(99)}
    verdict = verify(site, VerifierParameters(num_rel_pages=9, num_exp_pages=29), f"{HOST}/0")
    assert (verdict.reason, len(verdict.pages)) == ("early no", 26)  # 5 good and 3 fetches left


@pytest.mark.parametrize("order", ORDERS)
def test_every_order_is_the_same_each_time(order: str) -> None:
    assert verify(shop(), literal(order=order)) == verify(shop(), literal(order=order))


def test_breadth_first_takes_pages_as_they_were_found() -> None:
    assert paths(verify(shop(), literal(order="breadth")))[:6] == [
        "/", "/about.asp", "/list.asp?cat=0", "/list.asp?cat=1", "/list.asp?cat=2", "/help.asp",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"classes": "fuzzy"}, "classes='fuzzy' is not known; choose one of literal, generalised"),
        ({"new_class": "two"}, "new_class='two' is not known"),
        ({"page_threshold": "1.5"}, "page_threshold=1.5 must be a number from 0 to 1"),
        ({"page_threshold": "nan"}, "page_threshold='nan' must be a number"),
        ({"num_rel_pages": "0"}, "num_rel_pages=0 must be a whole number, 1 or more"),
        ({"num_exp_pages": "x"}, "num_exp_pages='x' must be a whole number"),
        ({"early_no": "perhaps"}, "early_no='perhaps' must be true or false"),
        ({"page_treshold": "0.5"}, "there is no argument 'page_treshold'; did you mean 'page_threshold'?"),
    ],
)
def test_parameters_say_what_is_wrong_with_them(arguments: dict[str, str], message: str) -> None:
    with pytest.raises(ConfigurationError) as raised:
        VerifierParameters.parse(arguments)
    assert str(raised.value).startswith(message)


def test_parameters_of_either_method_have_their_defaults() -> None:
    default, paper = VerifierParameters(), VerifierParameters.parse({"classes": "literal"})
    assert (default.classes, default.new_class, default.early_no) == ("generalised", "family", True)
    assert (paper.new_class, paper.early_no) == ("zero", False)
    assert (paper.page_threshold, paper.num_rel_pages, paper.num_exp_pages) == (0.7, 5, 50)


def test_start_that_is_no_address_is_an_error() -> None:
    with pytest.raises(ConfigurationError, match="'shop' is no http or https address"):
        SiteVerifier("shop")


SPOTS = [f"{scheme}://{host}/{path}" for scheme, host in (("http", "shop.test"), ("https", "www.shop.test"), ("http", "else.test"))
         for path in ("", "a", "b/1", "b/2", "b/3", "c?x=1", "c?x=2", "d-long-title-of-a-book", "e?y=1&x=2")]  # fmt: skip
webs = st.dictionaries(
    st.sampled_from(SPOTS),
    st.tuples(st.sampled_from([0.0, 0.1, 0.3, 0.7, 1.0]), st.lists(st.sampled_from(SPOTS), max_size=6)),
)
some_parameters = st.builds(
    VerifierParameters,
    num_rel_pages=st.integers(1, 4),
    num_exp_pages=st.integers(1, 12),
    classes=st.sampled_from(["literal", "generalised"]),
    new_class=st.sampled_from(NEW_CLASS),
    early_no=st.booleans(),
    explore=st.booleans(),
    order=st.sampled_from(ORDERS),
)


@settings(deadline=None)
@given(
    web=webs,
    parameters=some_parameters,
    start=st.sampled_from(SPOTS),
    redirects=st.dictionaries(st.sampled_from(SPOTS), st.sampled_from(SPOTS), max_size=4),
)
def test_verifier_keeps_to_its_limits_and_survives_being_stored(
    web: Site, parameters: VerifierParameters, start: str, redirects: dict[str, str]
) -> None:
    verifier = SiteVerifier(start, parameters)
    fetched: list[str] = []
    at_address: list[str] = []
    while (page := verifier.next_page()) is not None:
        fetched.append(page)
        at_address.append(page)
        found = page
        while found in redirects and verifier.redirected(page, redirects[found]):
            found = redirects[found]
            at_address.append(found)
            verifier = load_verifier(dump_verifier(verifier), parameters)
        score, links = web.get(found, (0.0, []))
        verifier.observe(page, score, links)
        again = load_verifier(dump_verifier(verifier), parameters)
        assert again.next_page() == verifier.next_page()
        assert (again.evidence(), again.verdict) == (verifier.evidence(), verifier.verdict)
        verifier = again
    verdict = verifier.verdict
    assert verdict is not None
    assert len(fetched) == len(set(fetched)) <= parameters.num_exp_pages
    assert len(at_address) == len(set(at_address))
    assert {site_of(url) for url in at_address} == {site_of(start)}
    assert verdict.is_relevant == (len(verdict.good_pages) >= parameters.num_rel_pages)
    assert len(verdict.good_pages) <= parameters.num_rel_pages
    assert sum(one.expanded for one in verdict.classes) == len(fetched)


@pytest.mark.parametrize("number", range(1, 20))
def test_page_asked_for_is_the_same_when_stored_in_the_middle_of_a_redirect(number: int) -> None:
    parameters = VerifierParameters(order="random")
    verifier = SiteVerifier(HOST + "/", parameters)
    verifier.observe(HOST + "/", 0.1, [f"{HOST}/{n}" for n in range(20)])
    asked = verifier.next_page()
    target = f"{HOST}/{number}"
    assert asked is not None
    assert verifier.redirected(asked, target) == (target != asked)
    again = load_verifier(dump_verifier(verifier), parameters)
    assert again.next_page() == asked
    again.observe(asked, 0.1)
    assert again.next_page() not in (None, asked, target)


def test_verification_that_is_stored_before_its_first_page_has_no_verdict() -> None:
    parameters = VerifierParameters(num_rel_pages=2, num_exp_pages=1)
    again = load_verifier(dump_verifier(SiteVerifier(HOST + "/", parameters)), parameters)
    assert (again.verdict, again.next_page()) == (None, HOST + "/")


@pytest.mark.parametrize("text", ["", "null", "[]", "{}", '{"format": 9}', '{"format": 1, "origin": "", "urls": [], "expanded": []}'])  # fmt: skip
def test_stored_text_that_is_no_verification_is_a_state_error(text: str) -> None:
    with pytest.raises(StateError):
        load_verifier(text, LITERAL)
