"""Tests of a generated package that need nothing but Python: run by test_pythons.py on every interpreter it finds.

    python -I check_package.py PARENT PACKAGE EDITION SAMPLES [--samples-only]

PARENT is the folder that holds PACKAGE, which may have any name. SAMPLES is a JSON file with ``samples`` (a list of
``{"type", "wire", "encoded"}``) and ``missing`` (a list of ``{"type", "wire", "path"}``). With ``--samples-only`` the
tests that know the annotated v2 schema are left out.
"""

from __future__ import annotations

import copy
import dataclasses
import importlib
import json
import pickle
import sys
import unittest
from pathlib import Path
from types import ModuleType
from typing import Any

package: ModuleType
edition: ModuleType
samples: list[dict[str, Any]]
missing: list[dict[str, Any]]


def same(one: Any, other: Any) -> bool:
    """Whether two JSON values are equal: 1 and 1.0 are, 1 and true are not."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    return bool(one == other)


class EverySample(unittest.TestCase):
    """The promises that hold for every definition."""

    def test_there_are_samples_of_every_definition(self) -> None:
        self.assertGreater(len(samples), len({sample["type"] for sample in samples}))
        for name in {sample["type"] for sample in samples}:
            self.assertTrue(hasattr(edition, name), f"{name} is no attribute of {edition.__name__}")

    def test_decoding_and_encoding_gives_the_same_json(self) -> None:
        for sample, value in self.decoded():
            encoded = edition.encode(value, sample["type"])
            self.assertTrue(same(encoded, sample["encoded"]), f"{sample}\ncame back as {encoded}")

    def test_a_valid_message_raises_no_issue_and_stays_as_it_was(self) -> None:
        for sample in samples:
            before, issues = copy.deepcopy(sample["wire"]), []
            edition.decode(sample["type"], sample["wire"], issues=issues)
            self.assertEqual(issues, [], sample)
            self.assertEqual(repr(sample["wire"]), repr(before))

    def test_the_name_the_alias_and_the_function_decode_alike(self) -> None:
        functions = {
            function.__doc__.split("(")[1].split(",")[0]: function
            for name, function in vars(edition).items()
            if name.startswith("decode_") and name != "decode_message"
        }
        for sample, value in self.decoded():
            by_alias = edition.decode(getattr(edition, sample["type"]), sample["wire"])
            self.assertEqual(by_alias, value)
            self.assertEqual(type(by_alias), type(value))
            self.assertEqual(functions[sample["type"]](sample["wire"]), value)

    def test_text_is_compact_and_reads_back(self) -> None:
        for sample, value in self.decoded():
            text = edition.dumps(value, sample["type"])
            encoded = edition.encode(value, sample["type"])
            self.assertEqual(text, json.dumps(encoded, ensure_ascii=False, separators=(",", ":")).encode("utf-8"))
            self.assertEqual(edition.loads(sample["type"], text), value)
            self.assertEqual(edition.loads(sample["type"], text.decode("utf-8")), value)

    def test_values_survive_pickle_and_copy(self) -> None:
        for sample, value in self.decoded():
            clones = [pickle.loads(pickle.dumps(value, protocol)) for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1)]
            for clone in [*clones, copy.copy(value), copy.deepcopy(value)]:
                self.assertEqual(clone, value)
                self.assertEqual(edition.dumps(clone, sample["type"]), edition.dumps(value, sample["type"]))

    def test_records_are_dataclasses_with_slots(self) -> None:
        records = [value for _, value in self.decoded() if dataclasses.is_dataclass(value)]
        self.assertGreater(len(records), len(samples) // 2)
        for record in records:
            self.assertFalse(hasattr(record, "__dict__"), type(record).__name__)
            self.assertEqual(dataclasses.replace(record), record)
            self.assertEqual(list(dataclasses.asdict(record)), [field.name for field in dataclasses.fields(record)])
            self.assertTrue(repr(record).startswith(type(record).__name__ + "("))
            self.assertNotIn("UNSET", repr(record))

    def test_a_missing_required_member_is_named(self) -> None:
        self.assertTrue(missing)
        for case in missing:
            with self.assertRaises(edition.DecodeError, msg=case) as raised:
                edition.decode(case["type"], case["wire"])
            self.assertEqual(raised.exception.path, case["path"], case)
            self.assertTrue(raised.exception.message.startswith("missing"), raised.exception)

    def decoded(self) -> list[tuple[dict[str, Any], Any]]:
        return [(sample, edition.decode(sample["type"], sample["wire"])) for sample in samples]


class Sentinel(unittest.TestCase):
    """The laws of UNSET."""

    def test_there_is_one_sentinel(self) -> None:
        self.assertIs(package.UNSET, edition.UNSET)
        self.assertIs(package.UnsetType, edition.UnsetType)
        self.assertIs(edition.UnsetType.UNSET, edition.UNSET)

    def test_identity_survives(self) -> None:
        unset = edition.UNSET
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            self.assertIs(pickle.loads(pickle.dumps(unset, protocol)), unset)
        self.assertIs(copy.copy(unset), unset)
        self.assertIs(copy.deepcopy([unset])[0], unset)

    def test_it_has_no_truth_value_and_no_json(self) -> None:
        with self.assertRaisesRegex(TypeError, "is UNSET"):
            bool(edition.UNSET)
        with self.assertRaisesRegex(TypeError, "not JSON serializable"):
            json.dumps(edition.UNSET)

    def test_it_prints_as_its_name(self) -> None:
        self.assertEqual((repr(edition.UNSET), str(edition.UNSET), f"{edition.UNSET}"), ("UNSET",) * 3)

    def test_value_or_replaces_only_unset(self) -> None:
        found = [edition.value_or(value, "default") for value in (edition.UNSET, None, "", 0)]
        self.assertEqual(found, ["default", None, "", 0])


class AnnotatedV2(unittest.TestCase):
    """A few concrete messages of the annotated v2 schema."""

    def test_a_patch_field_has_three_states(self) -> None:
        wires = [{"toolCallId": "t"}, {"toolCallId": "t", "title": None}, {"toolCallId": "t", "title": "x"}]
        decoded = [edition.decode(edition.ToolCallUpdate, wire) for wire in wires]
        self.assertIs(decoded[0].title, edition.UNSET)
        self.assertEqual([decoded[1].title, decoded[2].title], [None, "x"])
        self.assertEqual([edition.encode(value) for value in decoded], wires)
        self.assertEqual(repr(decoded[0]), "ToolCallUpdate(tool_call_id='t')")

    def test_states_survive_replace_and_asdict(self) -> None:
        update = edition.ToolCallUpdate(tool_call_id="t", title=None)
        replaced = dataclasses.replace(update, kind="read")
        self.assertEqual(edition.encode(replaced), {"toolCallId": "t", "title": None, "kind": "read"})
        self.assertIs(dataclasses.asdict(replaced)["status"], edition.UNSET)

    def test_a_malformed_patch_field_is_unset_and_reported(self) -> None:
        issues: list[Any] = []
        value = edition.decode(edition.ToolCallUpdate, {"toolCallId": "t", "title": 5}, issues=issues)
        self.assertIs(value.title, edition.UNSET)
        self.assertEqual([issue.path for issue in issues], ["/title"])

    def test_variants_match_by_class_and_keyword(self) -> None:
        def name(block: Any) -> str:
            match block:
                case edition.TextContent(text=text):
                    return f"text {text}"
                case edition.UnknownContentBlock(tag=tag, is_extension=True):
                    return f"extension {tag}"
                case edition.UnknownContentBlock(tag=tag):
                    return f"later {tag}"
                case _:
                    return "other"

        wires = [{"type": "text", "text": "x"}, {"type": "_mine", "a": 1}, {"type": "hologram"}]
        blocks = [edition.decode("ContentBlock", wire) for wire in wires]
        self.assertEqual([name(block) for block in blocks], ["text x", "extension _mine", "later hologram"])
        self.assertEqual([edition.encode(block, "ContentBlock") for block in blocks], wires)
        self.assertTrue(all(isinstance(block, edition.ContentBlock) for block in blocks))

    def test_unknown_members_are_kept(self) -> None:
        wire = {"text": "x", "later": {"deep": [None]}}
        value = edition.decode(edition.TextContent, wire)
        self.assertEqual(value.extra, {"later": {"deep": [None]}})
        self.assertEqual(edition.encode(dataclasses.replace(value, text="y")), {**wire, "text": "y"})
        block = edition.decode("ContentBlock", {"type": "text", **wire})
        self.assertEqual(block, value)  # the discriminator is no unknown member

    def test_decode_errors_point_at_the_fault(self) -> None:
        cases = [
            ("UpdateSessionNotification", {"sessionId": "s"}, "/update", "missing"),
            (
                "UpdateSessionNotification",
                {"sessionId": "s", "update": {"sessionUpdate": "tool_call_update"}},
                "/update/toolCallId",
                "missing",
            ),
            ("ContentBlock", {"type": "text", "text": 5}, "/text", "expected string, got number 5"),
            ("ContentBlock", [], "", "expected object, got array"),
            ("PromptRequest", {"sessionId": "s", "prompt": []}, "/prompt", "expected at least 1 item"),
        ]
        for name, wire, path, message in cases:
            with self.assertRaises(edition.DecodeError) as raised:
                edition.decode(name, wire)
            self.assertEqual(raised.exception.path, path)
            self.assertTrue(raised.exception.message.startswith(message), raised.exception)
            self.assertIsInstance(raised.exception, ValueError)

    def test_encode_errors_point_at_the_fault(self) -> None:
        text = edition.TextContent
        cases = [
            (text(text=5), "/text", "expected str, got number 5"),
            (text(text=edition.UNSET), "/text", "expected str, got UNSET"),
            (edition.ToolCallUpdate(tool_call_id="t", content=[text(text="x")]), "/content/0", "expected"),
            (edition.ContentChunk(message_id="m", content=text(text=None)), "/content/text", "expected str, got null"),
        ]
        for value, path, message in cases:
            with self.assertRaises(edition.EncodeError) as raised:
                edition.dumps(value)
            self.assertEqual(raised.exception.path, path)
            self.assertTrue(raised.exception.message.startswith(message), raised.exception)
            self.assertIsInstance(raised.exception, TypeError)

    def test_errors_survive_pickle(self) -> None:
        for error in (edition.DecodeError("/a", "message"), edition.EncodeError("/b", "message")):
            clone = pickle.loads(pickle.dumps(error))
            self.assertEqual((type(clone), clone.path, clone.message), (type(error), error.path, error.message))

    def test_text_that_is_not_json_is_a_decode_error(self) -> None:
        for text in ["", "{", "NaN", "1e999", b"\xff", "[" * 100_000, "1" * 5000, '{"text": "x"} x']:
            with self.assertRaises(edition.DecodeError, msg=text[:20]) as raised:
                edition.loads(edition.TextContent, text)
            self.assertEqual(raised.exception.path, "")

    def test_a_message_gets_its_types_by_method(self) -> None:
        message = {"jsonrpc": "2.0", "id": 1, "method": "session/prompt"}
        params = {"sessionId": "s", "prompt": [{"type": "text", "text": "x"}]}
        request = edition.decode_message({**message, "params": params}, "agent")
        self.assertEqual(request.params, edition.decode(edition.PromptRequest, params))
        with self.assertRaises(edition.DecodeError) as raised:
            edition.decode_message({**message, "params": {"prompt": []}}, "agent")
        self.assertTrue(raised.exception.path.startswith("/params/"), raised.exception)


class Constructors(unittest.TestCase):
    """What the generated classes refuse."""

    def test_arguments_are_by_keyword_only(self) -> None:
        with self.assertRaisesRegex(TypeError, "positional"):
            edition.TextContent("x")
        with self.assertRaisesRegex(TypeError, "nonsense"):
            edition.TextContent(text="x", nonsense=1)
        with self.assertRaisesRegex(TypeError, "text"):
            edition.TextContent()


def main(arguments: list[str]) -> None:
    global package, edition, samples, missing
    parent, package_name, edition_name, sample_file, *options = arguments
    sys.path.insert(0, parent)
    package = importlib.import_module(package_name)
    edition = importlib.import_module(f"{package_name}.{edition_name}")
    if Path(package.__file__ or "").resolve().parent != Path(parent, package_name).resolve():
        raise SystemExit(f"imported {package.__file__} instead of the package in {parent}")
    content = json.loads(Path(sample_file).read_text(encoding="utf-8"))
    samples, missing = content["samples"], content["missing"]
    if options == ["--samples-only"]:
        del globals()["AnnotatedV2"]
    elif options:
        raise SystemExit(f"unknown options: {options}")
    unittest.main(module="__main__", argv=[__file__])


if __name__ == "__main__":
    main(sys.argv[1:])
