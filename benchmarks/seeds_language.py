"""How often title and description, and the address, tell the language of a directory's branch.

::

    python benchmarks/seeds_language.py DIRECTORY.rdf[.zst] [--summary SUMMARY.json]

``--summary`` names a JSON with ``by_branch``, entries by branch, to compare the counts with. An entry counts for the text when its text has a letter of the branch's script; English titles and names are counted apart.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter, defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from crawler_project.core.target import Target
from crawler_project.relevance.language.anchors import AnchorIdentifier
from crawler_project.relevance.language.judges import make_language_judge
from crawler_project.seeding.address_language import identify_address
from crawler_project.seeding.damage import Damage
from crawler_project.seeding.forms import read_entries
from crawler_project.seeding.identify_rows import TextIdentifier

BRANCHES = {
    "Korean": ("ko", "[\uac00-\ud7a3\u1100-\u11ff\u3130-\u318f]"),
    "Japanese": ("ja", "[\u3040-\u30ff\u4e00-\u9fff]"),
    "Chinese_Simplified": ("zh", "[\u4e00-\u9fff]"),
    "Chinese_Traditional": ("zh", "[\u4e00-\u9fff]"),
    "Thai": ("th", "[\u0e00-\u0e7f]"),
    **{
        branch: (code, "")
        for branch, code in (
            ("Arabic", "ar"),
            ("Bahasa_Indonesia", "id"),
            ("Deutsch", "de"),
            ("Español", "es"),
            ("Français", "fr"),
            ("Hindi", "hi"),
            ("Italiano", "it"),
            ("Polski", "pl"),
            ("Português", "pt"),
            ("Russian", "ru"),
            ("Tiếng_Việt", "vi"),
            ("Türkçe", "tr"),
            ("Ukrainian", "uk"),
        )
    },
}
"""Code and letters of a branch; without letters it counts for the addresses only."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("directory")
    parser.add_argument("--summary", type=Path)
    arguments = parser.parse_args()
    anchors = AnchorIdentifier()
    by_text = TextIdentifier(make_language_judge("combined", Target(frozenset(), frozenset())), anchors)
    texts: dict[str, Counter[str]] = defaultdict(Counter)
    addresses: dict[str, Counter[str]] = defaultdict(Counter)
    branches: Counter[str] = Counter()
    for row in read_entries([arguments.directory], Damage()):
        parts = row.topic.split("/")
        branches["/".join(parts[: 3 if "World" in parts[:2] else 2])] += 1
        branch = [*parts, "", "", ""][2]
        if not row.topic.startswith("Top/World/") or branch not in BRANCHES:
            continue
        language, letters = BRANCHES[branch]
        if letters:
            has_letters = bool(re.search(letters, row.title + row.description))
            right = by_text(row.url, row.title, row.description).label == language
            texts[language].update(entries=1, with_letters=has_letters, right=has_letters and right)
        address = identify_address(row.url, anchors)
        addresses[f"{address.evidence.partition(' ')[0]} {address.score:.2f}"].update(
            entries=1, right=address.label == language
        )
    if arguments.summary:
        expected = json.loads(arguments.summary.read_text("utf-8"))["by_branch"]
        answer = "as in the summary" if branches == expected else f"not as in the summary: {expected}"
        print(f"{branches.total():,} entries in {len(branches)} branches, {answer}")
    for language, count in texts.items():
        share = count["right"] / max(count["with_letters"], 1)
        print(
            f"{language}: {count['entries']:,} entries, {count['with_letters']:,} with letters, {share:.1%} of them told right"
        )
    for kind, count in sorted(addresses.items()):
        print(
            f"by address, {kind}: {count['entries']:,} entries, {count['right'] / count['entries']:.1%} of their branch"
        )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
