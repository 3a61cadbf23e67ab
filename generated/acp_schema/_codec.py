"""Decoding and encoding for one edition: the fast path first, the careful path for whatever it leaves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from json import JSONDecoder, JSONDecodeError
from math import isfinite
from types import ModuleType
from typing import Any, NoReturn, TypeVar, overload

from ._careful import Other, Rule, Tagged, decode_carefully, encode_carefully
from ._errors import DecodeError, EncodeError, Issue
from ._fast import FAULTS, free

_T = TypeVar("_T")


class Entry:
    """How one type is read and written: fast where it can be, by rule always."""

    __slots__ = ("name", "read", "rule", "write")

    def __init__(
        self,
        name: str,
        read: Callable[[Any], Any] | None,
        write: Callable[[Any], str] | None,
        rule: Rule | None,
    ) -> None:
        self.name = name
        self.read = read
        self.write = write
        self.rule = rule  # looked up when first needed


class Codec:
    """The four entry points of an edition, over its generated tables."""

    def __init__(
        self,
        types: ModuleType,
        readers: Mapping[str, Callable[[Any], Any] | None],
        writers: Mapping[str, Callable[[Any], str]],
        variants: Mapping[str, tuple[str, str | None]],
        rules: Callable[[], Mapping[str, Rule]],
    ) -> None:
        self._types = types
        self._readers = readers
        self._writers = writers
        self._variants = variants
        self._rules = rules
        self._entries: dict[Any, Entry] = {}

    # ---------------------------------------------------------------------------------------------- decoding

    @overload
    def decode(self, type: type[_T], data: object, *, issues: list[Issue] | None = None) -> _T: ...
    @overload
    def decode(self, type: object, data: object, *, issues: list[Issue] | None = None) -> Any: ...
    def decode(self, type: Any, data: object, *, issues: list[Issue] | None = None) -> Any:
        """The Python value of parsed JSON.

        ``type`` is a class or alias of this edition, or a definition's name. What the schema tells readers to pass
        over is passed over, and reported to ``issues`` if a list is given. Raises ``DecodeError`` with a JSON Pointer
        for everything else that the schema does not accept.
        """
        try:
            entry = self._entries[type]
        except (KeyError, TypeError):
            entry = self._find(type)
        if entry.read is not None:
            try:
                return entry.read(data)
            except FAULTS:
                pass
        return decode_carefully(data, self._rule(entry), self._rules(), issues)

    @overload
    def loads(
        self, type: type[_T], text: str | bytes | bytearray, *, issues: list[Issue] | None = None
    ) -> _T: ...
    @overload
    def loads(
        self, type: object, text: str | bytes | bytearray, *, issues: list[Issue] | None = None
    ) -> Any: ...
    def loads(
        self, type: Any, text: str | bytes | bytearray, *, issues: list[Issue] | None = None
    ) -> Any:
        """The Python value of JSON text; as ``decode``."""
        return self.decode(type, parse(text), issues=issues)

    # ---------------------------------------------------------------------------------------------- encoding

    def encode(self, value: object, type: object = None) -> Any:
        """JSON data of a value.

        ``type`` says what the value stands for where its class does not: as a member of a union it carries its
        discriminator, on its own it does not. Raises ``EncodeError`` with a JSON Pointer for a wrong Python type.
        """
        # Through text: one encoder to trust, and a result that shares nothing with the value.
        try:
            return parse(self._text(value, type))
        except DecodeError as error:  # at a depth that the writer just managed
            raise EncodeError(error.path, error.message) from None

    def dumps(self, value: object, type: object = None) -> bytes:
        """Compact JSON text of a value, in UTF-8; as ``encode``."""
        text = self._text(value, type)
        try:
            return text.encode()
        except UnicodeEncodeError:
            # A lone surrogate has no UTF-8; what this error handler writes is its JSON escape.
            return text.encode("utf-8", "backslashreplace")

    def _text(self, value: object, type: object) -> str:
        entry = self.entry_of_value(value) if type is None else self.entry(type)
        if entry.write is not None:
            try:
                return entry.write(value)
            except FAULTS:
                pass
        data = encode_carefully(value, self._rule(entry), self._rules())
        try:
            return free(data)
        except FAULTS:
            raise EncodeError("", "nested too deeply for JSON text") from None

    def entry_of_value(self, value: object) -> Entry:
        """The entry for a value's own class."""
        for cls in type(value).__mro__:
            if self._class_name(cls):
                return self.entry(cls)
        raise EncodeError(
            "",
            f"{type(value).__name__} is no class of this edition: say as which type to encode it",
        )

    # ------------------------------------------------------------------------------------------------- types

    def entry(self, type: Any) -> Entry:
        """The entry for a class, an alias or a definition's name."""
        try:
            return self._entries[type]
        except (KeyError, TypeError):
            return self._find(type)

    def _find(self, type: Any) -> Entry:
        name = self._name(type)
        entry = Entry(name, self._readers.get(name), self._writers.get(name), None)
        self._entries[type] = entry
        return entry

    def _name(self, type_: Any) -> str:
        if isinstance(type_, str):
            name = type_
        elif isinstance(type_, type):
            name = self._class_name(type_)
        elif hasattr(type_, "__metadata__"):
            name = str(type_.__metadata__[0])
        else:
            name = next(
                (known for known in self._readers if getattr(self._types, known) == type_), ""
            )
        if name not in self._readers and name not in self._writers:
            raise TypeError(
                f"{type_!r} is neither a class, an alias nor a definition's name of this edition"
            )
        return name

    def _class_name(self, cls: type[Any]) -> str:
        return cls.__name__ if getattr(self._types, cls.__name__, None) is cls else ""

    def rules(self) -> Mapping[str, Rule]:
        """The rules of the careful path, by definition."""
        return self._rules()

    def _rule(self, entry: Entry) -> Rule:
        if entry.rule is None:
            rule = self._rules()[entry.name]
            if entry.name in self._variants:
                tag, value = self._variants[entry.name]
                rule = (
                    Tagged(tag, {value: rule})
                    if value is not None
                    else Tagged(tag, {}, absent=rule)
                )
            elif isinstance(rule, Other):
                rule = Tagged(rule.tag, {}, other=rule, refused=rule.known)
            entry.rule = rule
        return entry.rule


# ---------------------------------------------------------------------------------------------------- JSON text


_SPACE = " \t\n\r"


def parse(text: str | bytes | bytearray) -> Any:
    """JSON text as data; raises nothing but DecodeError."""
    try:
        string = text if isinstance(text, str) else str(text, "utf-8")
        # raw_decode without the wrapper around it: that wrapper costs more than a short message
        data, end = _raw_decode(
            string, 0 if string[:1] not in _SPACE else len(string) - len(string.lstrip(_SPACE))
        )
    except JSONDecodeError as error:
        raise DecodeError(
            "", f"not JSON: {error.msg} at line {error.lineno}, column {error.colno}"
        ) from None
    except UnicodeDecodeError as error:
        raise DecodeError("", f"not UTF-8 at byte {error.start}") from None
    except RecursionError:
        raise DecodeError("", "not JSON: nested too deeply") from None
    except (ValueError, TypeError) as error:
        raise DecodeError("", f"not JSON: {error}") from None
    if end != len(string) and string[end:].strip(_SPACE):
        raise DecodeError("", f"not JSON: something follows the value at character {end + 1}")
    return data


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")


def _finite(digits: str) -> float:
    number = float(digits)
    if not isfinite(number):
        raise ValueError(f"the number {digits[:40]} is too large")
    return number


_raw_decode = JSONDecoder(parse_constant=_refuse_constant, parse_float=_finite).raw_decode
