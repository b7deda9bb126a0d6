"""The pages of the app, one script each, and in `pages.ui` what they share."""
