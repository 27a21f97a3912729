"""Make the background texts that topics are trained against, from the demo's collection.

    python benchmarks/topic_make_background.py [demo/pages.jsonl.zst]

Writes crawler_project/relevance/topic/data/background.jsonl.zst: of each page that has some prose the first 1,500
characters, with address, language and source. The texts keep the licences of their sites (README.md beside the file).
"""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import zstandard

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from crawler_project.page.parse import parse_page

MOST_CHARACTERS = 1_500
LEAST_CHARACTERS = 200
OUT = ROOT / "crawler_project" / "relevance" / "topic" / "data" / "background.jsonl.zst"


def main() -> None:
    """Read the collection, write the background."""
    source = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "demo" / "pages.jsonl.zst"
    lines = []
    with source.open("rb") as file:
        stream = zstandard.ZstdDecompressor(max_window_size=1 << 27).stream_reader(file)
        for line in io.TextIOWrapper(stream, encoding="utf-8"):
            row = json.loads(line)
            page = parse_page(row["html"].encode("utf-8"), row["url"], content_type="text/html; charset=utf-8")
            text = f"{page.title}\n{page.prose}"[:MOST_CHARACTERS]
            if row["text_lang"] and len(page.prose) >= LEAST_CHARACTERS:
                kept = {"text": text, "language": row["text_lang"], "url": row["url"], "source": row["source"]}
                lines.append(json.dumps(kept, ensure_ascii=False))
    OUT.parent.mkdir(exist_ok=True)
    OUT.write_bytes(zstandard.ZstdCompressor(level=19).compress(("\n".join(lines) + "\n").encode("utf-8")))
    print(f"{len(lines):,} texts, {OUT.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
