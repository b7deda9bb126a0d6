"""The token view: texts with their tokens, as text, pieces, ids or bytes, with details of each.

This is its Python face: it turns encodings into the component's data. The drawing is done by the
JavaScript modules beside it, which are sent the data once and need no rerun of the script.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import streamlit as st

from bpe.normalizers import well_formed
from pages.ui.components.assets import join_modules, join_styles
from pages.ui.view_models import faces, segments

if TYPE_CHECKING:
    from bpe import Encoding, Tokenizer, TrainingRun

View: TypeAlias = Literal["text", "pieces", "ids", "bytes"]

_HERE = Path(__file__).parent
_TOKENS = _HERE.parent / "tokens"
MODULES = (
    *(_TOKENS / name for name in ("tokens.js", "details.js")),
    *(
        _HERE / f"{name}.js"
        for name in (
            "row_data",
            "piece_drawing",
            "row_view",
            "layout",
            "copying",
            "tooltip",
            "panel",
            "roving",
            "view_switch",
            "token_view",
        )
    ),
)

_component = st.components.v2.component(
    "token_view",
    js=join_modules(MODULES),
    css=join_styles([_TOKENS / "tokens.css", _HERE / "token_view.css"]),
)


@dataclass(frozen=True, slots=True)
class TokenRow:
    """One text with its tokens; `name` and `note` stand above it, e.g. "512" and "12 tokens".

    `apart` are the places of tokens that end where not all rows it is compared with have a cut.
    """

    text: str
    encoding: Encoding
    name: str = ""
    note: str = ""
    apart: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class TokenColumn:
    """Rows whose ids all belong to one tokenizer, or to smaller cuts of it.

    `tokenizer` must know every id of the rows: give the largest cut. The run, if there is one,
    tells the counts of the merges.
    """

    tokenizer: Tokenizer
    rows: Sequence[TokenRow]
    name: str = ""
    run: TrainingRun | None = None


@dataclass(frozen=True, slots=True)
class TokenBlock:
    """Columns under a title that is shown as it is, never as markup.

    They stand side by side, or stacked: each over the whole width, one under the other.
    """

    columns: Sequence[TokenColumn]
    title: str = ""
    is_stacked: bool = False


def text_data(
    tokenizer: Tokenizer,
    text: str,
    encoding: Encoding,
    *,
    run: TrainingRun | None = None,
    view: View = "text",
    label: str = "Tokens",
) -> bytes:
    """Make the data of a view of one text; `label` is the accessible name of its region."""
    column = TokenColumn(tokenizer, (TokenRow(text, encoding),), run=run)
    return blocks_data((TokenBlock((column,)),), view=view, label=label)


def blocks_data(
    blocks: Sequence[TokenBlock], *, view: View = "text", label: str = "Tokens"
) -> bytes:
    """Make the data of a view that compares: a block a sentence, a column a base, a row a size."""
    face_sets: list[Any] = []
    content = {
        "view": view,
        "label": label,
        "blocks": [_block(block, face_sets) for block in blocks],
        "faces": face_sets,
    }
    packed = _packed(content)
    return _packed({"sig": sha256(packed).hexdigest()[:16], **content})


def token_view(data: bytes, *, key: str) -> None:
    """Show the view that `text_data` or `blocks_data` made; `key` must be unique on the page."""
    _component(key=key, data=data)


def _block(block: TokenBlock, face_sets: list[Any]) -> dict[str, Any]:
    columns = [_column(column, face_sets) for column in block.columns]
    return {"title": well_formed(block.title), "columns": columns, "stacked": block.is_stacked}


def _column(column: TokenColumn, face_sets: list[Any]) -> dict[str, Any]:
    ids = set(chain.from_iterable(row.encoding.ids for row in column.rows))
    face_sets.append(faces(column.tokenizer, ids, column.run))
    rows = [_row(row) for row in column.rows]
    return {"name": column.name, "faces": len(face_sets) - 1, "rows": rows}


def _row(row: TokenRow) -> dict[str, Any]:
    flat: list[int] = []
    for span in row.encoding.spans:
        flat += (span.token_id, span.byte_start, span.byte_end, span.char_start, span.char_end)
    cut = [
        text if segment.n_tokens == 1 else (text, segment.n_tokens)
        for segment in segments(row.text, row.encoding)
        for text in (well_formed(segment.text),)
    ]
    apart = {"apart": list(row.apart)} if row.apart else {}
    return {"name": row.name, "note": row.note, "tokens": flat, "segments": cut, **apart}


def _packed(content: dict[str, Any]) -> bytes:
    # As bytes the data is sent as it is; as JSON Streamlit would write it out on every rerun.
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()
