"""The laws of decoding and encoding, over every definition of every edition.

Instances come from ``support.strategies``, verdicts from ``support.oracle``; both know the schema and nothing of the
codecs.
"""

from __future__ import annotations

import copy
import json
import math
import re
import sqlite3
from collections import ChainMap, OrderedDict, defaultdict
from collections.abc import Callable
from decimal import Decimal
from typing import Any, NoReturn

import pytest
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from acp_schema import UNSET, DecodeError, EncodeError, Issue, v2
from acp_schema._careful import decode_carefully, encode_carefully
from support.editions import JUNE, V1, V2, Edition, every_definition, every_edition
from support.oracle import is_pointer, parent, resolve, same_json
from support.profiles import for_all
from test_oracle import ROWS, Row, every_row


def share(edition: Edition, name: str) -> float:
    """Small definitions are exhausted soon; the great unions get all of the profile's examples."""
    return edition.effort * min(1.0, 0.12 + edition.instances.weight(name) / 80)


@every_edition
def test_all_definitions_are_here(edition: Edition) -> None:
    assert len(edition.definitions) == edition.size


# --------------------------------------------------------------------------------------- law 1: nothing is lost


@every_definition
def test_valid_json_comes_back(edition: Edition, name: str) -> None:
    for_all(edition.instances.valid(name), lambda x: assert_comes_back(edition, name, x), share=share(edition, name))


def assert_comes_back(edition: Edition, name: str, x: Any) -> None:
    before = copy.deepcopy(x)
    issues: list[Issue] = []
    value = edition.module.decode(name, x, issues=issues)
    assert issues == [], "nothing is to be salvaged from valid JSON"
    assert same_json(x, before), "decoding changed its input"
    expected = edition.oracle.written_back(name, x)
    assert_same(edition.module.encode(value, name), expected)
    text = edition.module.dumps(value, name)
    assert_same(json.loads(text), expected)
    assert edition.module.loads(name, text) == value


def assert_same(got: Any, expected: Any) -> None:
    assert same_json(got, expected), f"\n     got {got!r}\nexpected {expected!r}"


# ----------------------------------------------------------------------- law 2: accepted exactly where it should be


@every_definition
def test_faulty_json_is_salvaged_or_refused(edition: Edition, name: str) -> None:
    for_all(
        edition.instances.faulty(name), lambda x: assert_judged_rightly(edition, name, x), share=share(edition, name)
    )


@every_definition
def test_every_member_with_every_kind_of_value(edition: Edition, name: str) -> None:
    """Nothing here is left to chance: each member of each variant, missing and with values that may not suit it."""
    for least, members in edition.instances.smallest(name):
        assert edition.oracle.is_strictly_valid(name, least)
        assert_comes_back(edition, name, least)
        for member, values in members.items():
            assert_judged_rightly(edition, name, {other: value for other, value in least.items() if other != member})
            for value in values:
                assert_judged_rightly(edition, name, {**least, member: value})


@every_row
def test_telling_cases_are_judged_rightly(row: Row) -> None:
    """Corners that drawing at random seldom reaches."""
    assert_judged_rightly(row.edition, row.definition, row.came)


def assert_judged_rightly(edition: Edition, name: str, x: Any) -> None:
    before = copy.deepcopy(x)
    accepted = edition.oracle.accepts(name, x)
    issues: list[Issue] = []
    try:
        value = edition.module.decode(name, x, issues=issues)
    except DecodeError as error:
        assert not accepted, f"refused what the schema accepts: {error}"
        assert issues == [], "no salvage is reported where nothing came out"
        assert error.message
        assert_points_into(error.path, x)
    else:
        assert accepted, f"accepted what the schema refuses, as {value!r}"
        assert_salvage_reported(edition, name, x, issues)
        assert_same(edition.module.encode(value, name), edition.oracle.written_back(name, x))
    assert same_json(x, before), "decoding changed its input"


def assert_salvage_reported(edition: Edition, name: str, x: Any, issues: list[Issue]) -> None:
    """A salvage is reported, and nothing else is."""
    assert bool(issues) is not edition.oracle.is_strictly_valid(name, x), issues
    for issue in issues:
        assert issue.message
        assert_points_into(issue.path, x)
        resolve(issue.path, x)  # unlike an error, a salvage is always about something that is there
    steps = [issue.path.split("/") for issue in issues]
    inside = [a for i, a in enumerate(steps) for j, b in enumerate(steps) if i != j and a[: len(b)] == b]
    assert not inside, f"reported although all around it was dropped, or twice: {inside}"


def assert_points_into(path: str, x: Any) -> None:
    """The fault may be a missing member, but what misses it is there."""
    assert is_pointer(path), path
    try:
        resolve(parent(path), x)
    except LookupError:
        raise AssertionError(f"{path!r} leads nowhere") from None


# --------------------------------------------------------------------------------- the two paths are one decoder


@every_definition
def test_fast_and_careful_paths_agree(edition: Edition, name: str) -> None:
    for_all(
        edition.instances.valid(name), lambda x: assert_paths_agree(edition, name, x), share=share(edition, name) / 2
    )


@pytest.mark.parametrize("row", [row for row in ROWS if row.strict], ids=str)
def test_fast_and_careful_paths_agree_on_telling_cases(row: Row) -> None:
    assert_paths_agree(row.edition, row.definition, row.came)


def assert_paths_agree(edition: Edition, name: str, x: Any) -> None:
    rule = edition.rules[name]
    issues: list[Issue] = []
    value = edition.module.decode(name, x)
    assert decode_carefully(x, rule, edition.rules, issues) == value
    assert issues == []
    assert_same(encode_carefully(value, rule, edition.rules), edition.module.encode(value, name))


def outcome(decoding: Callable[[], Any]) -> tuple[str, Any]:
    """What came out, or how it was refused."""
    try:
        return "value", decoding()
    except DecodeError as error:
        return "error", (error.path, error.message)


@pytest.mark.parametrize(
    ("edition", "name", "x"),
    [
        (V2, "TextContent", {"text": "t", "_meta": {1: 2}}),
        (V2, "TextContent", {"text": "t", 1: 2}),
        (V2, "ContentBlock", {"type": "_x", 1: 2}),
        (V2, "ElicitationSchema", {"type": "object", "properties": {None: {"type": "string"}}}),
        (V2, "ElicitationAcceptAction", {"content": {1: "x"}}),
        (V2, "ExtRequest", {1: 2}),
        (V2, "Cost", {"amount": 10**400, "currency": "c"}),
        (V2, "SessionUpdate", OrderedDict(sessionUpdate="_x")),
        (V1, "SessionUpdate", OrderedDict(sessionUpdate="_x")),
        (V1, "ToolKind", ["read"]),
        (V1, "RequestId", float("nan")),
        (JUNE, "UnstructuredCommandInput", OrderedDict(hint="h", type="t")),
        (JUNE, "UnstructuredCommandInput", {"hint": "h", 1: 2}),
        (JUNE, "AvailableCommandInput", {"hint": "h", "type": 1}),
        (JUNE, "PlanUpdateContent", {"type": "file", "id": "p", 1: 2}),
    ],
)
def test_fast_and_careful_paths_agree_on_odd_data(edition: Edition, name: str, x: Any) -> None:
    """Which path runs must not decide what comes out, even of what is no JSON."""
    careful = outcome(lambda: decode_carefully(x, edition.rules[name], edition.rules, None))
    assert outcome(lambda: edition.module.decode(name, x)) == careful


# ---------------------------------------------------------------------------------- nothing but DecodeError


class Hostile:
    """Subscriptable, and fails in a way that nobody expects of data."""

    def __getitem__(self, key: object) -> NoReturn:
        raise ZeroDivisionError(key)


def nested(depth: int, name: str | None = None) -> Any:
    """Lists in lists, or objects in objects under ``name``."""
    value: Any = [] if name is None else {}
    for _ in range(depth):
        value = [value] if name is None else {name: value}
    return value


def a_row() -> sqlite3.Row:
    connection = sqlite3.connect(":memory:")
    try:
        connection.row_factory = sqlite3.Row
        row: sqlite3.Row = connection.execute("select 1 as type").fetchone()
    finally:
        connection.close()
    return row


ODD_NUMBERS = [math.nan, math.inf, -math.inf, 10**400, -(10**400), 1j, Decimal(1)]
ODD_KEYS = [{1: 2}, {None: 1}, {(1,): {"type": 5}}, {b"type": "text"}, {True: None}, {"type": "text", 5: 5}]
ODD_OBJECTS = [
    {1},
    frozenset(),
    b"x",
    bytearray(b"x"),
    memoryview(b"x"),
    (),
    ("x",),
    range(3),
    object(),
    int,
    list,
    re,
    len,
    UNSET,
    v2.TextContent(text="x"),
    NotImplemented,
    OrderedDict(),
    defaultdict(list),
    ChainMap({}),
    ValueError("x"),
]
# what ordinary objects do when they are subscripted like a dict
SUBSCRIPTABLE = {"match": re.match("a", "a"), "row": a_row(), "hostile": Hostile()}
DEEP = {"arrays": nested(100_000), "objects": nested(100_000, "type"), "properties": nested(100_000, "properties")}

at_the_root = {f"{type(odd).__name__}-{i}": odd for i, odd in enumerate(ODD_NUMBERS + ODD_KEYS + ODD_OBJECTS)}
at_the_root |= {"more digits than Python prints": 10**5000} | SUBSCRIPTABLE | DEEP


@pytest.mark.parametrize("odd", at_the_root.values(), ids=at_the_root.keys())
@every_edition
def test_odd_data_as_a_whole(edition: Edition, odd: Any) -> None:
    for name in edition.definitions:
        assert_only_our_errors(edition, name, odd)


def fresh(odd: Any) -> Any:
    """A copy where the next fault may add something, at any depth."""
    return copy.deepcopy(odd) if isinstance(odd, dict) else odd


@every_definition
def test_odd_data_inside(edition: Edition, name: str) -> None:
    odd = st.sampled_from(ODD_NUMBERS + ODD_KEYS + ODD_OBJECTS).map(fresh)
    for_all(
        edition.instances.faulty(name, junk=odd),
        lambda x: assert_only_our_errors(edition, name, x),
        share=share(edition, name) / 2,
    )


@every_definition
def test_deep_nesting_inside(edition: Edition, name: str) -> None:
    def check(x: Any) -> None:
        for member in x if isinstance(x, dict) else ():
            for deep in DEEP.values():
                assert_only_our_errors(edition, name, {**x, member: deep})

    for_all(edition.instances.valid(name), check, share=0)


def assert_only_our_errors(edition: Edition, name: str, x: Any) -> None:
    """Whatever the data, decoding works or raises DecodeError, and so does writing the result with EncodeError."""
    try:
        value = edition.module.decode(name, x)
    except DecodeError as error:
        assert is_pointer(error.path)
        assert str(error)
        return
    try:
        edition.module.dumps(value, name)
    except EncodeError as error:
        assert is_pointer(error.path)
        assert str(error)


# ------------------------------------------------------------------------------------------------ JSON text


def parsed(text: str | bytes) -> Any:
    """The JSON in a text as the standard library reads it, less its liberties; raises ValueError or RecursionError."""

    def refuse(constant: str) -> NoReturn:
        raise ValueError(constant)

    def finite(digits: str) -> float:
        number = float(digits)
        if not math.isfinite(number):
            raise ValueError(digits)
        return number

    string = text if isinstance(text, str) else text.decode("utf-8")
    if string.startswith("\ufeff"):
        raise ValueError("byte order mark")
    return json.loads(string, parse_constant=refuse, parse_float=finite)


@st.composite
def damaged_texts(draw: Any, instances: SearchStrategy[Any]) -> str | bytes:
    """The text of an instance, cut short or with a piece put in somewhere, as text or bytes."""
    text: str = json.dumps(draw(instances), ensure_ascii=draw(st.booleans()))
    start = draw(st.integers(min_value=0, max_value=len(text)))
    end = draw(st.integers(min_value=start, max_value=min(len(text), start + 2)))
    piece = draw(
        st.sampled_from(["", "", " ", "\n", ",", "}", "]", '"', "\\", "\x00", "NaN", "1e999", "\ufeff", "\xa0"])
    )
    text = text[:start] + piece + text[end:]
    return text if draw(st.booleans()) else text.encode("utf-8", "surrogatepass")


def assert_read_as_its_json(edition: Edition, name: str, text: str | bytes) -> None:
    """``loads`` is ``decode`` of the JSON in the text, and DecodeError where there is none."""
    try:
        data = parsed(text)
    except (ValueError, RecursionError):
        with pytest.raises(DecodeError, match="not JSON|not UTF-8") as caught:
            edition.module.loads(name, text)
        assert caught.value.path == ""
        return
    try:
        expected = edition.module.decode(name, data)
    except DecodeError as refusal:
        with pytest.raises(DecodeError) as caught:
            edition.module.loads(name, text)
        assert (caught.value.path, caught.value.message) == (refusal.path, refusal.message)
    else:
        assert edition.module.loads(name, text) == expected


@pytest.mark.parametrize(
    ("edition", "name"),
    [
        (V2, "SessionUpdate"),
        (V2, "CreateElicitationRequest"),
        (V2, "AgentResponse"),
        (V2, "RequestId"),
        (V2, "Annotations"),
        (V1, "ToolCallUpdate"),
        (JUNE, "AvailableCommandInput"),
    ],
)
def test_damaged_text(edition: Edition, name: str) -> None:
    texts = [damaged_texts(instances) for instances in edition.instances.faulty(name)]
    for_all(texts, lambda text: assert_read_as_its_json(edition, name, text), share=1)


def test_arbitrary_text() -> None:
    texts = st.one_of(
        st.text(max_size=20), st.binary(max_size=20), st.text('{}[]",:0123456789.eE+-tfn \n\\u', max_size=12)
    )
    for_all([texts], lambda text: assert_read_as_its_json(V2, "ExtRequest", text), share=2)


NOT_JSON: dict[str, Any] = {
    "nothing": "",
    "no bytes": b"",
    "spaces": " \t\r\n",
    "constant": "NaN",
    "minus infinity": "-Infinity",
    "overflow": "1e999",
    "many digits": "9" * 5000,
    "two values": "1 2",
    "deep arrays": "[" * 100_000,
    "deep objects": '{"a":' * 100_000,
    "deep and closed": "[" * 100_000 + "]" * 100_000,
    "form feed": "\x0c1",
    "no-break space": "\xa01",
    "byte order mark": b"\xef\xbb\xbf1",
    "UTF-16": "1".encode("utf-16"),
    "encoded surrogate": b'"\xed\xa0\x80"',
    "cut UTF-8": b'"\xc3',
    "control character": '"\n"',
    "number instead of text": 5,
    "no text": None,
    "list instead of text": ["{}"],
}


@pytest.mark.parametrize("text", NOT_JSON.values(), ids=NOT_JSON.keys())
def test_what_is_not_json(text: Any) -> None:
    for name in ("ExtRequest", "SessionUpdate"):
        with pytest.raises(DecodeError, match="not JSON|not UTF-8") as caught:
            v2.loads(name, text)
        assert caught.value.path == ""
