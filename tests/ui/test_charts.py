"""The heat map: which cells are coloured, and what stands in them."""

from __future__ import annotations

from pages.ui import charts


def test_what_cannot_be_compared_is_grey_and_takes_no_part_in_the_scale() -> None:
    values = [[2.0, 13.75], [None, 3.0]]
    marks = [[False, True], [False, False]]
    figure = charts.heat_map(values, columns=["a", "b"], rows=["x", "y"], unit="u", grey=marks)
    coloured, uncoloured = figure.to_dict()["data"]
    assert coloured["z"] == [[2.0, None], [None, 3.0]]
    assert coloured["text"] == [["2.00", ""], ["–", "3.00"]]
    assert uncoloured["z"] == [[None, 0], [None, None]]
    assert uncoloured["text"] == [["", "13.75 *"], ["", ""]]


def test_without_marks_there_is_one_layer() -> None:
    figure = charts.heat_map([[1.0]], columns=["a"], rows=["x"], unit="u")
    assert [layer["text"] for layer in figure.to_dict()["data"]] == [[["1.00"]]]
