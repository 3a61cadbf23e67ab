"""Views of what changes the session state beside the updates, and of the answers that a client gives."""

from __future__ import annotations

from dataclasses import dataclass

from ..ir import Cancel, Feed, Feeder, Record, Union_
from ..passes.naming import snake
from .common import Model, py_type
from .literals import docstring, literal


@dataclass(frozen=True)
class FeedView:
    value: str  # "message.config_options"
    condition: str  # under which it feeds, or nothing
    slot: str
    kind: str
    unless_received: bool
    stored: str


@dataclass(frozen=True)
class InitialView:
    slot: str
    kind: str
    value: str


@dataclass(frozen=True)
class FeederView:
    function: str
    message: str
    feeds: list[FeedView]
    initial: list[InitialView]
    ends_run: bool


@dataclass(frozen=True)
class CancelView:
    place: str
    kind: str
    field: str
    value: str
    final: str
    key: str
    listed: str  # the slot that lists what is not covered, or nothing
    list: str  # its attribute
    condition: str


@dataclass(frozen=True)
class AnswerView:
    """A constructor for one way to answer a request."""

    function: str
    result: str
    field: str
    cls: str
    parameters: list[tuple[str, str]]
    doc: str


def feeder_view(feeder: Feeder) -> FeederView:
    feeds = [
        FeedView(
            f"message.{feed.path}",
            _feed_condition(feed),
            f"state.{feed.slot}" if feed.slot else "",
            literal(feed.slot),
            feed.unless_received,
            f"owned(message.{feed.path} or [])" if feed.value_is_list else f"owned(message.{feed.path})",
        )
        for feed in feeder.feeds
    ]
    initial = [
        InitialView(f"state.{slot}", literal(slot), f"CODEC.decode({literal(type_)}, {ascii(value)})")
        for slot, type_, value in feeder.initial
    ]
    return FeederView(f"apply_{snake(feeder.message)}", feeder.message, feeds, initial, feeder.ends_run)


def _feed_condition(feed: Feed) -> str:
    holder = f"message.{feed.path.rpartition('.')[0]}"
    tests = [f"isinstance({holder}, {feed.guard})"] if feed.guard else []
    tests += [f"{holder} is not None"] if feed.optional_holder else []
    tests += [f"message.{feed.path} is not None"] if feed.optional else []
    tests += [f"{literal(feed.slot)} not in state.received"] if feed.unless_received else []
    return " and ".join(tests)


def cancel_view(cancel: Cancel) -> CancelView:
    return CancelView(
        place=f"state.{cancel.kind}",
        kind=literal(cancel.kind),
        field=cancel.field,
        value=literal(cancel.value),
        final="(" + "".join(f"{literal(value)}, " for value in cancel.final) + ")",
        key=cancel.key,
        listed=f"state.{cancel.listed[0]}" if cancel.listed else "",
        list=cancel.listed[1] if cancel.listed else "",
        condition=" and key not in listed" if cancel.listed else "",
    )


def answer_views(model: Model) -> list[AnswerView]:
    """One constructor a variant, for results that are nothing but a choice."""
    views: list[AnswerView] = []
    for method in model.edition.methods:
        result = model.by_name.get(method.result or "")
        if method.side != "client" or not isinstance(result, Record):
            continue
        required = [field for field in result.fields if field.required]
        union = model.resolve(required[0].type) if len(required) == 1 else None
        if not isinstance(union, Union_):
            continue
        for variant in union.variants:
            record = model.by_name[variant.target]
            if isinstance(record, Record):
                views.append(
                    AnswerView(
                        f"{snake(result.name.removesuffix('Response'))}_{snake(variant.value)}",
                        result.name,
                        required[0].name,
                        record.name,
                        [(field.name, py_type(field.type)) for field in record.fields if field.required],
                        docstring(record.doc, 4),
                    )
                )
    return views
