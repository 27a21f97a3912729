"""Pictures of counts: Figure 2 and Table 1 of Chan & Yamana 2010, for any list of addresses."""

from __future__ import annotations

from pathlib import Path

from crawler_project.core.errors import ConfigurationError
from crawler_project.seeding.count_table import REST, CountTable

FORMATS = (".png", ".svg", ".pdf")
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#E69F00", "#56B4E9", "#CC79A7", "#000000", "#7F7F7F")
"""Okabe and Ito 2008, less their yellow; as in the reports."""
_ROWS, _COLUMNS = 15, 7


def check_picture(path: Path) -> None:
    """Raise :class:`ConfigurationError` when there is no such format of picture."""
    if path.suffix.lower() not in FORMATS:
        raise ConfigurationError(f"picture={str(path)!r} is of no known format; allowed: {', '.join(FORMATS)}")


def draw_counts(table: CountTable, path: Path, title: str) -> None:
    """Draw the largest rows as horizontal bars, columns stacked in them; the format is that of the file's name.

    Departure: bars where Figure 2 of Chan & Yamana is a pie, because lengths can be compared.
    """
    check_picture(path)
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    shown = table.narrowed(_ROWS, _COLUMNS)
    rows = sorted(shown.rows(), key=lambda row: row == REST)
    columns = sorted(shown.columns(), key=lambda column: column == REST)
    with rc_context({"svg.hashsalt": "crawler_project", "text.parse_math": False}):
        figure = Figure(figsize=(7, 1.2 + 0.32 * max(len(rows), 3)), layout="constrained")
        axes = figure.subplots()
        labels = [_label(row) for row in rows]
        left = [0] * len(rows)
        for number, column in enumerate(columns):
            sizes = [shown.cells[row, column] for row in rows]
            axes.barh(
                labels, sizes, left=left, label=_label(column), color=_COLOURS[number % len(_COLOURS)], height=0.7
            )
            left = [begin + size for begin, size in zip(left, sizes, strict=True)]
        for row, total in enumerate(left):
            axes.text(total, row, f" {total:,} ({total / max(table.total, 1):.1%})", va="center", fontsize=8)
        axes.invert_yaxis()
        axes.margins(x=0.2)
        axes.spines[["top", "right"]].set_visible(False)
        axes.set(title=title, xlabel=f"addresses (of {table.total:,})", ylabel=table.row_title)
        if len(columns) > 1:
            axes.legend(title=table.column_title, fontsize=8)
        figure.savefig(path, dpi=120, metadata={"Date": None} if path.suffix.lower() == ".svg" else None)


def _label(name: str) -> str:
    """The picture's font has Latin letters only; domains in other letters have an ASCII name, too."""
    if name.isascii():
        return name
    try:
        return name.encode("idna").decode()
    except UnicodeError:
        return name.encode("ascii", "backslashreplace").decode()
