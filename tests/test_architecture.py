"""Who may import whom in the generator, and what a module or template may not do."""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import jinja2
import pytest
from jinja2 import nodes

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "codegen" / "acp_codegen"
TEMPLATES = ROOT / "templates"

# The one module that may import a dependency; everything else needs the standard library alone.
DEPENDENCIES = {
    "datamodel_code_generator": {"frontend"},
    "jinja2": {"render", "report.page"},
    "black": {"formatting"},
    "typer": {"cli", "cli.drift", "cli.explain", "cli.generate", "cli.sync", "cli.terminal", "cli.vendor"},
}

# What a module may import of the package, in the order of the pipeline: each knows only what stands before it.
# "" is the package itself, which holds the version. A new module has to be placed here.
TALKS_TO_USERS = ("cli", "__main__")
BASICS = {"errors", "jsontypes"}
ALLOWED: dict[str, set[str]] = {
    "": set(),
    "errors": set(),
    "jsontypes": set(),
    "lock": {"jsontypes"},
    "vocabulary": BASICS,
    "load": {*BASICS, "vocabulary"},
    "resources": {*BASICS, "load"},
    "ir": {"jsontypes"},
    "parts": BASICS,
    "inline": {*BASICS, "parts"},
    "normalise": {*BASICS, "inline", "ir", "parts"},
    "frontend": {*BASICS, "ir", "normalise"},
    "passes": set(),
    "passes.defaults": {*BASICS, "ir"},
    "passes.methods": {*BASICS, "ir"},
    "passes.naming": {*BASICS, "ir"},
    "passes.presence": {*BASICS, "ir"},
    "passes.updates": {*BASICS, "ir"},
    "definitions": {
        "ir",
        "load",
        "normalise",
        "frontend",
        "passes.defaults",
        "passes.naming",
        "passes.presence",
    },
    "passes.session_places": {*BASICS, "ir"},
    "passes.feeds": {*BASICS, "ir"},
    "passes.state": {
        *BASICS,
        "ir",
        "passes.defaults",
        "passes.feeds",
        "passes.naming",
        "passes.session_places",
    },
    "rulebook.kinds": set(),
    "rulebook.session": {"rulebook.kinds"},
    "rulebook.setup": {"rulebook.kinds"},
    "rulebook": {"rulebook.kinds", "rulebook.session", "rulebook.setup"},
    "layout": {"rulebook.kinds"},
    "passes.shapes": {"ir"},
    "passes.pruning": set(),
    "passes.explained": {"errors", "rulebook.kinds"},
    "passes.counterparts": {"errors", "ir", "passes.explained", "rulebook.kinds"},
    "passes.type_plans": {"errors", "ir", "passes.counterparts", "passes.shapes"},
    "passes.conversion": {
        "ir",
        "passes.counterparts",
        "passes.explained",
        "passes.pruning",
        "passes.shapes",
        "passes.type_plans",
        "rulebook.kinds",
    },
    "views": set(),
    "views.literals": {"errors"},
    "views.common": {"ir", "passes.naming", "views.literals"},
    "views.types": {"ir", "passes.naming", "views.common", "views.literals"},
    "views.reading": {"ir", "jsontypes", "views.common", "views.literals", "views.types"},
    "views.writing": {"ir", "views.common", "views.literals", "views.types"},
    "views.rules": {"ir", "jsontypes", "views.common", "views.literals", "views.types"},
    "views.session_messages": {"ir", "passes.naming", "views.common", "views.literals"},
    "views.session": {
        "ir",
        "passes.naming",
        "views.common",
        "views.literals",
        "views.session_messages",
        "views.types",
    },
    "views.updates_page": {"ir"},
    "views.api": {"ir", "views.common", "views.literals", "views.writing"},
    "views.conversions": {"passes.conversion", "views.literals"},
    "modules": {"views.literals"},
    "render": {
        "",
        "errors",
        "ir",
        "layout",
        "modules",
        "passes.conversion",
        "passes.shapes",
        "views.api",
        "views.common",
        "views.conversions",
        "views.literals",
        "views.reading",
        "views.rules",
        "views.session",
        "views.types",
        "views.updates_page",
        "views.writing",
    },
    "formatting": {"views.literals"},
    "manifest": {"", *BASICS, "ir"},
    "output": {"errors", "manifest"},
    "pipeline": {
        "",
        *BASICS,
        "resources",
        "load",
        "layout",
        "ir",
        "definitions",
        "passes.conversion",
        "passes.methods",
        "passes.state",
        "passes.updates",
        "render",
        "rulebook",
        "rulebook.kinds",
        "formatting",
        "manifest",
    },
    "stock": {"errors", "resources", "layout", "render", "formatting", "manifest"},
    "copies": {"errors", "manifest", "output"},
    "vendor": {"errors", "resources", "manifest", "output", "stock", "copies"},
    "pairing": {"jsontypes", "lock"},
    "renaming": {"jsontypes", "pairing"},
    "graft": {"jsontypes", "lock", "pairing", "renaming"},
    "decisions": {
        *BASICS,
        "ir",
        "normalise",
        "frontend",
        "passes.naming",
        "passes.presence",
        "passes.state",
        "passes.updates",
    },
    "overlay": {"errors", "load", "resources", "graft", "decisions"},
    "lockfile": {*BASICS, "load"},
    "aside": {*BASICS, "load", "graft"},
    "replacing": {"errors"},
    "sync": {
        "errors",
        "load",
        "lock",
        "resources",
        "passes.updates",
        "graft",
        "decisions",
        "lockfile",
        "aside",
        "replacing",
    },
    "drift": set(),
    "drift.model": {"jsontypes"},
    "drift.catalogue": set(),
    "drift.catalogue.rule": {"jsontypes", "drift.model"},
    "drift.catalogue.definitions": {"drift.catalogue.rule"},
    "drift.catalogue.enums": {"jsontypes", "drift.catalogue.rule"},
    "drift.catalogue.fields": {"drift.catalogue.rule"},
    "drift.catalogue.locked": {"drift.catalogue.rule"},
    "drift.catalogue.methods": {"jsontypes", "drift.catalogue.rule"},
    "drift.catalogue.session": {"jsontypes", "drift.catalogue.rule"},
    "drift.catalogue.types": {"drift.catalogue.rule"},
    "drift.catalogue.unions": {"jsontypes", "drift.catalogue.rule"},
    "drift.rules": {
        "drift.catalogue.definitions",
        "drift.catalogue.enums",
        "drift.catalogue.fields",
        "drift.catalogue.locked",
        "drift.catalogue.methods",
        "drift.catalogue.rule",
        "drift.catalogue.session",
        "drift.catalogue.types",
        "drift.catalogue.unions",
    },
    "drift.page": {"drift.catalogue.rule", "drift.model", "drift.rules"},
    "drift.wording": {"ir", "jsontypes"},
    "drift.places": {"jsontypes", "lock"},
    "drift.version": {*BASICS, "load", "ir", "definitions", "passes.methods"},
    "drift.filling": {"ir", "jsontypes", "drift.version"},
    "drift.fitting": {"ir", "passes.defaults", "drift.model", "drift.version"},
    "drift.findings": {
        "jsontypes",
        "pairing",
        "drift.fitting",
        "drift.model",
        "drift.places",
        "drift.rules",
        "drift.version",
    },
    "drift.canonical": {"jsontypes", "lock"},
    "drift.types": {"ir", "drift.findings", "drift.fitting", "drift.model", "drift.wording"},
    "drift.fields": {
        "ir",
        "drift.filling",
        "drift.findings",
        "drift.fitting",
        "drift.model",
        "drift.types",
        "drift.version",
        "drift.wording",
    },
    "drift.enums": {"ir", "drift.findings", "drift.wording"},
    "drift.unions": {"ir", "drift.findings", "drift.fitting", "drift.model", "drift.version", "drift.wording"},
    "drift.definitions": {
        "ir",
        "jsontypes",
        "pairing",
        "drift.enums",
        "drift.fields",
        "drift.findings",
        "drift.places",
        "drift.types",
        "drift.unions",
        "drift.version",
    },
    "drift.methods": {
        "ir",
        "jsontypes",
        "drift.canonical",
        "drift.findings",
        "drift.fitting",
        "drift.model",
        "drift.wording",
    },
    "drift.annotations": {"jsontypes", "lock", "drift.findings", "drift.model", "drift.places", "drift.wording"},
    "drift.remarks": {"jsontypes", "drift.canonical", "drift.findings", "drift.places"},
    "drift.compare": {
        "load",
        "pairing",
        "drift.annotations",
        "drift.definitions",
        "drift.findings",
        "drift.methods",
        "drift.model",
        "drift.remarks",
        "drift.version",
    },
    "drift.severities": {*BASICS, "load", "drift.model", "drift.rules"},
    "drift.locked": {*BASICS, "load", "lock", "lockfile", "drift.model", "drift.rules"},
    "report.words": {"drift.model"},
    "report.lines": {"jsontypes"},
    "report.markup": {"errors"},
    "report.sides": {*BASICS, "report.words"},
    "report.terminal": {"errors", "drift.model", "report.words"},
    "report.document": {"jsontypes", "drift.model"},
    "report.markdown": {"drift.model", "report.markup", "report.words"},
    "report.workflow": {*BASICS, "drift.model", "report.lines", "report.words"},
    "report.changelog": {"drift.model", "report.markup", "report.words"},
    "report.page_view": {*BASICS, "drift.model", "drift.rules", "report.sides", "report.words"},
    "report.page": {"drift.model", "resources", "report.page_view"},
    "report": {
        "drift.model",
        "report.changelog",
        "report.document",
        "report.markdown",
        "report.page",
        "report.terminal",
        "report.workflow",
    },
    "explain": set(),
    "explain.names": {"ir", "jsontypes", "normalise", "passes.methods", "passes.naming"},
    "explain.lookup": {*BASICS, "load", "lock", "resources", "rulebook.kinds", "explain.names"},
    "explain.python": {"formatting", "ir", "views.common", "views.literals", "views.types"},
    "explain.samples": {*BASICS, "ir", "passes.naming"},
    "explain.reading": {"ir", "views.common"},
    "explain.session": {"ir", "views.updates_page"},
    "explain.uses": {"ir", "jsontypes"},
    "explain.page": {
        *BASICS,
        "ir",
        "views.common",
        "views.types",
        "explain.names",
        "explain.python",
        "explain.reading",
        "explain.samples",
        "explain.session",
        "explain.uses",
    },
    "explain.layout": {"explain.page"},
    "explain.answer": {"jsontypes", "pipeline", "explain.lookup", "explain.names", "explain.page"},
    "cli.terminal": {"errors"},
    "cli.completion": {"errors", "resources", "load", "explain.names"},
    "cli.drift": {
        "errors",
        "load",
        "lockfile",
        "resources",
        "drift.compare",
        "drift.locked",
        "drift.model",
        "drift.severities",
        "report",
        "cli.completion",
        "cli.terminal",
    },
    "cli.explain": {"explain.answer", "explain.layout", "cli.completion", "cli.terminal"},
    "cli.generate": {
        "errors",
        "load",
        "resources",
        "pipeline",
        "manifest",
        "output",
        "decisions",
        "overlay",
        "cli.terminal",
    },
    "cli.sync": {"aside", "sync", "cli.terminal"},
    "cli.vendor": {"errors", "resources", "manifest", "vendor", "cli.completion", "cli.terminal"},
    "cli": {"", "cli.terminal", "cli.drift", "cli.explain", "cli.generate", "cli.sync", "cli.vendor"},
    "__main__": {"cli"},
}

# What the generator uses of the runtime: conversion tables are made of the classes that carry them out.
RUNTIME_IN_GENERATOR = {
    "rulebook.kinds": {"runtime._plans"},
    "rulebook.session": {"runtime._conversion_session", "runtime._plans"},
    "rulebook.setup": {"runtime._conversion_setup", "runtime._plans"},
    "passes.pruning": {"runtime._plans"},
    "passes.type_plans": {"runtime._plans"},
    "passes.conversion": {"runtime._plans"},
}

LONGEST = 450
LONGER = {"runtime._careful": 900}  # one interpreter for every type: it reads in one go
LONGEST_TEMPLATE = 80


def _name(path: Path) -> str:
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {_name(path): path for path in sorted(PACKAGE.rglob("*.py"))}
TREES = {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in MODULES.items()}
GENERATOR = sorted(name for name in MODULES if not name.startswith("runtime"))
RUNTIME = sorted(name for name in MODULES if name.startswith("runtime"))


def _imports(name: str) -> Iterator[tuple[bool, str]]:
    """Every import of a module, inside functions too: whether it is relative, and the name of what it imports."""
    package = name.split(".") if MODULES[name].name == "__init__.py" and name else name.split(".")[:-1]
    for node in ast.walk(TREES[name]):
        if isinstance(node, ast.Import):
            yield from ((False, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield False, node.module or ""
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1]
            target = ".".join([*base, *([node.module] if node.module else [])])
            for alias in node.names:
                inner = f"{target}.{alias.name}".lstrip(".")
                yield True, inner if inner in MODULES else target


def _foreign(name: str) -> set[str]:
    """The packages beyond the standard library that a module imports."""
    roots = {target.split(".")[0] for relative, target in _imports(name) if not relative}
    return roots - set(sys.stdlib_module_names)


# --------------------------------------------------------------------------------------------------- imports


def test_every_module_has_its_place_in_the_table() -> None:
    assert set(GENERATOR) == set(ALLOWED)


@pytest.mark.parametrize("name", GENERATOR)
def test_module_imports_only_what_stands_before_it(name: str) -> None:
    own = {target for relative, target in _imports(name) if relative}
    allowed = ALLOWED.get(name, set()) | RUNTIME_IN_GENERATOR.get(name, set())
    assert own <= allowed, f"{name} imports {sorted(own - allowed)}"


def test_the_table_has_no_cycle() -> None:
    """Each module stands after everything that it may import."""
    order = list(ALLOWED)
    for name, targets in ALLOWED.items():
        late = [target for target in targets if order.index(target) >= order.index(name)]
        assert late == [], f"{name} stands before {late}"


@pytest.mark.parametrize("name", GENERATOR)
def test_only_one_module_imports_each_dependency(name: str) -> None:
    allowed = {dependency for dependency, users in DEPENDENCIES.items() if name in users}
    assert _foreign(name) <= allowed, f"{name} imports {sorted(_foreign(name) - allowed)}"


def test_every_dependency_is_used_where_the_table_says() -> None:
    used = {dependency: {name for name in GENERATOR if dependency in _foreign(name)} for dependency in DEPENDENCIES}
    assert used == DEPENDENCIES


@pytest.mark.parametrize("name", RUNTIME)
def test_runtime_imports_the_standard_library_and_itself(name: str) -> None:
    """It is copied out of this package: nothing of the generator goes with it."""
    assert _foreign(name) == set()
    assert "acp_codegen" not in {target.split(".")[0] for _, target in _imports(name)}
    assert {target for relative, target in _imports(name) if relative} <= set(RUNTIME)


@pytest.mark.parametrize("name", MODULES)
def test_nothing_is_imported_behind_the_back_of_this_test(name: str) -> None:
    hidden = {"__import__", "import_module", "exec", "eval"}
    called = {_called(node) for node in ast.walk(TREES[name]) if isinstance(node, ast.Call)}
    assert called & hidden == set()


# ------------------------------------------------------------------------------------------- prints and exits


def _called(call: ast.Call) -> str:
    function = call.func
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _talk(tree: ast.Module) -> list[str]:
    """Every place where a module prints, reads the terminal or ends the process."""
    found: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _called(node) in {"print", "input", "exit", "quit", "_exit", "abort"}:
            found.append(f"{_called(node)} in line {node.lineno}")
        elif isinstance(node, ast.Attribute) and node.attr in {"stdout", "stderr", "stdin"}:
            found.append(f"{node.attr} in line {node.lineno}")
        elif isinstance(node, ast.Name) and node.id in {"SystemExit", "KeyboardInterrupt"}:
            found.append(f"{node.id} in line {node.lineno}")
    return found


@pytest.mark.parametrize("name", [name for name in MODULES if name.split(".")[0] not in TALKS_TO_USERS])
def test_only_the_command_line_prints_and_exits(name: str) -> None:
    assert _talk(TREES[name]) == []


# ------------------------------------------------------------------------------------- size, editions, schemas


@pytest.mark.parametrize("name", MODULES)
def test_module_is_short_enough_to_read(name: str) -> None:
    lines = len(MODULES[name].read_text(encoding="utf-8").splitlines())
    assert lines <= LONGER.get(name, LONGEST), f"{name} has {lines} lines"


@pytest.mark.parametrize("name", [name for name in MODULES if name != "__main__"])
def test_module_says_what_it_is_for(name: str) -> None:
    assert ast.get_docstring(TREES[name]), name


def _strings(tree: ast.Module) -> Iterator[str]:
    """String literals in the code, docstrings and other loose strings left out."""
    loose = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in loose:
            yield node.value


@pytest.mark.parametrize("name", [name for name in MODULES if name != "rulebook.kinds"])
def test_no_edition_is_named_in_the_code(name: str) -> None:
    """What the generator knows about an edition comes from its schema."""
    edition = re.compile(r"v\d+([_-]\d+)*")
    assert [text for text in _strings(TREES[name]) if edition.fullmatch(text)] == []


@pytest.mark.parametrize("name", [name for name in GENERATOR if not name.startswith("rulebook")])
def test_no_definition_and_no_update_is_named_in_the_code(name: str) -> None:
    """Nor does it know a type or a session update by name."""
    definitions = json.loads((ROOT / "schema" / "v2" / "schema.json").read_text(encoding="utf-8"))["$defs"]
    updates = {
        branch["properties"]["sessionUpdate"]["const"]
        for branch in definitions["SessionUpdate"]["anyOf"]
        if "x-update" in branch
    }
    assert set(_strings(TREES[name])) & ({*definitions} | updates) == set()


# ------------------------------------------------------------------------------------------------- templates


TEMPLATE_FILES = sorted(path.relative_to(TEMPLATES).as_posix() for path in TEMPLATES.rglob("*.j2"))
FORMATTING_FILTERS = {"join", "length", "map"}


def _template(name: str) -> nodes.Template:
    source = (TEMPLATES / name).read_text(encoding="utf-8")
    return jinja2.Environment(trim_blocks=True, lstrip_blocks=True).parse(source)


def _is_plain(condition: nodes.Node) -> bool:
    """Whether a view took the decision: an attribute, its negation, or which kind of item this is."""
    if isinstance(condition, nodes.Not):
        return _is_plain(condition.node)
    if isinstance(condition, nodes.Compare):
        (operand,) = condition.ops
        is_kind = isinstance(condition.expr, nodes.Getattr) and condition.expr.attr == "kind"
        return is_kind and operand.op == "eq" and isinstance(operand.expr, nodes.Const)
    return isinstance(condition, (nodes.Name, nodes.Getattr))


def _decisions(template: nodes.Template) -> Iterator[str]:
    """Everything in a template that is more than a loop or a plain if."""
    plain: set[int] = set()
    for node in template.find_all((nodes.If, nodes.CondExpr, nodes.For)):
        condition = node.test
        if condition is not None and _is_plain(condition):
            plain |= {id(condition), *(id(inner) for inner in condition.find_all(nodes.Node))}
        elif condition is not None:
            yield f"line {node.lineno}: a condition that is no plain attribute"
    for node in template.find_all((nodes.And, nodes.Or, nodes.Compare, nodes.Test)):
        if id(node) not in plain:
            yield f"line {node.lineno}: {type(node).__name__.lower()}"
    for filter_ in template.find_all(nodes.Filter):
        if filter_.name not in FORMATTING_FILTERS:
            yield f"line {filter_.lineno}: the filter {filter_.name}"
    for assignment in template.find_all((nodes.Assign, nodes.AssignBlock)):
        yield f"line {assignment.lineno}: an assignment"


@pytest.mark.parametrize("name", TEMPLATE_FILES)
def test_template_is_short(name: str) -> None:
    lines = len((TEMPLATES / name).read_text(encoding="utf-8").splitlines())
    assert lines <= LONGEST_TEMPLATE, f"{name} has {lines} lines"


@pytest.mark.parametrize("name", TEMPLATE_FILES)
def test_template_only_loops_and_asks_plain_questions(name: str) -> None:
    """Decisions are made in passes and views, where they can be read and tested."""
    assert list(_decisions(_template(name))) == []


def test_the_template_test_sees_decisions() -> None:
    """Each of these would be one; a plain question is none."""
    environment = jinja2.Environment()
    decisive = [
        "{% if a.b and a.c %}{% endif %}",
        '{{ "x" if a.b != "None" }}',
        "{{ a.b or c }}",
        "{% for a in b if a.tag != 'x' %}{% endfor %}",
        "{{ a | selectattr('x') }}",
        "{% set x = 1 %}",
        "{% if a is defined %}{% endif %}",
        "{% if f(a) %}{% endif %}",
    ]
    for source in decisive:
        assert list(_decisions(environment.parse(source))), source
    plain = '{% if not a.b %}{{ c | join(", ") }}{% elif a.kind == "x" %}{{ "y" if a.b }}{% endif %}'
    assert list(_decisions(environment.parse(plain))) == []


def test_every_template_is_rendered_or_imported() -> None:
    renderers = [MODULES["render"], MODULES["report.page"]]
    texts = [path.read_text(encoding="utf-8") for path in [*renderers, *TEMPLATES.rglob("*.j2")]]
    assert [name for name in TEMPLATE_FILES if not any(f'"{name}"' in text for text in texts)] == []
