"""Streamlit, with trainings that ask for very many merges held until they are cancelled."""

from streamlit.web import cli

from pages.ui import training
from tests.held_trainings import HeldTrainings

HELD_MERGES = 50_000

if __name__ == "__main__":
    training.train_with = HeldTrainings(held=True, from_merges=HELD_MERGES)
    cli.main()
