"""Views of ``session.py``: state classes, handlers and the tables of the algebra."""

from __future__ import annotations

from dataclasses import dataclass

from ..ir import (
    Entity,
    Enum,
    ListOf,
    Operation,
    Ref,
    Scalar,
    SessionModel,
    StoredField,
    Type,
    Union_,
    Values,
)
from ..passes.naming import snake
from .common import Model, py_type
from .literals import docstring, literal
from .session_messages import AnswerView, CancelView, FeederView, answer_views, cancel_view, feeder_view
from .types import python_value


@dataclass(frozen=True)
class StateFieldView:
    name: str
    annotation: str
    default: str
    doc: str
    kind: str  # "replace" | "merge" | "keep" | "latest" | "set" | "bytes"
    is_spoken: bool  # every update speaks of it
    expected: bool  # agents should send it with the first report
    reset: str  # what makes the initial value
    wrap: str  # class of the update's value that holds the bytes, or nothing
    inner: str  # attribute of the update's value that holds the bytes, or nothing
    apply: str  # expression for the stored value, given x
    whole: str  # the same where x is part of an update that carries the whole entry


@dataclass(frozen=True)
class EntityView:
    place_name: str
    name: str
    payload: str
    doc: str
    key: str
    key_annotation: str
    timeline: str
    is_optional: bool  # a slot that is None until it is first heard of
    whole: str  # class of the update that carries all of it, or nothing
    of_chunks: bool
    fields: list[StateFieldView]


@dataclass(frozen=True)
class HandlerView:
    kind: str  # the operation
    function: str
    tag: str
    payload: str
    classes: list[str]
    annotation: str
    place_name: str
    place: str  # "state.tool_calls"
    key: str  # "update.tool_call_id"
    key_name: str
    source: str
    source_name: str
    target: str
    state: str
    timeline: str  # a literal, or nothing
    timeline_name: str  # a literal always
    changed: str  # the fields that a set reports
    is_bytes: bool
    value: str  # what a set stores
    needed: list[str]  # fields that a new entity must have from its first update
    chunk_key: str  # attribute of a chunk that names the entity
    value_type: str  # definition that a snapshot's value is encoded as
    keys: str  # wire names of a snapshot's JSON form
    optional_slot: bool
    unkeyed: bool  # a chunk may come without an id
    fields: list[StateFieldView]


@dataclass(frozen=True)
class AttributeView:
    """One attribute of ``SessionState`` or of one of its groups."""

    name: str
    annotation: str
    factory: str

    @property
    def default(self) -> str:
        return f" = field(default_factory={self.factory})" if self.factory else " = None"


@dataclass(frozen=True)
class GroupView:
    name: str
    attributes: list[AttributeView]


@dataclass(frozen=True)
class SessionView:
    entities: list[EntityView]
    groups: list[GroupView]
    attributes: list[AttributeView]
    handlers: list[HandlerView]
    chunks: list[HandlerView]
    snapshots: list[HandlerView]
    feeders: list[FeederView]
    cancels: list[CancelView]
    answers: list[AnswerView]
    union: str
    unknown: str
    has_run: bool  # some chunks may come without an id


def session_view(session: SessionModel, model: Model) -> SessionView:
    entities = [_entity(entity, model) for entity in session.entities]
    handlers = [_handler(operation, model) for operation in session.operations]
    groups, attributes = _attributes(session, model)
    unknown = next((member.cls for member in model.members(session.union) if member.is_unknown and not member.tags), "")
    return SessionView(
        entities,
        groups,
        attributes,
        handlers,
        [handler for handler in handlers if handler.kind in ("append", "append_bytes")],
        [handler for handler in handlers if handler.kind in ("replace", "set")],
        [feeder_view(feeder) for feeder in session.feeders],
        [cancel_view(cancel) for cancel in session.cancels],
        answer_views(model),
        session.union,
        unknown,
        any(operation.unkeyed for operation in session.operations),
    )


def _entity(entity: Entity, model: Model) -> EntityView:
    return EntityView(
        literal(entity.kind),
        entity.state_name,
        entity.payload.name,
        (
            f'"""What is known of one entry of ``{entity.kind}``."""'
            if entity.key
            else f'"""What is known as ``{entity.kind}``."""'
        ),
        entity.key.name if entity.key else "",
        py_type(entity.key.type) if entity.key else "",
        literal(entity.timeline),
        _is_optional(entity),
        entity.whole.name if entity.whole else "",
        entity.of_chunks,
        [_field(stored, model) for stored in entity.fields],
    )


def _is_optional(entity: Entity) -> bool:
    """A slot with required fields has no state before its first update."""
    return entity.key is None and any(stored.how == "set" and not stored.has_reset for stored in entity.fields)


def _field(stored: StoredField, model: Model) -> StateFieldView:
    field = stored.field
    annotation, default, reset, apply, wrap = _storing(stored, model)
    return StateFieldView(
        name=field.name,
        annotation=annotation,
        default=f" = {default}" if default else "",
        doc=docstring(field.doc, 4),
        kind=stored.how,
        is_spoken=stored.how in ("set", "latest"),
        expected=bool(field.keyword("x-expected")),
        reset=reset,
        wrap=wrap,
        inner=stored.inner,
        apply=apply,
        whole=_whole(reset, apply),
    )


def _whole(reset: str, apply: str) -> str:
    initial = "[]" if reset == "list[Any]" else reset.removeprefix("lambda: ")
    return apply if initial == "None" else f"{initial} if x is None else {apply}"


def _storing(stored: StoredField, model: Model) -> tuple[str, str, str, str, str]:
    """Annotation, default, maker of the initial value, stored form of x, and the class that holds bytes in an update."""
    type_ = stored.field.type
    inner = py_type(type_)
    if stored.how == "bytes":
        assert isinstance(type_, Ref)
        return "bytearray", "field(default_factory=bytearray)", "bytearray", "", type_.name
    copied = "owned(x)" if _is_mutable(type_, model) else "x"
    if stored.has_reset:
        reset = python_value(stored.reset, type_, model)
        if isinstance(type_, ListOf):
            factory = f"list[{py_type(type_.item)}]" if reset == "[]" else f"lambda: {reset}"
            made = "list[Any]" if reset == "[]" else f"lambda: {reset}"
            stored_form = copied if stored.how == "keep" else f"{reset} if x is None else {copied}"
            return inner, f"field(default_factory={factory})", made, stored_form, ""
        stored_form = copied if stored.how in ("set", "keep") else f"{reset} if x is None else {copied}"
        return inner, reset, f"lambda: {reset}", stored_form, ""
    if stored.how == "set":
        return inner, "", "lambda: None", copied, ""
    annotation = inner if inner == "Any" else f"{inner} | None"
    if stored.how == "merge":
        return annotation, "None", "lambda: None", f"merged(entry.{stored.field.name}, x)", ""
    return annotation, "None", "lambda: None", copied, ""


def _is_mutable(type_: Type, model: Model) -> bool:
    """Whether values may be or hold lists and dictionaries of the caller."""
    found = model.resolve(type_)
    return found == Scalar("any") or not isinstance(found, (Scalar, Values, Enum))


def _handler(operation: Operation, model: Model) -> HandlerView:
    update = operation.update
    entity = operation.entity
    classes = [member.cls for member in model.members(update.target)]
    payload = model.by_name[update.target]
    source_type = None
    for field in getattr(payload, "fields", ()):
        if field.name == operation.source:
            source_type = field.type
    return HandlerView(
        operation.op,
        snake(update.tag),
        literal(update.tag),
        update.target,
        classes,
        "Any" if len(classes) > 1 else update.target,
        literal(operation.kind),
        f"state.{operation.kind}",
        f"update.{operation.key}" if operation.key else "",
        entity.key.name if entity and entity.key else operation.key.rpartition(".")[2],
        f"update.{operation.source}" if operation.source else "update",
        operation.source,
        operation.target,
        entity.state_name if entity else "",
        literal(operation.timeline) if operation.timeline else "",
        literal(operation.timeline),
        f"({literal(operation.source)},)" if operation.source else "()",
        operation.op == "append_bytes",
        _set_value(operation),
        _needed(entity) if operation.op in ("upsert", "patch") else [],
        operation.key,
        literal(_value_type(source_type, update.target)),
        _keys(update.target, model) if source_type is None else "()",
        bool(entity and _is_optional(entity)),
        operation.unkeyed,
        [_field(stored, model) for stored in entity.fields] if entity else [],
    )


def _set_value(operation: Operation) -> str:
    return f"owned(update.{operation.source})" if operation.source else "owned_update(update)"


def _needed(entity: Entity | None) -> list[str]:
    return (
        [stored.field.name for stored in entity.fields if stored.how == "set" and not stored.has_reset]
        if entity
        else []
    )


def _value_type(source: Type | None, target: str) -> str:
    if isinstance(source, ListOf):
        source = source.item
    return source.name if isinstance(source, Ref) else target


def _keys(name: str, model: Model) -> str:
    """Every wire name that a union's variants have, discriminators first; free-form extension data aside."""
    definition = model.by_name[name]
    wires: dict[str, None] = {}
    for member in model.members(name):
        wires.update(dict.fromkeys(wire for wire, _ in member.tags))
    if isinstance(definition, Union_):
        for member in model.members(name):
            record = model.by_name.get(member.cls)
            for field in getattr(record, "fields", ()):
                if not field.wire.startswith("_"):
                    wires.setdefault(field.wire)
    return "(" + "".join(f"{literal(wire)}, " for wire in wires) + ")"


def _attributes(session: SessionModel, model: Model) -> tuple[list[GroupView], list[AttributeView]]:
    """The attributes of the state, in the order in which the updates name them; ``a.b`` is b of a group a."""
    groups: dict[str, list[AttributeView]] = {}
    attributes: dict[str, AttributeView] = {}
    for operation in session.operations:
        if operation.op == "event":
            continue
        annotation, factory = _storage(operation, model)
        root, _, space = operation.kind.partition(".")
        if space:
            members = groups.setdefault(root, [])
            if all(member.name != space for member in members):
                members.append(AttributeView(space, annotation, factory))
            group = root.replace("_", " ").title().replace(" ", "") + "State"
            attributes.setdefault(root, AttributeView(root, group, group))
        else:
            attributes.setdefault(root, AttributeView(root, annotation, factory))
    views = [
        GroupView(root.replace("_", " ").title().replace(" ", "") + "State", members)
        for root, members in groups.items()
    ]
    return views, list(attributes.values())


def _storage(operation: Operation, model: Model) -> tuple[str, str]:
    """Annotation and factory of what an operation writes to."""
    entity = operation.entity
    if entity is not None:
        if entity.key is not None:
            annotation = f"dict[{py_type(entity.key.type)}, {entity.state_name}]"
            return annotation, annotation
        if _is_optional(entity):
            return f"{entity.state_name} | None", ""
        return entity.state_name, entity.state_name
    payload = model.by_name[operation.update.target]
    stored = operation.update.target
    for field in getattr(payload, "fields", ()):
        if field.name == operation.source:
            stored = py_type(field.type)
            if isinstance(field.type, ListOf):
                return stored, stored
    if operation.op == "replace":
        return f"dict[str, {stored}]", f"dict[str, {stored}]"
    return f"{stored} | None", ""
