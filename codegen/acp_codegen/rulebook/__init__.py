"""The rule book: every difference between the older and the newer editions that their schemas do not settle.

Most of a conversion needs no rule: what has the same shape is copied, records convert field by field, unions by tag.
"""

from __future__ import annotations

from . import session, setup
from .kinds import Rules

RULES: Rules = (*session.RULES, *setup.RULES)

BY_PRINCIPLE = {
    "TC-2": "a null or absent field of the source is absent from its normalised JSON",
    "TC-3": "fields convert one by one under the same tag",
    "TC-4": "a null that clears is refused where the target's field has no three states",
    "TC-5": "a null that clears an array is an empty array where the target's field has no three states",
    "TC-6": "so is null for _meta, and a null key where only the source merges",
    "CT-2": "an unknown variant is refused where the target's union is closed",
    "CT-4": "an unknown value is refused where the target's enum is closed",
    "MS-1": "fields convert one by one under the same tag",
    "MS-3": "fields convert one by one under the same tag",
    "MS-5": "a message without content is refused by the rule of MS-4, and null for _meta as in TC-6",
    "MS-6": "one message alone does not tell what was delivered before: the proxy's business",
    "PL-3": "the rule of PL-2 looks at the id",
    "MD-4": "fields convert one by one",
    "CF-4": "an unknown value is copied where the target's enum is open",
    "SI-1": "three states are copied where both sides have them",
    "US-1": "a null that clears is refused where the target's field has no three states",
    "UV-1": "an unknown variant is refused where the target's union is closed",
    "UV-2": "the source's codec keeps it as unknown",
    "PR-2": "the rule of PR-3 has nothing to complain about",
    "PR-4": "the rule of PR-3 looks for the subject",
    "IN-8": "the rule of IN-6 looks at authMethods; their unknown types are refused as in UV-1",
    "MC-3": "an unknown variant is refused where the target's union is closed",
    "PP-7": "an unknown value is refused where the target's enum is closed",
    "ER-2": "what to answer is the proxy's business",
    "BA-1": "no edition has a definition for batches: the proxy takes them apart",
}
"""Conversion rules that take no rule here, and why."""

__all__ = ["BY_PRINCIPLE", "RULES"]
