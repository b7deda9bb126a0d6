"""The frame of the app: which pages there are. Run with `streamlit run app.py`."""

import streamlit as st

from pages.ui import shell

st.set_page_config(page_icon="pages/ui/icon.svg", layout="wide")

page = shell.start(
    [
        st.Page("pages/home.py", title="Home", icon=":material/home:", default=True),
        st.Page("pages/train.py", title="Train", icon=":material/model_training:"),
        st.Page("pages/encode.py", title="Encode", icon=":material/data_object:"),
        st.Page("pages/compare.py", title="Compare", icon=":material/compare_arrows:"),
    ]
)
page.run()
