"""The catalogue of rules: what each kind of change means for whom.

The rules themselves are data in ``catalogue/``. ``docs/drift-rules.md`` is written from them, and a test runs every example.
"""

from __future__ import annotations

from .catalogue.definitions import DEFINITION_RULES
from .catalogue.enums import ENUM_RULES
from .catalogue.fields import FIELD_RULES
from .catalogue.locked import LOCKED_RULES
from .catalogue.methods import METHOD_RULES
from .catalogue.rule import Rule
from .catalogue.session import SESSION_RULES
from .catalogue.types import TYPE_RULES
from .catalogue.unions import UNION_RULES

# The catalogue in the order in which people read it.
GROUPS: dict[str, tuple[Rule, ...]] = {
    "Definitions": DEFINITION_RULES,
    "Fields": FIELD_RULES,
    "Types and constraints": TYPE_RULES,
    "Enums": ENUM_RULES,
    "Unions": UNION_RULES,
    "Methods and messages": METHOD_RULES,
    "Session annotations": SESSION_RULES,
    "Against the lock": LOCKED_RULES,
}

RULES: dict[str, Rule] = {rule.id: rule for rules in GROUPS.values() for rule in rules}
