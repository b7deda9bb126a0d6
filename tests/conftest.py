"""What every test shares: one Hypothesis profile, the same examples on every machine and run."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# Scripts that tests serve or run: importing one in search of doctests would run it.
collect_ignore_glob = ["*/apps/*"]

# Derandomized: a failure seen once is seen by everyone. No deadline: a test judges results, not
# the speed of the machine it happens to run on. No database: nothing is written to the work tree.
settings.register_profile(
    "reproducible",
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("reproducible")
