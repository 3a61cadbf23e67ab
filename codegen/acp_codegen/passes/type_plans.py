"""How a value of one type becomes a value of another: the plans of fields and aliases."""

from __future__ import annotations

from ..errors import CodegenError
from ..ir import Choice, ListOf, MapOf, Nullable, Ref, Scalar, Type
from ..runtime import _plans as plans
from .counterparts import Counterparts
from .shapes import is_anything, opened, plain, shape_name

_NO_PLAN_FOR = ("min_length", "max_length", "pattern", "exclusive_minimum", "exclusive_maximum")


def plan_type(both: Counterparts, a: Type, b: Type, place: str) -> plans.Plan:
    """The plan from ``a`` to ``b``; ``place`` is what a rule calls it: ``Definition`` or ``Definition.field``."""
    if is_anything(b, both.targets):
        return None
    named = _plan_name(both, a, b) or _plan_name(both, plain(a, both.sources), plain(b, both.targets))
    if named is not None:
        return named
    a, b = _value(opened(a, both.sources)), _value(opened(b, both.targets))
    if isinstance(a, Choice) or isinstance(b, Choice):
        return _plan_choice(both, a, b, place)
    if isinstance(a, ListOf) and isinstance(b, ListOf) and a.max_items == b.max_items:
        item = plan_type(both, a.item, b.item, place)
        least = b.min_items or 0
        return plans.Each(item) if least <= (a.min_items or 0) else plans.Each(item, least, both.narrowing(place))
    if isinstance(a, MapOf) and isinstance(b, MapOf):
        return plans.Members(plan_type(both, a.value, b.value, place))
    if (
        isinstance(a, Scalar)
        and isinstance(b, Scalar)
        and (a.kind == b.kind or (a.kind, b.kind) == ("integer", "number"))
    ):
        return _plan_scalar(both, a, b, place)
    if a == b and not isinstance(a, Ref):
        return None
    raise both.other_type(place)


def _plan_name(both: Counterparts, a: Type, b: Type) -> str | None:
    """The definition whose row converts ``a`` to ``b``."""
    if not isinstance(a, Ref):
        return None
    belong = isinstance(b, Ref) and both.of(a.name) == b.name
    return both.want(a.name) if belong or both.explained.refused(a.name) is not None else None


def plan_alias(both: Counterparts, a: Type, b: Type, name: str, target: str) -> plans.Plan:
    """The plan of an alias; where its target takes less, the target's codec has the last word."""
    if is_anything(a, both.sources) and not is_anything(b, both.targets):
        return plans.Accepted(both.narrowing(name), target)
    plan = plan_type(both, _value(a), _value(b), name)
    loses_null = isinstance(a, Nullable) and not isinstance(b, Nullable)
    excludes = isinstance(a, Choice) and isinstance(b, Choice) and b.exclusive and not a.exclusive
    return plans.Accepted(both.narrowing(name), target, plan) if loses_null or excludes else plan


def _value(type_: Type) -> Type:
    return type_.inner if isinstance(type_, Nullable) else type_


def _plan_choice(both: Counterparts, a: Type, b: Type, place: str) -> plans.Plan:
    goals = b.options if isinstance(b, Choice) else (b,)
    choices = a.options if isinstance(a, Choice) else (a,)
    options = [plans.Option(shape_name(option), _plan_option(both, option, goals, place)) for option in choices]
    if all(option.plan is None for option in options):
        return None
    if len(options) == 1:
        return options[0].plan
    if not all(option.shape for option in options):
        raise both.other_type(place)
    return plans.FirstOf(tuple(options))


def _plan_option(both: Counterparts, option: Type, goals: tuple[Type, ...], place: str) -> plans.Plan:
    """The plan to the first alternative that there is one for."""
    errors: list[CodegenError] = []
    for goal in goals:
        try:
            return plan_type(both, option, goal, place)
        except CodegenError as error:
            errors.append(error)
    raise errors[0]


def _plan_scalar(both: Counterparts, a: Scalar, b: Scalar, place: str) -> plans.Plan:
    one, other = a.bounds, b.bounds
    if any(getattr(other, name) not in (None, getattr(one, name)) for name in _NO_PLAN_FOR):
        raise both.other_type(place)
    higher = other.minimum is not None and (one.minimum is None or one.minimum < other.minimum)
    lower = other.maximum is not None and (one.maximum is None or one.maximum > other.maximum)
    if not (higher or lower):
        return None
    return plans.Limits(both.narrowing(place), other.minimum if higher else None, other.maximum if lower else None)
