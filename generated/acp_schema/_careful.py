"""The careful path: one interpreter for every type, driven by the tables in an edition's ``_rules.py``.

It runs when a fast path met a surprise. It knows where it is (every path is a JSON Pointer), applies the schema's
leniency keywords, reports each thing it passes over, and explains what it refuses. Decoding and encoding share the
tables. It is not fast and need not be.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from math import isfinite
from typing import Any, Final, NoReturn, TypeGuard

from ._errors import DecodeError, EncodeError, Issue, step
from ._fast import FAULTS, free
from ._record import Unknown
from ._unset import UNSET

_ABSENT: Final = object()


class Run:
    """One decoding or encoding: the rules by name, and the salvages so far."""

    __slots__ = ("issues", "rules")

    def __init__(self, rules: Mapping[str, Rule], issues: list[Issue]) -> None:
        self.rules = rules
        self.issues = issues


class Rule:
    """How one type is read and written. ``tags`` are the discriminators already read, or to be written first."""

    __slots__ = ()

    def decode(self, data: Any, path: str, run: Run, tags: Mapping[str, str]) -> Any:
        raise NotImplementedError

    def encode(self, value: Any, path: str, run: Run, tags: Mapping[str, str]) -> Any:
        raise NotImplementedError

    def takes(self, value: Any, run: Run) -> bool:
        """Whether a Python value is of a class that this rule writes."""
        raise NotImplementedError

    def expected(self) -> str:
        """What a message says is expected here."""
        raise NotImplementedError


# ------------------------------------------------------------------------------------------------ entries


def decode_carefully(
    data: Any, rule: Rule, rules: Mapping[str, Rule], issues: list[Issue] | None
) -> Any:
    """Decode by ``rule``; raises nothing but DecodeError, and reports salvages only where it succeeds."""
    run = Run(rules, [])
    try:
        value = rule.decode(data, "", run, {})
    except RecursionError:
        raise DecodeError("", "nested too deeply") from None
    if issues is not None:
        issues.extend(run.issues)
    return value


def encode_carefully(value: Any, rule: Rule, rules: Mapping[str, Rule]) -> Any:
    """Encode by ``rule`` to JSON data; raises nothing but EncodeError."""
    try:
        return rule.encode(value, "", Run(rules, []), {})
    except RecursionError:
        raise EncodeError("", "nested too deeply") from None


# Checks of values that their annotations only promise: data from outside, fields anyone can assign.


def is_object(value: object) -> TypeGuard[dict[str, Any]]:
    return isinstance(value, dict)


def is_array(value: object) -> TypeGuard[list[Any]]:
    return isinstance(value, list)


def is_text(value: object) -> TypeGuard[str]:
    return isinstance(value, str)


# ----------------------------------------------------------------------------------------------- messages


def _described(value: Any) -> str:
    """A value in a few words, whatever it is."""
    if value is None:
        return "null"
    if value is True or value is False:
        return "true" if value else "false"
    if isinstance(value, str):
        return f"string {_shortened(repr(value))}"
    if isinstance(value, (int, float)):
        try:
            return f"number {_shortened(repr(value))}"
        except ValueError:  # longer than Python converts
            return "a very long number"
    if isinstance(value, list):
        return "array"
    if isinstance(value, dict):
        return "object"
    return type(value).__name__


def _shortened(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + "..."


def _refuse(path: str, expected: str, data: Any) -> NoReturn:
    raise DecodeError(path, f"expected {expected}, got {_described(data)}")


def _refuse_value(path: str, expected: str, value: Any) -> NoReturn:
    got = "UNSET" if value is UNSET else _described(value)
    raise EncodeError(path, f"expected {expected}, got {got}")


# ------------------------------------------------------------------------------------------------ scalars


class Text(Rule):
    __slots__ = ("max_length", "min_length", "pattern")

    def __init__(
        self,
        min_length: int | None = None,
        max_length: int | None = None,
        pattern: str | None = None,
    ) -> None:
        self.min_length = min_length
        self.max_length = max_length
        self.pattern = pattern

    def decode(self, data: Any, path: str, run: Run, tags: Mapping[str, str]) -> Any:
        if not isinstance(data, str):
            _refuse(path, "string", data)
        if self.min_length is not None and len(data) < self.min_length:
            _refuse(path, f"string of at least {self.min_length} character(s)", data)
        if self.max_length is not None and len(data) > self.max_length:
            _refuse(path, f"string of at most {self.max_length} character(s)", data)
        if self.pattern is not None and not re.search(self.pattern, data):
            _refuse(path, f"string that matches {self.pattern}", data)
        return data

    def encode(self, value: Any, path: str, run: Run, tags: Mapping[str, str]) -> Any:
        if not isinstance(value, str):
            _refuse_value(path, "str", value)
        return str.__str__(value)

    def takes(self, value: Any, run: Run) -> bool:
        return isinstance(value, str)

    def expected(self) -> str:
        return "string"


class Number(Rule):
    """Any finite number; booleans are not numbers."""

    __slots__ = ("above", "below", "maximum", "minimum")

    def __init__(
        self,
        minimum: float | None = None,
        maximum: float | None = None,
        above: float | None = None,
        below: float | None = None,
    ) -> None:
        self.minimum = minimum
        self.maximum = maximum
        self.above = above
        self.below = below

    def decode(self, data: Any, path: str, run: Run, tags: Mapping[str, str]) -> Any:
        number = self._number(data, path)
        if self.minimum is not None and number < self.minimum:
            _refuse(path, f"{self.expected()} from {self.minimum} up", data)
        if self.maximum is not None and number > self.maximum:
            _refuse(path, f"{self.expected()} up to {self.maximum}", data)
        if self.above is not None and number <= self.above:
            _refuse(path, f"{self.expected()} above {self.above}", data)
        if self.below is not None and number >= self.below:
            _refuse(path, f"{self.expected()} below {self.below}", data)
        return number

    def _number(self, data: Any, path: str) -> Any:
        if isinstance(data, bool) or not isinstance(data, (int, float)) or not _is_finite(data):
            _refuse(path, self.expected(), data)
        return data

    def encode(self, value: Any, path: str, run: Run, tags: Mapping[str, str]) -> Any:
        if not self.takes(value, run):
            _refuse_value(path, self.expected(), value)
        try:
            free(value)
        except ValueError:  # Python converts no integers of thousands of digits
            _refuse_value(path, f"{self.expected()} of fewer digits", value)
        return value

    def takes(self, value: Any, run: Run) -> bool:
        return isinstance(value, (int, float)) and not isinstance(value, bool) and _is_finite(value)

    def expected(self) -> str:
        return "number"


def _is_finite(value: float) -> bool:
    return isinstance(value, int) or isfinite(value)


class Integer(Number):
    """A whole number; ``1.0`` is one, and is read as ``1``."""

    __slots__ = ()

    def _number(self, data: Any, path: str) -> Any:
        number = super()._number(data, path)
        if isinstance(number, float):
            if not number.is_integer():
                _refuse(path, "integer", data)
            return int(number)
        return number

    def takes(self, value: Any, run: Run) -> bool:
        return isinstance(value, int) and not isinstance(value, bool)

    def expected(self) -> str:
        return "integer"


class Boolean(Rule):
    __slots__ = ()

    def decode(self, data: Any, path: str, run: Run, tags: Mapping[str, str]) -> Any:
        if not isinstance(data, bool):
            _refuse(path, "boolean", data)
        return data

    def encode(self, value: Any, path: str, run: Run, tags: Mapping[str, str]) -> Any:
        if not isinstance(value, bool):
            _refuse_value(path, "bool", value)
        return value

    def takes(self, value: Any, run: Run) -> bool:
        return isinstance(value, bool)

    def expected(self) -> str:
        return "boolean"


class Anything(Rule):
    """Free-form JSON, kept as it is."""

    __slots__ = ()

    def decode(self, data: Any, path: str, run: Run, tags: Mapping[str, str]) -> Any:
        return data

    def encode(self, value: Any, path: str, run: Run, tags: Mapping[str, str]) -> Any:
        if not self.takes(value, run):
            _refuse_value(path, "JSON data", value)
        return value

    def takes(self, value: Any, run: Run) -> bool:
        try:
            free(value)
        except FAULTS:
            return False
        return True

    def expected(self) -> str:
        return "JSON"


class OneOf(Rule):
    """A closed set of strings or integers."""

    __slots__ = ("values",)

    def __init__(self, *values: str | int | bool) -> None:
        self.values = values

    def decode(self, data: Any, path: str, run: Run, tags: Mapping[str, str]) -> Any:
        for value in self.values:
            if data == value and isinstance(data, bool) == isinstance(value, bool):
                return value
        _refuse(path, self.expected(), data)

    def encode(self, value: Any, path: str, run: Run, tags: Mapping[str, str]) -> Any:
        if not self.takes(value, run):
            _refuse_value(path, self.expected(), value)
        return value

    def takes(self, value: Any, run: Run) -> bool:
        return any(
            value == known and isinstance(value, bool) == isinstance(known, bool)
            for known in self.values
        )

    def expected(self) -> str:
        return " or ".join(repr(value) for value in self.values)


# --------------------------------------------------------------------------------------------- containers


class Items(Rule):
    """An array."""

    __slots__ = ("item", "max_items", "min_items")

    def __init__(
        self, item: Rule, min_items: int | None = None, max_items: int | None = None
    ) -> None:
        self.item = item
        self.min_items = min_items
        self.max_items = max_items

    def decode(self, data: Any, path: str, run: Run, tags: Mapping[str, str]) -> Any:
        return self.decode_items(data, path, run, skip_invalid=False)

    def decode_items(self, data: Any, path: str, run: Run, *, skip_invalid: bool) -> list[Any]:
        if not is_array(data):
            _refuse(path, "array", data)
        items: list[Any] = []
        for index, member in enumerate(data):
            place = f"{path}/{index}"
            mark = len(run.issues)
            try:
                items.append(self.item.decode(member, place, run, {}))
            except DecodeError as error:
                if not skip_invalid:
                    raise
                del run.issues[mark:]
                run.issues.append(_issue(place, "item dropped", error))
        if self.min_items is not None and len(items) < self.min_items:
            raise DecodeError(path, f"expected at least {self.min_items} item(s), got {len(items)}")
        if self.max_items is not None and len(items) > self.max_items:
            raise DecodeError(path, f"expected at most {self.max_items} item(s), got {len(items)}")
        return items

    def encode(self, value: Any, path: str, run: Run, tags: Mapping[str, str]) -> Any:
        if not is_array(value):
            _refuse_value(path, "list", value)
        return [
            self.item.encode(member, f"{path}/{index}", run, {})
            for index, member in enumerate(value)
        ]

    def takes(self, value: Any, run: Run) -> bool:
        return is_array(value) and all(self.item.takes(member, run) for member in value)

    def expected(self) -> str:
        return f"array of {self.item.expected()}"


class Members(Rule):
    """An object used as a map."""

    __slots__ = ("value",)

    def __init__(self, value: Rule) -> None:
        self.value = value

    def decode(self, data: Any, path: str, run: Run, tags: Mapping[str, str]) -> Any:
        if not is_object(data):
            _refuse(path, "object", data)
        if isinstance(self.value, Anything):
            return data
        for key in data:
            if not is_text(key):
                _refuse(path, "string as every key", key)
        return {
            key: self.value.decode(member, step(path, key), run, {}) for key, member in data.items()
        }

    def encode(self, value: Any, path: str, run: Run, tags: Mapping[str, str]) -> Any:
        if not is_object(value):
            _refuse_value(path, "dict", value)
        result: dict[str, Any] = {}
        for key, member in value.items():
            if not is_text(key):
                _refuse_value(path, "str as every key", key)
            result[key] = self.value.encode(member, step(path, key), run, {})
        return result

    def takes(self, value: Any, run: Run) -> bool:
        return is_object(value) and all(
            is_text(key) and self.value.takes(member, run) for key, member in value.items()
        )

    def expected(self) -> str:
        return "object"


class OrNull(Rule):
    __slots__ = ("inner",)

    def __init__(self, inner: Rule) -> None:
        self.inner = inner

    def decode(self, data: Any, path: str, run: Run, tags: Mapping[str, str]) -> Any:
        return None if data is None else self.inner.decode(data, path, run, {})

    def encode(self, value: Any, path: str, run: Run, tags: Mapping[str, str]) -> Any:
        return None if value is None else self.inner.encode(value, path, run, {})

    def takes(self, value: Any, run: Run) -> bool:
        return value is None or self.inner.takes(value, run)

    def expected(self) -> str:
        return f"{self.inner.expected()} or null"


class Named(Rule):
    """A reference to another rule."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def decode(self, data: Any, path: str, run: Run, tags: Mapping[str, str]) -> Any:
        return run.rules[self.name].decode(data, path, run, tags)

    def encode(self, value: Any, path: str, run: Run, tags: Mapping[str, str]) -> Any:
        return run.rules[self.name].encode(value, path, run, tags)

    def takes(self, value: Any, run: Run) -> bool:
        return run.rules[self.name].takes(value, run)

    def expected(self) -> str:
        return self.name


class FirstOf(Rule):
    """Alternatives without a discriminator.

    Strictly valid alternatives go before those that need leniency, so that nothing is salvaged away from a value which
    another alternative takes whole. Where ``exclusive``, exactly one may fit.
    """

    __slots__ = ("exclusive", "options")

    def __init__(self, *options: Rule, exclusive: bool = False) -> None:
        self.options = options
        self.exclusive = exclusive

    def decode(self, data: Any, path: str, run: Run, tags: Mapping[str, str]) -> Any:
        found: list[tuple[list[Issue], Any]] = []
        errors: list[DecodeError] = []
        for option in self.options:
            attempt = Run(run.rules, [])
            try:
                value = option.decode(data, path, attempt, tags)
            except DecodeError as error:
                errors.append(error)
                continue
            if not attempt.issues and not self.exclusive:
                return value
            found.append((attempt.issues, value))
        if found:
            issues, value = self._chosen(found, path)
            run.issues.extend(issues)
            return value
        deepest = max(errors, key=lambda error: error.path.count("/"))
        if deepest.path != path:
            raise deepest
        _refuse(path, self.expected(), data)

    def _chosen(self, found: list[tuple[list[Issue], Any]], path: str) -> tuple[list[Issue], Any]:
        """The first that fits; where exactly one may, those count that need the least salvage.

        What lies beside the alternatives may need salvage in all of them: that must not change which of them fits.
        """
        if not self.exclusive:
            return found[0]
        least = min(len(issues) for issues, _ in found)
        fitting = [pair for pair in found if len(pair[0]) == least]
        if len(fitting) > 1:
            raise DecodeError(
                path, f"expected exactly one of {self.expected()}, but {len(fitting)} fit"
            )
        return fitting[0]

    def encode(self, value: Any, path: str, run: Run, tags: Mapping[str, str]) -> Any:
        for option in self.options:
            if option.takes(value, run):
                return option.encode(value, path, run, tags)
        _refuse_value(path, self.expected(), value)

    def takes(self, value: Any, run: Run) -> bool:
        return any(option.takes(value, run) for option in self.options)

    def expected(self) -> str:
        return " or ".join(option.expected() for option in self.options)


# ------------------------------------------------------------------------------------------------ records


class Slot:
    """One field of a record; made by the four functions below.

    ``absent`` makes the value of a missing field (None: the field is required). ``on_null`` and ``on_error`` say what
    null and a malformed value become: "value" (null itself), "absent", "empty" (the empty list or map) or "fail".
    """

    __slots__ = ("absent", "name", "on_error", "on_null", "pointer", "rule", "skip_invalid", "wire")

    def __init__(
        self,
        wire: str,
        name: str,
        rule: Rule,
        absent: Any,
        on_error: str,
        on_null: str,
        skip_invalid: bool,
    ) -> None:
        self.wire = wire
        self.name = name
        self.rule = rule
        self.absent = absent
        self.on_error = on_error
        self.on_null = on_null
        self.skip_invalid = skip_invalid
        self.pointer = step("", wire)

    def decode(self, data: Any, path: str, run: Run) -> Any:
        if data is None and self.on_null != "fail":
            if self.on_null == "value":
                return None
            run.issues.append(Issue(path, f"null ignored: expected {self.rule.expected()}"))
            return self.fallback(self.on_null)
        mark = len(run.issues)
        try:
            if self.skip_invalid and isinstance(self.rule, Items):
                return self.rule.decode_items(data, path, run, skip_invalid=True)
            return self.rule.decode(data, path, run, {})
        except DecodeError as error:
            if self.on_error == "fail":
                raise
            del run.issues[mark:]
            run.issues.append(_issue(path, "value ignored", error))
            return self.fallback(self.on_error)

    def fallback(self, how: str) -> Any:
        if how == "empty":
            return [] if isinstance(self.rule, Items) else {}
        return self.absent()


def required(
    wire: str,
    name: str,
    rule: Rule,
    on_error: str = "fail",
    on_null: str = "fail",
    *,
    skip_invalid: bool = False,
) -> Slot:
    """A field that must be there."""
    return Slot(wire, name, rule, None, on_error, on_null, skip_invalid)


def optional(
    wire: str,
    name: str,
    rule: Rule,
    on_error: str = "fail",
    on_null: str = "value",
    *,
    skip_invalid: bool = False,
) -> Slot:
    """A field whose absence is None; where null is valid, it means the same."""
    return Slot(wire, name, rule, _no_value, on_error, on_null, skip_invalid)


def patch(
    wire: str, name: str, rule: Rule, on_error: str = "fail", *, skip_invalid: bool = False
) -> Slot:
    """A three-state field: absence is UNSET, null is None."""
    return Slot(wire, name, rule, _unset, on_error, "value", skip_invalid)


def defaulted(
    wire: str,
    name: str,
    rule: Rule,
    absent: Callable[[], Any],
    on_error: str = "fail",
    on_null: str = "fail",
    *,
    skip_invalid: bool = False,
) -> Slot:
    """A field whose absence is the schema's default."""
    return Slot(wire, name, rule, absent, on_error, on_null, skip_invalid)


def _no_value() -> None:
    return None


def _unset() -> Any:
    return UNSET


class Object(Rule):
    """A record: its class, its fields, and whatever else the object carries."""

    __slots__ = ("cls", "forbidden", "slots")

    def __init__(
        self, cls: type[Any] | None, *slots: Slot, forbidden: tuple[str, ...] = ()
    ) -> None:
        self.cls = cls  # None: only checks what an unknown variant must carry
        self.slots = slots
        self.forbidden = forbidden  # names that make an object something else

    def decode(self, data: Any, path: str, run: Run, tags: Mapping[str, str]) -> Any:
        if not is_object(data):
            _refuse(path, "object", data)
        for key in self.forbidden:
            if key in data:
                raise DecodeError(step(path, key), "expected no such field here")
        values: dict[str, Any] = {}
        known = set(tags)
        for slot in self.slots:
            known.add(slot.wire)
            if slot.wire in data:
                values[slot.name] = slot.decode(data[slot.wire], path + slot.pointer, run)
            elif slot.absent is None:
                raise DecodeError(path + slot.pointer, f"missing, expected {slot.rule.expected()}")
            else:
                values[slot.name] = slot.absent()
        values["extra"] = {key: value for key, value in data.items() if key not in known} or None
        return data if self.cls is None else self.cls(**values)

    def encode(self, value: Any, path: str, run: Run, tags: Mapping[str, str]) -> Any:
        if self.cls is None or not isinstance(value, self.cls):
            _refuse_value(path, self.expected(), value)
        result: dict[str, Any] = dict(tags)
        for slot in self.slots:
            place = path + slot.pointer
            member = getattr(value, slot.name, _ABSENT)
            if member is _ABSENT:
                raise EncodeError(place, "the field was never set")
            if member is UNSET and slot.absent is _unset:
                continue
            if member is None and slot.absent is _no_value:
                continue
            if member is None and slot.on_null == "value":
                result[slot.wire] = None
            else:
                result[slot.wire] = slot.rule.encode(member, place, run, {})
        self._encode_extra(value.extra, path, result, tags)
        return result

    def _encode_extra(
        self, extra: Any, path: str, result: dict[str, Any], tags: Mapping[str, str]
    ) -> None:
        if extra is None:
            return
        if not is_object(extra):
            _refuse_value(path, "dict or None as extra", extra)
        known = {slot.wire for slot in self.slots}
        for key, member in extra.items():
            if not is_text(key):
                _refuse_value(path, "str as every key of extra", key)
            if key in known:
                raise EncodeError(step(path, key), "extra repeats a field of the record")
            if key in self.forbidden:
                raise EncodeError(
                    step(path, key), "extra has a field that the record must not have"
                )
            if key in tags:
                if member != tags[key]:
                    raise EncodeError(step(path, key), "extra contradicts the discriminator")
                continue
            try:
                free(member)
            except FAULTS:
                _refuse_value(step(path, key), "JSON data", member)
            result[key] = member

    def takes(self, value: Any, run: Run) -> bool:
        return self.cls is not None and isinstance(value, self.cls)

    def expected(self) -> str:
        return "object" if self.cls is None else self.cls.__name__


class Other(Rule):
    """The catch-all of an open union."""

    __slots__ = ("check", "cls", "known", "tag")

    def __init__(self, cls: type[Unknown], tag: str, known: frozenset[str], check: Rule) -> None:
        self.cls = cls
        self.tag = tag
        self.known = known
        self.check = check

    def decode(self, data: Any, path: str, run: Run, tags: Mapping[str, str]) -> Any:
        self.check.decode(data, path, run, {})
        raw = {key: value for key, value in data.items() if key not in tags} if tags else data
        return self.cls(tag=data[self.tag], raw=raw)

    def encode(self, value: Any, path: str, run: Run, tags: Mapping[str, str]) -> Any:
        if not isinstance(value, self.cls):
            _refuse_value(path, self.expected(), value)
        place = step(path, self.tag)
        if not is_text(value.tag) or not is_object(value.raw):
            _refuse_value(path, "a str as tag and a dict as raw", value)
        if value.raw.get(self.tag) != value.tag:
            raise EncodeError(
                place, f"raw must carry the tag {value.tag!r}, has {value.raw.get(self.tag)!r}"
            )
        if value.tag in self.known:
            raise EncodeError(
                place, f"{value.tag!r} is not unknown: the schema has a type of its own for it"
            )
        for key, tag in tags.items():
            if value.raw.get(key, tag) != tag:
                raise EncodeError(step(path, key), "raw contradicts the discriminator")
        try:
            self.check.decode(value.raw, path, run, {})
            free(value.raw)
        except DecodeError as error:
            raise EncodeError(error.path, error.message) from None
        except FAULTS:
            _refuse_value(path, "JSON data as raw", value.raw)
        return {**tags, **value.raw}

    def takes(self, value: Any, run: Run) -> bool:
        return isinstance(value, self.cls)

    def expected(self) -> str:
        return self.cls.__name__


class Tagged(Rule):
    """A union told apart by a discriminator."""

    __slots__ = ("absent", "lenient_tag", "other", "refused", "tag", "untagged", "variants")

    def __init__(
        self,
        tag: str,
        variants: Mapping[str, Rule],
        *,
        other: Rule | None = None,
        refused: frozenset[str] = frozenset(),
        untagged: tuple[Rule, ...] = (),
        absent: Rule | None = None,
        lenient_tag: bool = False,
    ) -> None:
        self.tag = tag
        self.variants = variants
        self.other = other
        self.refused = refused
        self.untagged = untagged
        self.absent = absent
        self.lenient_tag = lenient_tag

    def decode(self, data: Any, path: str, run: Run, tags: Mapping[str, str]) -> Any:
        if not is_object(data):
            _refuse(path, "object", data)
        if not self.untagged:
            return self.decode_tagged(data, path, run, tags)
        return FirstOf(_TaggedOnly(self), *self.untagged).decode(data, path, run, tags)

    def decode_tagged(
        self, data: dict[str, Any], path: str, run: Run, tags: Mapping[str, str]
    ) -> Any:
        value = data.get(self.tag)
        place = step(path, self.tag)
        if isinstance(value, str):
            variant = self.variants.get(value)
            if variant is not None:
                return variant.decode(data, path, run, {**tags, self.tag: value})
            if self.other is not None and value not in self.refused:
                return self.other.decode(data, path, run, tags)
            _refuse(place, " or ".join(map(repr, self.variants)), value)
        if self.absent is not None and (value is None or self.lenient_tag):
            if value is not None:
                run.issues.append(
                    Issue(place, f"value ignored: expected string, got {_described(value)}")
                )
            return self.absent.decode(data, path, run, {**tags, self.tag: ""})
        if self.tag not in data:
            raise DecodeError(place, "missing, expected the discriminator")
        _refuse(place, "string", value)

    def encode(self, value: Any, path: str, run: Run, tags: Mapping[str, str]) -> Any:
        for name, variant in self.variants.items():
            if variant.takes(value, run):
                return variant.encode(value, path, run, {**tags, self.tag: name})
        for rule in (self.other, self.absent, *self.untagged):
            if rule is not None and rule.takes(value, run):
                data = rule.encode(value, path, run, tags)
                if rule is self.absent and self.tag in data:
                    raise EncodeError(step(path, self.tag), "extra contradicts the discriminator")
                return data
        _refuse_value(path, self.expected(), value)

    def takes(self, value: Any, run: Run) -> bool:
        rules = (*self.variants.values(), self.other, self.absent, *self.untagged)
        return any(rule is not None and rule.takes(value, run) for rule in rules)

    def expected(self) -> str:
        return f"a variant told apart by {self.tag!r}"


class _TaggedOnly(Rule):
    """The tagged part of a union that has members without a tag as well."""

    __slots__ = ("union",)

    def __init__(self, union: Tagged) -> None:
        self.union = union

    def decode(self, data: Any, path: str, run: Run, tags: Mapping[str, str]) -> Any:
        return self.union.decode_tagged(data, path, run, tags)

    def expected(self) -> str:
        return self.union.expected()


def _issue(path: str, what: str, error: DecodeError) -> Issue:
    where = "" if error.path == path else f" at {error.path}"
    return Issue(path, f"{what}: {error.message}{where}")


# Rules without parameters, shared by all tables.
TEXT: Final = Text()
INTEGER: Final = Integer()
NUMBER: Final = Number()
BOOLEAN: Final = Boolean()
ANYTHING: Final = Anything()
