"""How hard the property tests try: ``HYPOTHESIS_PROFILE=long`` for a night, ``ci`` (the default) for every run."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis.strategies import SearchStrategy

# Time says nothing here: a busy machine may be slow to draw a whole session update. How many candidates are
# rejected does say something, and test_oracle.py measures it.
_PATIENT = [HealthCheck.too_slow, HealthCheck.data_too_large]

PROFILES = {
    "ci": settings(max_examples=150, derandomize=True, deadline=None, database=None, suppress_health_check=_PATIENT),
    "long": settings(max_examples=1000, deadline=None, suppress_health_check=_PATIENT),
}
# All editions go through one generator, so the newest one gets the examples of a short run.
_OLDER_EDITIONS = {"ci": 0.25, "long": 1.0}


def profile() -> settings:
    """The profile that the environment names."""
    return PROFILES[_name()]


def share_of_older_editions() -> float:
    """How many of the profile's examples an edition other than the newest gets."""
    return _OLDER_EDITIONS[_name()]


def _name() -> str:
    return os.environ.get("HYPOTHESIS_PROFILE", "ci")


def for_all(strategies: list[SearchStrategy[Any]], check: Callable[[Any], None], *, share: float = 1.0) -> None:
    """Run ``check`` on values drawn from each strategy: together a ``share`` of the profile's examples."""
    chosen = profile()
    examples = max(5, round(chosen.max_examples * share / len(strategies)))
    for strategy in strategies:

        @settings(chosen, max_examples=examples)
        @given(strategy)
        def holds(x: Any) -> None:
            check(x)

        holds()
