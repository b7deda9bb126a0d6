"""Encode: a text in the tokens of the current tokenizer, at any vocabulary size."""

from hashlib import sha256

import streamlit as st

from bpe import BPEError, UnknownSymbolError
from pages.ui import cache, encode_controls, encode_panels, shell, state
from pages.ui.encoded_text import encode_text
from pages.ui.plain_text import plain
from pages.ui.size_controls import choose_size
from pages.ui.special_controls import choose_special
from pages.ui.url_values import one_of

shell.open_page(__file__)

in_use = encode_controls.tokenizer_in_use()
encode_controls.draw_sample_note(in_use)
state.linked(state.ENCODE_VIEW, one_of(encode_controls.VIEWS))

editor, settings = st.columns([3, 1], gap="medium")
with editor:
    text = encode_controls.text_box()
with settings:
    tokenizer = choose_size(in_use.tokenizer, in_use.key)
    allowed_special = choose_special(tokenizer)
    st.button(
        "Reset settings",
        on_click=encode_controls.reset,
        icon=":material/restart_alt:",
    )

if not text:
    encode_controls.offer_samples()
else:
    made_from = (in_use.key, tokenizer.n_tokens, allowed_special, text)
    key = sha256(repr(made_from).encode("utf-8", "surrogatepass")).hexdigest()
    try:
        with st.spinner("Encoding …"):
            encoded = cache.cached(
                "view",
                key,
                lambda: encode_text(
                    tokenizer, text, in_use.tokenizer, allowed_special=allowed_special
                ),
            )
    except UnknownSymbolError as error:
        encode_panels.draw_unknown_symbol(error, text)
    except BPEError as error:  # such as a regular expression that takes too long on this text
        st.error(plain(f"This text cannot be encoded: {error}"))
    else:
        encode_panels.draw_figures(encoded)
        encode_panels.draw_special(encoded)
        encode_panels.draw_tokens(encoded, in_use.run, key, encode_controls.n_resets())
        encode_panels.draw_round_trip(encoded)
        encode_panels.draw_more(encoded, in_use.run, key)
