"""Charts as Plotly figures, built from plain numbers. Labels are escaped: Plotly reads HTML."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from typing import Any

import plotly.graph_objects as go

# Told apart by dash and marker too, so that colour is never the only sign.
_DASHES = ("solid", "dash", "dot", "dashdot")
_MARKERS = ("circle", "square", "diamond", "triangle-up")


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
) -> go.Figure:
    """Draw one line a series, each of (x values, y values); names are shown literally."""
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
        "xaxis": {"title": {"text": x_title}, "tickformat": ","},
        "yaxis": {"title": {"text": y_title}, "tickformat": ",~r", "rangemode": "tozero"},
        "legend": {"orientation": "h", "y": 1.12, "x": 0},
        "margin": {"l": 60, "r": 16, "t": 24, "b": 48},
        "height": 340,
        "showlegend": len(series) > 1,
        "hovermode": "x unified" if len(series) > 1 else "closest",
    }
    return go.Figure({"data": traces, "layout": layout})
