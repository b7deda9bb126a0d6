"""Charts as Plotly figures, built from plain numbers. Labels are escaped: Plotly reads HTML."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from typing import Any

import plotly.graph_objects as go

# Told apart by dash and marker too, so that colour is never the only sign.
_DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
_GREY = "#b4bac4"  # dark text on it can be read, beside the light and the dark page
_MARKERS = ("circle", "square", "diamond", "triangle-up", "cross", "star")


def literal(text: str) -> str:
    """Escape text so that Plotly shows it as it is.

    >>> literal("a<br>&amp;")
    'a&lt;br&gt;&amp;amp;'
    """
    return html.escape(text, quote=False)


def lines(
    series: Mapping[str, tuple[Sequence[float], Sequence[float]]],
    *,
    x_title: str,
    y_title: str,
    mark_points: bool = False,
    by_ratio: bool = False,
) -> go.Figure:
    """Draw one line a series, each of (x values, y values); names are shown literally.

    `by_ratio` spaces the x axis by ratio (logarithmically).
    """
    traces: list[dict[str, Any]] = []
    for number, (name, (xs, ys)) in enumerate(series.items()):
        traces.append(
            {
                "type": "scatter",
                "mode": "lines+markers" if mark_points else "lines",
                "name": literal(name),
                "x": list(xs),
                "y": list(ys),
                "line": {"dash": _DASHES[number % len(_DASHES)], "width": 2.5},
                "marker": {"symbol": _MARKERS[number % len(_MARKERS)], "size": 8},
                "hovertemplate": f"%{{x:,}}: %{{y:,.3~f}}<extra>{literal(name)}</extra>",
            }
        )
    layout = {
        "xaxis": {
            "title": {"text": x_title},
            "tickformat": ",",
            "type": "log" if by_ratio else "linear",
            **({"dtick": "D2"} if by_ratio else {}),
        },
        "yaxis": {"title": {"text": y_title}, "tickformat": ",~r", "rangemode": "tozero"},
        "legend": {"orientation": "h", "y": 1.12, "x": 0},
        "margin": {"l": 60, "r": 16, "t": 24, "b": 48},
        "height": 340,
        "showlegend": len(series) > 1,
        "hovermode": "x unified" if len(series) > 1 else "closest",
    }
    return go.Figure({"data": traces, "layout": layout})


def heat_map(
    values: Sequence[Sequence[float | None]],
    *,
    columns: Sequence[str],
    rows: Sequence[str],
    unit: str,
    grey: Sequence[Sequence[bool]] = (),
) -> go.Figure:
    """Draw numbers as a table of coloured cells, the first row on top; labels are literal.

    `grey` marks those that cannot be compared: they get an asterisk, and take no part in the scale.
    """
    is_grey = grey or [[False] * len(row) for row in values]
    cells = [list(zip(row, marks, strict=True)) for row, marks in zip(values, is_grey, strict=True)]
    trace = {
        "type": "heatmap",
        "x": list(range(len(columns))),  # by number: two labels may be alike
        "y": list(range(len(rows))),
        "texttemplate": "%{text}",
        "customdata": [[literal(name) for name in columns]] * len(rows),
        "hovertemplate": f"%{{customdata}}: %{{text}} {literal(unit)}<extra></extra>",
        "hoverongaps": False,  # else one layer answers for cells of the other
        "xgap": 2,
        "ygap": 2,
    }
    coloured = {
        "text": [["" if marked else _cell_text(value) for value, marked in row] for row in cells],
        "z": [[None if marked else value for value, marked in row] for row in cells],
        "colorbar": {"title": {"text": literal(unit), "side": "right"}},
    }
    uncoloured = {
        "text": [[f"{_cell_text(n)} *" if marked else "" for n, marked in row] for row in cells],
        "z": [[0 if marked else None for _, marked in row] for row in cells],
        "colorscale": [[0, _GREY], [1, _GREY]],
        "showscale": False,
        "textfont": {"color": "#12161d"},
    }
    layout = {
        "xaxis": {"side": "top", **_ticks(columns)},
        "yaxis": {"autorange": "reversed", **_ticks(rows)},
        "margin": {"l": 200, "r": 16, "t": 48, "b": 16},
        "height": 110 + 34 * len(rows),
    }
    has_grey = any(map(any, is_grey))
    traces = [trace | coloured, *([trace | uncoloured] if has_grey else [])]
    return go.Figure({"data": traces, "layout": layout})


def _cell_text(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _ticks(labels: Sequence[str]) -> dict[str, Any]:
    return {
        "tickvals": list(range(len(labels))),
        "ticktext": [literal(label) for label in labels],
        "showgrid": False,
        "zeroline": False,
    }
