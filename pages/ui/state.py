"""All names of the session and the URL, and the only functions that read and write them.

A name is the `key` of a widget. Those in the URL (see `linked`) are public: people keep links, so
such a name is short, never changes its meaning and is never used again for another. Nobody else
touches the session, so that a store can be put behind this module.
"""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeVar

import streamlit as st

from pages.ui.training_job import Progress, TrainingJob
from pages.ui.url_values import Reader, written

if TYPE_CHECKING:
    from pages.ui.corpus import CorpusChoice

T = TypeVar("T")

# --- Train. In the URL, unless said otherwise.
CORPUS: Final = "corpus"
SAMPLE: Final = "sample"
TRAINING_TEXT: Final = "training_text"  # never in the URL: it is the user's own
WORD_COUNTS: Final = "word_counts"  # never in the URL
UPLOAD: Final = "upload"  # never in the URL
UPLOAD_COLUMN: Final = "upload_column"  # never in the URL
UPLOAD_REPLACE: Final = "upload_replace"  # never in the URL
BASE: Final = "base"
PATTERN: Final = "pattern"
CUSTOM_PATTERN: Final = "regex"
NORMALIZER: Final = "normalizer"
END_OF_WORD: Final = "end_of_word"
UNKNOWN_TOKEN: Final = "unknown_token"
MIN_FREQUENCY: Final = "min_frequency"
TIE_BREAK: Final = "tie_break"
SIZE_MODE: Final = "size_by"
VOCAB_SIZE: Final = "vocab_size"
NUM_MERGES: Final = "num_merges"
SPECIAL_TOKENS: Final = "special_tokens"
SENTENCE: Final = "sentence"  # never in the URL
TRAIN_BUTTON: Final = "train_button"
STAGE_WINDOW: Final = "stage_window"
STAGE_GOTO: Final = "stage_goto"
STAGE_SHOWN: Final = "stage_shown"
STAGE_WANTED: Final = "stage_wanted"
STAGE_TRACE: Final = "stage_trace"
STAGE_CORPUS: Final = "stage_corpus"
STAGE_NONCE: Final = "stage_nonce"
MERGE_LIST: Final = "merge_list"
RUN_PANELS: Final = "panel"
LAST_TRAINED: Final = "last_trained"

# --- Encode
ENCODE_TEXT: Final = "encode_text"  # never in the URL
ENCODE_VOCAB_SIZE: Final = "encode_vocab_size"
ENCODE_VIEW: Final = "view"
ENCODE_EXACT_SIZE: Final = "encode_exact_size"
ENCODE_SPECIAL: Final = "allow_special"
ENCODE_SPECIAL_ONLY: Final = "allow_special_only"
ENCODE_RESETS: Final = "encode_resets"
ENCODE_MORE: Final = "encode_more"
ENCODE_TREE: Final = "encode_tree"

# --- Compare
COMPARE_BY: Final = "compare_by"
COMPARE_TOKENIZERS: Final = "tokenizers"  # in the URL only those that come with the app
COMPARE_CORPUS: Final = "compare_corpus"
COMPARE_PATTERN: Final = "compare_pattern"
COMPARE_PRESET: Final = "preset"
COMPARE_SENTENCES: Final = "compare_sentences"  # never in the URL
COMPARE_SIZES: Final = "sizes"

# --- the frame and what is not a widget
CANCEL: Final = "cancel"
CHIP: Final = "chip"
CHIP_CURRENT: Final = "chip_current"
CHIP_NAME: Final = "chip_name"
IMPORT_FILES: Final = "import_files"
IMPORT_PATTERN: Final = "import_pattern"
IMPORT_EXPRESSION: Final = "import_expression"
IMPORT_NOTE: Final = "import_note"
IMPORT_DIALOG: Final = "import"
EXPORT_DIALOG: Final = "export"
_DIALOG: Final = "_dialog"
_N_DIALOGS: Final = "_n_dialogs"
_JOBS: Final = "_jobs"
_UPLOADED: Final = "_uploaded"
_LAST_CORPUS: Final = "_last_corpus"
_LOCALS: Final = "_locals"

# What the user types, or chose for an upload, stays when settings are reset.
_TEXTS: Final = MappingProxyType(
    {
        UPLOAD_REPLACE: True,
        SENTENCE: "lowest newer",
        ENCODE_TEXT: "The quick brown fox jumps over the lazy dog.\n"
        "Zwölf Boxkämpfer jagen Viktor.\n"
        "東京, שלום, नमस्ते, 12,345 tokens and a café 👩‍🚀",
    }
)

# What each page's settings are before anyone touches them, and after "Reset settings".
DEFAULTS: Final = MappingProxyType(
    {
        "train": MappingProxyType(
            {
                CORPUS: "sample",
                SAMPLE: "lowest",
                BASE: "char",
                PATTERN: "whitespace",
                CUSTOM_PATTERN: "",
                NORMALIZER: [],
                END_OF_WORD: "",
                UNKNOWN_TOKEN: True,
                MIN_FREQUENCY: 1,
                TIE_BREAK: "lexicographic",
                SIZE_MODE: "merges",
                VOCAB_SIZE: 300,
                NUM_MERGES: 10,
                SPECIAL_TOKENS: "",
            }
        ),
        "encode": MappingProxyType(
            {
                ENCODE_VOCAB_SIZE: None,
                ENCODE_VIEW: "text",
                ENCODE_SPECIAL: False,
                ENCODE_SPECIAL_ONLY: [],
            }
        ),
        "compare": MappingProxyType(
            {
                COMPARE_BY: "bases",
                COMPARE_TOKENIZERS: ["r50k_base", "cl100k_base", "o200k_base"],
                COMPARE_CORPUS: "languages",
                COMPARE_PATTERN: "gpt2",
                COMPARE_PRESET: "mixed",
                COMPARE_SIZES: "1500 2500 4000",
            }
        ),
    }
)


# --- values of widgets


def default(name: str) -> Any:
    """Give the value a setting has before anyone touches it; KeyError for an unknown name."""
    for settings in (*DEFAULTS.values(), _TEXTS):
        if name in settings:
            return settings[name]
    raise KeyError(name)


def value(name: str) -> Any:
    """Give what a widget holds, the default while it has not been drawn."""
    return st.session_state[name] if name in st.session_state else default(name)


def put(name: str, new: Any) -> None:
    """Set what a widget holds: in a callback, or before the widget is drawn."""
    st.session_state[name] = new


def linked(name: str, read: Reader, shared: Callable[[Any], Any] = lambda chosen: chosen) -> None:
    """Take a setting from the URL before its widget is first drawn, and keep the URL up to date.

    `read` gives None for what means nothing; then the default holds. The default never shows in
    the URL, and of other values only what is `shared`. (Streamlit's own `bind="query-params"`
    shows labels where options have ids, knows its own defaults only, and takes the setting back
    when the browser's Back leaves the URL bare.)
    """
    if name not in st.session_state:
        asked = st.query_params.get(name)
        found = None if asked is None else read(asked)
        put(name, default(name) if found is None else found)
    chosen = shared(st.session_state[name])
    if chosen is None or chosen == default(name):
        if name in st.query_params:
            del st.query_params[name]
    elif st.query_params.get(name) != written(chosen):
        st.query_params[name] = written(chosen)


def seed(name: str) -> None:
    """Give a widget its default before it is first drawn."""
    if name not in st.session_state:
        put(name, default(name))


def reset_settings(page: str) -> None:
    """Give a page's settings their defaults; what the user typed or trained stays.

    To be used as the `on_click` of "Reset settings".
    """
    for name, initial in DEFAULTS[page].items():
        put(name, initial)


def known(name: str) -> bool:
    """Tell whether a widget has been drawn or set in this session."""
    return name in st.session_state


def local(name: str, fingerprint: str, fresh: T) -> T:
    """Give what a page remembered under a name, `fresh` if it was about other inputs."""
    remembered: tuple[str, T] | None = st.session_state.get(_LOCALS, {}).get(name)
    return remembered[1] if remembered and remembered[0] == fingerprint else fresh


def remember(name: str, fingerprint: str, new: object) -> None:
    """Remember something about a page's inputs until their fingerprint changes."""
    st.session_state.setdefault(_LOCALS, {})[name] = (fingerprint, new)


# --- the one dialog that is open


def open_dialog(name: str) -> None:
    """Let a dialog be open from now on, also when the page runs again."""
    st.session_state[_DIALOG] = name
    st.session_state[_N_DIALOGS] = n_dialogs() + 1


def n_dialogs() -> int:
    """Count the dialogs opened so far: a popover that opens one is another one afterwards, closed.

    Else it would stay open, and cover the dialog.
    """
    number: int = st.session_state.get(_N_DIALOGS, 0)
    return number


def close_dialog() -> None:
    """Let no dialog be open."""
    st.session_state.pop(_DIALOG, None)


def dialog() -> str | None:
    """Name the dialog that is open, None if none is."""
    name: str | None = st.session_state.get(_DIALOG)
    return name


# --- the uploaded corpus: Streamlit forgets a file when its page is left


def keep_upload(corpus: CorpusChoice) -> None:
    """Keep the corpus that was made of an upload."""
    st.session_state[_UPLOADED] = corpus


def kept_upload() -> CorpusChoice | None:
    """Give the corpus of the files that were uploaded last, None if there is none."""
    kept: CorpusChoice | None = st.session_state.get(_UPLOADED)
    return kept


def forget_upload() -> None:
    """Let go of the uploaded corpus: the user took a file away or chose others."""
    st.session_state.pop(_UPLOADED, None)


def last_corpus() -> CorpusChoice | None:
    """Give the corpus that was trained on last, None if there is none."""
    corpus: CorpusChoice | None = st.session_state.get(_LAST_CORPUS)
    return corpus


def set_last_corpus(corpus: CorpusChoice) -> None:
    """Note the corpus that was trained on last, for other pages."""
    st.session_state[_LAST_CORPUS] = corpus


# --- work in the background, at most one piece a slot


def job(slot: str) -> TrainingJob[Any] | None:
    """Give the slot's job, running or ended, None if there is none."""
    found: TrainingJob[Any] | None = st.session_state.get(_JOBS, {}).get(slot)
    return found


def start_job(slot: str, key: str, work: Callable[[Progress], T]) -> TrainingJob[T]:
    """Start work in a slot; what else runs there is cancelled, unless it has the same key."""
    running = job(slot)
    if running is not None and running.key == key and not running.done:
        return running
    drop_job(slot)
    started = TrainingJob.start(work, key=key)
    st.session_state.setdefault(_JOBS, {})[slot] = started
    return started


def drop_job(slot: str) -> None:
    """Cancel the slot's job if it runs, and forget it."""
    dropped = st.session_state.get(_JOBS, {}).pop(slot, None)
    if dropped is not None and not dropped.done:
        dropped.cancel()
