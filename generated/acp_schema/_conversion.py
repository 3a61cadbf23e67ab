"""Conversion between two editions: carries out the generated tables over plain JSON, pointer in hand.

Strictly, the first thing that the target cannot say raises ``ConversionError``. With ``lossy`` a failure takes away the
smallest thing that may be missing: the item of an array, the optional field, else the whole message if nobody waits for
an answer to it. Each such loss is reported.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, NamedTuple, NoReturn

from ._careful import Run as CarefulRun
from ._careful import is_array
from ._codec import Codec
from ._errors import DecodeError, Issue, step
from ._messages import MethodSpec
from ._plans import (
    CLEAR,
    FIELD,
    MALFORMED,
    MISSING,
    UNKNOWN,
    Accepted,
    Alias,
    ByHand,
    Converted,
    Each,
    Fields,
    FirstOf,
    Limits,
    Member,
    Members,
    Omitted,
    Plan,
    Refused,
    Several,
    Slot,
    Table,
    Tags,
    Values,
)


class ConversionError(ValueError):
    """Something that the target edition cannot say; ``path`` points into the source's JSON."""

    def __init__(self, code: str, path: str, message: str) -> None:
        super().__init__(code, path, message)
        self.code = code
        self.path = path
        self.message = message

    def __str__(self) -> str:
        return f"{self.code} at {self.path or '(root)'}: {self.message}"


class Loss(NamedTuple):
    """Something that a conversion left out, or put something else in the place of."""

    code: str
    path: str
    what: str


@dataclass(frozen=True)
class Side:
    """What a conversion needs of one edition."""

    name: str
    protocol_version: int
    edition: Any  # the subpackage
    codec: Codec
    methods: Mapping[tuple[str, str, str], MethodSpec]
    homes: Mapping[str, str]  # the union of each class that is nothing but a variant

    def home(self, name: str) -> str:
        """The definition whose JSON a class has on its own."""
        return self.homes.get(name, name)

    def params(self, method: str, handler: str, kind: str) -> str | None:
        """The definition of a method's params."""
        spec = self.methods.get((method, handler, kind))
        return None if spec is None else self.codec.entry(spec.params).name

    def method(self, params: str, handler: str, kind: str) -> str | None:
        """The method that has these params."""
        return next(
            (
                key[0]
                for key in self.methods
                if key[1:] == (handler, kind) and self.params(*key) == params
            ),
            None,
        )


@dataclass(frozen=True)
class Link:
    """One direction between two editions."""

    source: Side
    target: Side
    table: Table
    droppable: frozenset[str]  # messages that a lossy conversion may leave out whole

    def target_name(self, name: str) -> str | None:
        """The target's definition for one of the source; None where there is none."""
        row = self.table.get(name)
        if row is None:
            return name
        return None if isinstance(row, Refused) else self.target.home(row.target)

    def target_method(self, method: str, handler: str, kind: str) -> str | None:
        """The target's method for one of the source; None where there is none."""
        params = self.source.params(method, handler, kind)
        target = None if params is None else self.target_name(params)
        return None if target is None else self.target.method(target, handler, kind)


def convert_message(
    link: Link, type: Any, data: object, *, lossy: bool, losses: list[Loss] | None, path: str = ""
) -> list[Converted]:
    """The whole of a conversion: normalise, convert, check; losses are reported only where it succeeds."""
    codec = link.source.codec
    name = codec.entry(type).name
    issues: list[Issue] = []
    try:
        value = codec.decode(name, data, issues=issues)
    except DecodeError as error:
        raise DecodeError(path + error.path, error.message) from None
    # Read and written again: what the source's rules salvage is gone, defaults are there, nothing is shared.
    normalised = codec.encode(value, name)
    run = Run(link, lossy, [Issue(path + issue.path, issue.message) for issue in issues])
    name = link.source.home(name)
    try:
        outputs = run.outputs(name, normalised, path)
    except ConversionError as error:
        if not lossy or name not in link.droppable:
            raise
        outputs = []
        run.losses[len(issues) :] = [_whole(error, path)]
    except RecursionError:
        raise DecodeError(path, "nested too deeply") from None
    if losses is not None:
        losses.extend(run.losses)
    return outputs


class Run:
    """One conversion under way. Hand-written rules get it as their first argument."""

    def __init__(self, link: Link, lossy: bool, malformed: Sequence[Issue] = ()) -> None:
        self.link = link
        self.lossy = lossy
        self.losses = [Loss(MALFORMED, issue.path, issue.message) for issue in malformed]
        self._malformed = {issue.path for issue in malformed}

    # ------------------------------------------------------------------------------------------- what cannot be said

    def fail(self, code: str, path: str, message: str) -> NoReturn:
        """Whatever encloses this cannot be said."""
        raise ConversionError(code, path, message)

    def lose(self, code: str, path: str, message: str) -> None:
        """This is left out, or replaced: strictly that is an error."""
        if not self.lossy:
            self.fail(code, path, message)
        self.losses.append(Loss(code, path, message))

    def lose_rest(self, data: Mapping[str, Any], path: str, known: Sequence[str]) -> None:
        """All members but these are left out."""
        for name in data:
            if name not in known:
                self.lose(FIELD, step(path, name), f"{self.link.target.name} has no place for it")

    def _leave_out(self, error: ConversionError, path: str, mark: int) -> None:
        """Strictly nothing is left out; else what was lost inside goes with it."""
        if not self.lossy:
            raise error
        self.losses[mark:] = [_loss(error, path)]

    # ------------------------------------------------------------------------------------------------------ messages

    def outputs(self, name: str, data: Any, path: str) -> list[Converted]:
        """All that a message becomes, checked against the target's schema."""
        result = self.definition(name, data, path)
        target = self.link.target_name(name) or name
        parts = result if isinstance(result, Several) else [result]
        outputs = [
            part if isinstance(part, Converted) else Converted(target, part) for part in parts
        ]
        for output in outputs:
            self._check(output, path)
        return outputs

    def _check(self, output: Converted, path: str) -> None:
        issues: list[Issue] = []
        try:
            self.link.target.codec.decode(output.type, output.data, issues=issues)
        except DecodeError as error:
            issues = [Issue(error.path, error.message)]
        if issues:
            issue = issues[0]
            message = f"{self.link.target.name} refuses the result at {issue.path or '(root)'}: {issue.message}"
            self.fail(FIELD, path, message)

    def nested(self, name: str, data: Any, path: str) -> list[Converted]:
        """A message inside a message, whose envelope says nothing about its type."""
        losses: list[Loss] = []
        outputs = convert_message(self.link, name, data, lossy=self.lossy, losses=losses, path=path)
        self.losses.extend(losses)
        return outputs

    # -------------------------------------------------------------------------------------------------------- values

    def definition(self, name: str, data: Any, path: str) -> Any:
        """A value of one definition."""
        row = self.link.table.get(name)
        if isinstance(row, Fields):
            return self._fields(row, data, path)
        if isinstance(row, Tags):
            return self._tags(row, data, path)
        if isinstance(row, Values):
            return self._enum(row, data, path)
        if isinstance(row, Alias):
            return self.value(row.plan, data, path)
        if isinstance(row, Refused):
            self.fail(row.code, path, f"{self.link.target.name} has no {name}")
        return data

    def value(self, plan: Plan, data: Any, path: str) -> Any:
        """A value by plan; null is no value of any."""
        if isinstance(plan, str):
            return self.definition(plan, data, path)
        if isinstance(plan, Each):
            return self._each(plan, data, path)
        if isinstance(plan, Members):
            return self._members(plan, data, path)
        if isinstance(plan, Limits):
            return self._limited(plan, data, path)
        if isinstance(plan, Accepted):
            return self._accepted(plan, data, path)
        if isinstance(plan, FirstOf):
            return self._first_of(plan, data, path)
        return plan.function(self, data, path) if isinstance(plan, ByHand) else data

    def _each(self, plan: Each, data: list[Any], path: str) -> list[Any]:
        result: list[Any] = []
        for index, item in zip(self._indexes(path, len(data)), data):
            place = f"{path}/{index}"
            mark = len(self.losses)
            try:
                value = self.value(plan.item, item, place)
            except ConversionError as error:
                self._leave_out(error, place, mark)
            else:
                result.append(value)
        if len(result) < plan.least:
            self.fail(
                plan.code, path, f"{self.link.target.name} wants at least {plan.least} item(s)"
            )
        return result

    def _indexes(self, path: str, count: int) -> list[int]:
        """Where the items stood before malformed ones were dropped: pointers are into the source's JSON."""
        indexes: list[int] = []
        index = 0
        while len(indexes) < count:
            if f"{path}/{index}" not in self._malformed:
                indexes.append(index)
            index += 1
        return indexes

    def _members(self, plan: Members, data: dict[str, Any], path: str) -> dict[str, Any]:
        result: dict[str, Any] = {}
        for name, member in data.items():
            place = step(path, name)
            mark = len(self.losses)
            try:
                result[name] = self.value(plan.value, member, place)
            except ConversionError as error:
                self._leave_out(error, place, mark)
        return result

    def _limited(self, plan: Limits, data: Any, path: str) -> Any:
        name = self.link.target.name
        if plan.minimum is not None and data < plan.minimum:
            self.fail(plan.code, path, f"{name} wants at least {plan.minimum}, not {data}")
        if plan.maximum is not None and data > plan.maximum:
            self.fail(plan.code, path, f"{name} wants at most {plan.maximum}, not {data}")
        return data

    def _accepted(self, plan: Accepted, data: Any, path: str) -> Any:
        result = self.value(plan.plan, data, path)
        if not fits(self.link.target.codec, plan.by, result):
            self.fail(plan.code, path, f"{self.link.target.name} takes no such {plan.by}")
        return result

    def _first_of(self, plan: FirstOf, data: Any, path: str) -> Any:
        for option in plan.options[:-1]:
            if fits(self.link.source.codec, option.shape, data):
                return self.value(option.plan, data, path)
        return self.value(plan.options[-1].plan, data, path)

    def _enum(self, row: Values, data: Any, path: str) -> Any:
        if data in row.refused:
            self.fail(
                row.refused[data], path, f"{self.link.target.name} has no {row.target} {data!r}"
            )
        if row.known is not None and data not in row.known:
            self.refuse_unknown(data, path)
        return data

    # ------------------------------------------------------------------------------------------------------- records

    def _fields(self, row: Fields, data: dict[str, Any], path: str) -> Any:
        result: dict[str, Any] = {}
        repeated = ""
        for name, value in data.items():
            if name in row.slots:
                slot = row.slots[name]
                self._slot(slot, value, step(path, name), result)
                if isinstance(result.get(slot.name), Several):
                    repeated = slot.name
            elif name in row.lost:
                self._lose_field(row.lost[name], value, step(path, name))
            elif name in row.reserved:
                message = f"{name!r} means something else in {self.link.target.name}"
                self.lose(FIELD, step(path, name), message)
            elif name not in row.taken:
                result[name] = value
        for name, source_name in row.needed.items():
            if name not in result:
                self.fail(
                    MISSING, step(path, source_name), f"{self.link.target.name} requires {name}"
                )
        for name, value in row.filled.items():
            if name not in result:
                result[name] = deepcopy(value)
        if repeated:
            return Several([{**deepcopy(result), repeated: part} for part in result.pop(repeated)])
        if row.after is not None:
            return row.after(self, data, result, path)
        return result if row.tag is None else self._with_tag(row.tag, result, path)

    def _slot(self, slot: Slot, value: Any, path: str, result: dict[str, Any]) -> None:
        if value is None and slot.null:
            if slot.null == "refused":
                self.lose(CLEAR, path, f"{self.link.target.name} cannot clear it")
            else:
                result[slot.name] = [] if slot.null == "empty" else None
            return
        mark = len(self.losses)
        try:
            converted = self.value(slot.plan, value, path)
        except ConversionError as error:
            if slot.required:
                raise
            self._leave_out(error, path, mark)
            return
        if slot.merges:
            converted = self.without_deletions(converted, path)
        if converted is not Omitted:
            result[slot.name] = converted

    def without_deletions(self, members: dict[str, Any], path: str) -> Any:
        """A map that was to be merged, without the nulls that delete keys; Omitted where nothing else is in it."""
        kept: dict[str, Any] = {}
        for name, value in members.items():
            if value is None:
                message = f"null deletes a key, which {self.link.target.name} cannot"
                self.lose(CLEAR, step(path, name), message)
            else:
                kept[name] = value
        return kept if kept or not members else Omitted

    def _lose_field(self, code: str, value: Any, path: str) -> None:
        # Null and an empty array say what the target has anyway: nothing.
        if value is not None and value != []:
            self.lose(code, path, f"{self.link.target.name} has no place for it")

    # -------------------------------------------------------------------------------------------------------- unions

    def _tags(self, row: Tags, data: dict[str, Any], path: str) -> Any:
        tag = data.get(row.tag)
        if isinstance(tag, str):
            member = row.members.get(tag)
            payload = {name: value for name, value in data.items() if name != row.tag}
            if member is not None and (not row.untagged or self._is(member, payload)):
                return self._member(member, payload, path, step(path, row.tag))
            if tag in row.refused:
                self.fail(
                    row.refused[tag], step(path, row.tag), f"{self.link.target.name} has no {tag!r}"
                )
        for member in row.untagged:
            if self._is(member, data):
                return self._member(member, data, path, path)
        if row.unknown is not None:
            return row.unknown(self, data, path)
        if row.closes:
            self.refuse_unknown(tag, step(path, row.tag))
        return data

    def refuse_unknown(self, value: object, path: str) -> NoReturn:
        """The source does not know it either, so that no rule can."""
        self.fail(
            UNKNOWN,
            path,
            f"{value!r} is unknown, and {self.link.target.name} takes known ones only",
        )

    def _is(self, member: Member, data: dict[str, Any]) -> bool:
        return fits(self.link.source.codec, member.payload, data)

    def _member(self, member: Member, payload: dict[str, Any], path: str, place: str) -> Any:
        row = self.link.table.get(member.payload)
        if isinstance(row, Refused):
            self.fail(row.code, place, f"{self.link.target.name} has no {member.payload}")
        result = self.definition(member.payload, payload, path)
        return result if member.tag is None else self._with_tag(member.tag, result, path)

    def _with_tag(self, tag: tuple[str, str], result: Any, path: str) -> Any:
        if isinstance(result, Several):
            return Several([self._with_tag(tag, part, path) for part in result])
        name, value = tag
        if result.get(name, value) != value:
            self.lose(
                FIELD, step(path, name), f"{name!r} is the discriminator in {self.link.target.name}"
            )
        return {name: value, **{key: member for key, member in result.items() if key != name}}


def fits(codec: Codec, shape: str, data: Any) -> bool:
    """Whether an edition takes JSON as it is for a definition ``X``, or an array of them ``X[]``."""
    name = shape.removesuffix("[]")
    if name != shape:
        return is_array(data) and all(fits(codec, name, item) for item in data)
    rules = codec.rules()
    issues: list[Issue] = []
    try:
        rules[name].decode(data, "", CarefulRun(rules, issues), {})
    except DecodeError:
        return False
    return not issues


def _loss(error: ConversionError, path: str) -> Loss:
    """The loss of what is at ``path``, for a reason that may lie deeper."""
    where = "" if error.path == path else f" at {error.path or '(root)'}"
    return Loss(error.code, path, error.message + where)


def _whole(error: ConversionError, path: str) -> Loss:
    loss = _loss(error, path)
    return loss._replace(what=f"the whole message: {loss.what}")
