"""Render an edition's modules: one Jinja2 environment, and which template makes which file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from . import __version__
from .errors import printable
from .ir import Edition, Union_
from .layout import Pair, pair_module
from .modules import Imports, assemble
from .passes.conversion import Direction
from .passes.shapes import homes
from .views.api import codec_items, method_items, variant_items
from .views.common import Model, function
from .views.conversions import direction_view, hand_written, side_view
from .views.literals import docstring, literal
from .views.reading import read_items
from .views.rules import rule_items
from .views.session import session_view
from .views.types import type_items
from .views.updates_page import stored_entities, update_rows
from .views.writing import write_items

_CAREFUL = (
    "ANYTHING BOOLEAN INTEGER NUMBER TEXT FirstOf Integer Items Members Named Number Object OneOf OrNull Other Rule "
    "Tagged Text defaulted optional patch required"
)
_PLANS = "Accepted Alias ByHand Each Fields FirstOf Limits Member Members Option Refused Renamed Slot Table Tags Values"
_FOLD = "Change UpdateSpec merged owned owned_update read_base64 run_key write_base64 wrong_types"
_SESSION = "ChunkRule EntityRule FieldRule Session SnapshotRule"
_FAST_READ = "Fault Reader among extra_fields keep_unknown new"
_FAST_WRITE = (
    "Fault Writer array boolean close extra_text free free_object integer integer_of mapping nullable number quote "
    "string_of try_writers unknown_text"
)


class Renderer:
    """Templates in, module texts out."""

    def __init__(self, templates: Path) -> None:
        self._environment = Environment(
            loader=FileSystemLoader(templates),
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
            autoescape=False,
        )

    def edition(self, edition: Edition) -> dict[str, str]:
        """The files of one edition's subpackage, not yet formatted."""
        model = Model(edition)
        header = self._header(edition)
        classes = _class_names(model)
        title = f"{edition.title} ({edition.name})"
        items, unions = type_items(model)
        exports = [item.name for item in [*items, *unions]]
        readers, read_constants = read_items(model)
        writers, write_constants = write_items(model)
        checks = tuple(f"check_{item.function}" for item in readers if item.kind == "check")
        codecs = codec_items(model)
        functions = [f"{verb}_{codec.function}" for codec in codecs for verb in ("decode", "encode")]
        unknowns = [
            (literal(d.unknown.name), f"write_{function(d.unknown.name)}")
            for d in model.public()
            if isinstance(d, Union_) and d.unknown
        ]
        return {
            "types.py": assemble(
                header,
                f"Types of the {title}, in schema order.",
                [
                    Imports("dataclasses", ("dataclass", "field")),
                    Imports("typing", ("Annotated", "Any", "ClassVar", "Final", "Literal", "TypeAlias")),
                    Imports(".._enums", ("EnumValues",)),
                    Imports(".._record", ("Record", "Unknown")),
                    Imports(".._unset", ("UNSET", "Patch")),
                ],
                self._render("types.py.j2", items=items, unions=unions),
                export=exports,
            ),
            "_read.py": assemble(
                header,
                f"Fast readers of the {title}: strictly valid JSON only, a fault for everything else.",
                [
                    Imports("re"),
                    Imports("math", ("isfinite",)),
                    Imports("typing", ("Any",)),
                    Imports(".._fast", tuple(_FAST_READ.split())),
                    Imports(".._unset", ("UNSET",)),
                    Imports(".types", classes),
                ],
                self._render("read.py.j2", items=readers, constants=read_constants),
            ),
            "_write.py": assemble(
                header,
                f"Fast writers of the {title}: JSON text of exactly the declared types, a fault for others.",
                [
                    Imports("typing", ("Any",)),
                    Imports(".._fast", tuple(_FAST_WRITE.split())),
                    Imports(".._unset", ("UNSET",)),
                    Imports("._read", checks),
                    Imports(".types", classes),
                ],
                self._render("write.py.j2", items=writers, constants=write_constants),
            ),
            "_rules.py": assemble(
                header,
                f"Rules of the {title}, for the careful path.",
                [Imports(".._careful", tuple(_CAREFUL.split())), Imports(".types", classes)],
                self._render("rules.py.j2", rules=rule_items(model)),
            ),
            "codec.py": assemble(
                header,
                f"Decoding and encoding of the {title}.",
                [
                    Imports("collections.abc", ("Callable", "Mapping")),
                    Imports("typing", ("Any", "Final")),
                    Imports(".", ("_read", "_write", "types")),
                    Imports(".._careful", ("Rule",)),
                    Imports(".._codec", ("Codec",)),
                    Imports(".._errors", ("Issue",)),
                ],
                self._render("codec.py.j2", codecs=codecs, variants=variant_items(model), unknowns=unknowns),
                export=["decode", "dumps", "encode", "loads", *functions],
            ),
            "methods.py": assemble(
                header,
                f"Methods and whole messages of the {title}.",
                [
                    Imports("typing", ("Final",)),
                    Imports(".", ("types",)),
                    Imports(".._messages", ("Messages", "MethodSpec")),
                    Imports(".codec", ("CODEC",)),
                ],
                self._render("methods.py.j2", methods=method_items(edition.methods), has_batches=edition.has_batches),
            ),
            **self._session(model, header, title, classes),
            "__init__.py": self._render(
                "edition_init.py.j2",
                header=header,
                doc=docstring(f"{title}: types, codecs and methods.", 0),
                session=edition.session is not None,
            ),
        }

    def _session(self, model: Model, header: str, title: str, classes: tuple[str, ...]) -> dict[str, str]:
        if model.edition.session is None:
            return {}
        view = session_view(model.edition.session, model)
        exports = ["UPDATES", "SessionHandler", "SessionState", "apply_update", "coalesce", "diff", "dispatch"]
        exports += ["merge", "replay"] + ["mark_cancelled"] * bool(view.cancels)
        exports += [entity.name for entity in view.entities] + [group.name for group in view.groups]
        exports += [feeder.function for feeder in view.feeders] + [answer.function for answer in view.answers]
        text = assemble(
            header,
            f"Session state of the {title}: what its updates add up to.",
            [
                Imports("collections.abc", ("Callable",)),
                Imports("dataclasses", ("dataclass", "field")),
                Imports("typing", ("Any", "Final")),
                Imports(".._record", ("Record",)),
                Imports(".._fold", tuple(_FOLD.split())),
                Imports(".._session", tuple(_SESSION.split())),
                Imports(".._unset", ("UNSET",)),
                Imports(".codec", ("CODEC",)),
                Imports(".types", classes),
            ],
            self._render("session.py.j2", session=view),
            export=exports,
        )
        page = self._render(
            "updates.md.j2",
            title=title,
            source=model.edition.source,
            rows=update_rows(model.edition.session),
            is_open=bool(view.unknown),
            entities=stored_entities(model.edition.session),
        )
        return {"session.py": text, "UPDATES.md": page}

    def package(self) -> str:
        """The package's own ``__init__.py``."""
        return self._render("package_init.py.j2", version=__version__)

    def bridge(self) -> str:
        """The entry points of conversion."""
        return self._render("bridge.py.j2", version=__version__)

    def bridge_table(self, pairs: list[Pair]) -> str:
        """The module that joins the conversions of these pairs."""
        return self._render("bridge_table.py.j2", version=__version__, modules=[pair_module(pair) for pair in pairs])

    def shared_sentinel(self, module: str) -> str:
        """The sentinel's module of a copy that has it from another one."""
        return self._render("shared_sentinel.py.j2", version=__version__, module=module)

    def conversions(self, editions: list[Edition], directions: list[Direction], versions: dict[str, int]) -> str:
        """The conversions between two editions."""
        sides = [side_view(edition.name, versions[edition.name], homes(edition)) for edition in editions]
        functions = [Imports(module, tuple(names)) for module, names in hand_written(directions).items()]
        return assemble(
            self._header(*editions),
            "How the definitions of one edition become those of the other: only what differs.",
            [
                Imports("collections.abc", ("Callable",)),
                Imports("functools", ("cache",)),
                Imports("typing", ("Final",)),
                Imports("._conversion", ("Link", "Side")),
                *functions,
                Imports("._plans", tuple(_PLANS.split())),
            ],
            self._render("conversions.py.j2", sides=sides, directions=[direction_view(d) for d in directions]),
        )

    def _header(self, *editions: Edition) -> str:
        sources = ", ".join(printable(edition.source) for edition in editions)
        checksums = ", ".join(edition.sha256 for edition in editions)
        return self._render("header.j2", version=__version__, source=sources, sha256=checksums)

    def _render(self, template: str, /, **context: Any) -> str:
        return self._environment.get_template(template).render(context)


def _class_names(model: Model) -> tuple[str, ...]:
    names: list[str] = []
    for definition in model.public():
        names.append(definition.name)
        if isinstance(definition, Union_) and definition.unknown:
            names.append(definition.unknown.name)
    return tuple(names)
