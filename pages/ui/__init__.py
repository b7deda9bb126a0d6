"""What the pages share: frame, state, caches, view models, charts and browser components."""
