"""The Python side of a name, as the generated package has it."""

from __future__ import annotations

from ..formatting import format_module
from ..ir import Enum, EnumValue, Field, Record
from ..views.common import Model
from ..views.literals import literal
from ..views.types import AliasView, ClassView, ConstantsView, FieldView, ItemView, UnknownView, type_items


class PythonTexts:
    """The classes and aliases of one edition, without docstrings."""

    def __init__(self, model: Model) -> None:
        items, unions = type_items(model)
        self._items: dict[str, ItemView] = {item.name: item for item in [*items, *unions]}

    def definition(self, name: str) -> str:
        return format_module(_source(self._items[name])).rstrip("\n")

    def field(self, record: Record, field: Field) -> str:
        """The class of a record with this field alone."""
        view = self._items[record.name]
        assert isinstance(view, ClassView)
        shown = next(shown for shown in view.fields if shown.name == field.name)
        return format_module(f"class {view.name}(Record):\n{_member(shown)}\n    ...").rstrip("\n")


def constant_text(enum: Enum, value: EnumValue) -> str:
    """The constant of an enum's value."""
    return format_module(f"{enum.name}Values.{value.name} == {literal(value.value)}").rstrip("\n")


def _source(item: ItemView) -> str:
    if isinstance(item, AliasView):
        return f"{item.name}: TypeAlias = {item.expression}"
    if isinstance(item, ConstantsView):
        constants = [f"    {constant.name}: Final = {constant.value}" for constant in item.constants]
        return "\n".join([f"class {item.name}(EnumValues):", *constants])
    if isinstance(item, UnknownView):
        properties = [f"    {name}: {annotation}" for name, annotation, _ in item.properties]
        return "\n".join([f"class {item.name}(Unknown):", "    tag: str", "    raw: dict[str, Any]", *properties])
    tag = [f"    {item.tag}"] if item.tag else []
    fields = [_member(field) for field in item.fields]
    return "\n".join([f"class {item.name}(Record):", *tag, *fields, "    extra: dict[str, Any] | None = None"])


def _member(field: FieldView) -> str:
    return f"    {field.name}: {field.annotation}{field.default}"
