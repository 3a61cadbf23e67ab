"""Which files of a generated package go with which editions.

An edition is a folder, a pair of editions that convert into each other is a module, and one short table joins the
pairs that are there. So a package of some editions is made of the same files as the package of all.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from .rulebook.kinds import NEWER, OLDER

# runtime modules that only session folding, or only conversion between editions needs
SESSION_RUNTIME = ("_fold.py", "_session.py")
BRIDGE_RUNTIME = (
    "_plans.py",
    "_conversion.py",
    "_conversion_session.py",
    "_conversion_setup.py",
    "_converter.py",
    "_relay.py",
    "_old_agent.py",
    "_new_agent.py",
    "_terminal_text.py",
    "_proxy.py",
)
BRIDGE = "bridge.py"
BRIDGE_TABLE = "_conversions.py"
SENTINEL = "_unset.py"
SESSION = "session.py"

Pair = tuple[str, str]


def pairs(editions: Collection[str]) -> list[Pair]:
    """The older and the newer edition of every pair that the rule book speaks of."""
    return [(OLDER, newer) for newer in NEWER if OLDER in editions and newer in editions]


def pair_module(pair: Pair) -> str:
    """The name of the module with both directions of a pair."""
    return "_conversions_" + "_".join(pair)


def pairs_in(paths: Collection[str]) -> list[Pair]:
    """The pairs whose module is among the files of a package."""
    return [pair for pair in pairs((OLDER, *NEWER)) if f"{pair_module(pair)}.py" in paths]


def belonging(paths: Iterable[str], editions: Collection[str], chosen: Collection[str]) -> list[str]:
    """Of the files of a package of ``editions`` those that a package of the ``chosen`` ones has."""
    present = set(paths)
    joined = pairs(chosen)
    left_out = {f"{pair_module(pair)}.py" for pair in pairs(editions) if pair not in joined}
    if not joined:
        left_out |= {BRIDGE, BRIDGE_TABLE, *BRIDGE_RUNTIME}
    if not any(f"{edition}/{SESSION}" in present for edition in chosen):
        left_out |= {*SESSION_RUNTIME}
    folders = set(editions) - set(chosen)
    return sorted(path for path in present - left_out if path.split("/")[0] not in folders)
