"""docs/verification.md and docs/metasearch.md say what the code does."""

from __future__ import annotations

import re
import textwrap
from dataclasses import fields
from pathlib import Path

from crawler_project.exporters.site_files import SITE_COLUMNS, SitePageRow
from crawler_project.metasearch.found_sites import Finding
from crawler_project.metasearch.make_provider import PROVIDERS
from crawler_project.relevance.rules.rule_file import parse_rules, shipped_rules
from crawler_project.verification.heuristic import NEW_CLASS
from crawler_project.verification.verdict import REASONS
from crawler_project.verification.verifier_parameters import VerifierParameters

DOCS = Path(__file__).resolve().parents[2] / "docs"


def text_of(page: str) -> str:
    return (DOCS / page).read_text(encoding="utf-8")


def test_verification_page_names_parameters_columns_and_reasons() -> None:
    page = text_of("verification.md")
    names = [
        *(field.name for field in fields(VerifierParameters)),
        *SITE_COLUMNS,
        *(field.name for field in fields(SitePageRow)),
        *REASONS,
        *NEW_CLASS,
    ]
    assert [name for name in names if f"`{name}`" not in page and f"`{name}=" not in page] == []


def test_verification_page_has_the_defaults_of_the_code() -> None:
    page = text_of("verification.md")
    default, literal = VerifierParameters(), VerifierParameters(classes="literal")
    assert f"| {default.page_threshold}, {default.num_rel_pages}, {default.num_exp_pages} |" in page
    assert f"| `new_class` | `{default.new_class}` | `{literal.new_class}` |" in page
    assert f"| `early_no` | `{str(default.early_no).lower()}` | `{str(literal.early_no).lower()}` |" in page


def test_rule_file_of_the_verification_page_is_right() -> None:
    example = re.search(r"```toml\n(.*?)```", text_of("verification.md"), re.DOTALL)
    assert example
    rules = parse_rules(textwrap.dedent(example[1]), "example.toml")
    assert rules.score_text("A watch with a strap, $30").relevance == 1.0
    assert rules.score_text("watch video with a strap, $30").relevance < 0.5


def test_shipped_rules_are_named_on_the_verification_page() -> None:
    page = text_of("verification.md")
    assert {name.rpartition("-")[0] for name in shipped_rules()} == {"bookshop", "mobile-phone"}
    assert [name for name in shipped_rules() if name.startswith("bookshop") and f"`{name}`" not in page] == []


def test_metasearch_page_names_providers_and_columns() -> None:
    page = text_of("metasearch.md")
    assert [name for name in PROVIDERS if f"| `{name}" not in page] == []
    assert [name for name in Finding._fields if f"`{name}`" not in page] == []
