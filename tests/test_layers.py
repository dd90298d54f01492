"""The house's walls: who may import whom, what the pure part must not touch, no role names in code."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent

FLOORS = {
    "narrator": 0,
    "narrator.child": 0,
    "narrator.clock": 0,
    "narrator.form_faults": 0,
    "narrator.language_tags": 0,
    "narrator.places": 0,
    "narrator.yaml_nodes": 0,
    "narrator.model": 1,
    "narrator.engine": 2,
    "narrator.editions": 3,
    "narrator.narration": 4,
    "narrator.speech": 4,
    "narrator.hearing": 4,
    "narrator.storage": 4,
    "narrator.loading": 4,
    "narrator.table": 5,
    "narrator.making": 6,
    "webpanel": 6,
    "narrator.cli": 7,
    "narrator.__main__": 8,
}
"""Part -> floor. A part may import what lies on a lower floor; the command line starts the panel, so it lies above."""

MAKING = "narrator.making"
"""What makes packs, sounds and benches: commands import it when they are called, nothing else ever does."""
PURE = ("narrator.model", "narrator.engine", "narrator.editions")
# fmt: off
IMPURE_MODULES = frozenset({
    "asyncio", "concurrent", "ctypes", "datetime", "glob", "http", "importlib", "io", "locale", "logging",
    "multiprocessing", "os", "pathlib", "platform", "random", "secrets", "select", "shutil", "signal",
    "socket", "ssl", "subprocess", "sys", "tempfile", "threading", "time", "urllib", "uuid",
})
# fmt: on
IMPURE_CALLS = frozenset({"open", "print", "input", "exec", "eval", "compile", "breakpoint", "__import__"})

NAMELESS = ("narrator/engine", "narrator/table", "webpanel")
"""Folders in whose texts no role and no ruleset may be named."""


# The checkers: each takes a source and gives what is wrong with it


def part_of(module: str) -> str | None:
    """The part of the house a module belongs to: None outside it, "?..." for one without a place."""
    pieces = module.split(".")
    if pieces[0] == "webpanel":
        return "webpanel"
    if pieces[0] != "narrator":
        return None
    part = ".".join(pieces[:2])
    return part if part in FLOORS else f"?{part}"


def imports(tree: ast.Module, module: str, is_package: bool) -> Iterator[tuple[int, str]]:
    """Line and full name of everything a module imports, anywhere in it, dynamic imports by literal name included."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = absolute(node, module, is_package)
            yield from ((node.lineno, f"{base}.{alias.name}") for alias in node.names)
        elif isinstance(node, ast.Call) and called(node) in ("import_module", "__import__"):
            names = [arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
            yield from ((node.lineno, name) for name in names)


def absolute(node: ast.ImportFrom, module: str, is_package: bool) -> str:
    if not node.level:
        return node.module or ""
    pieces = module.split(".")
    kept = pieces[: len(pieces) - node.level + is_package]
    return ".".join([*kept, *filter(None, [node.module])])


def called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def imported_part(name: str) -> str | None:
    """The part an imported name belongs to; `from narrator import __version__` is the bottom floor."""
    pieces = name.split(".")
    if pieces[0] == "narrator" and len(pieces) == 2 and name not in FLOORS:
        return "narrator"
    return part_of(name)


def layer_faults(source: str, module: str, is_package: bool = False) -> list[str]:
    """Imports that go upward or sideways, and parts that have no floor."""
    here = part_of(module)
    if here is None or here not in FLOORS:
        return [f"{module}: has no floor; give {here} one in FLOORS"]
    faults = []
    for line, name in imports(ast.parse(source), module, is_package):
        there = imported_part(name)
        if there is None or there == here:
            continue
        if there not in FLOORS or FLOORS[there] >= FLOORS[here]:
            faults.append(f"{module}:{line}: may import only what lies below it; got {name}")
    return faults


def purity_faults(source: str, module: str, is_package: bool = False) -> list[str]:
    """What the pure part must not import or call: other libraries, chance, time, files, logs."""
    tree = ast.parse(source)
    faults = []
    for line, name in imports(tree, module, is_package):
        top = name.split(".")[0]
        if top != "narrator" and (top not in sys.stdlib_module_names or top in IMPURE_MODULES):
            faults.append(f"{module}:{line}: pure code must not import this; got {name}")
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in IMPURE_CALLS:
            faults.append(f"{module}:{node.lineno}: pure code must not use this; got {node.id}")
    return faults


def making_faults(source: str, module: str, is_package: bool = False) -> list[str]:
    """Imports of the tools by what runs at a table: by modules of another part, but for functions of commands."""
    tree = ast.parse(source)
    if part_of(module) == MAKING:
        return []
    late = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)] if "cli" in module else []
    lines = {line for node in late for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)}
    return [
        f"{module}:{line}: only a function of a command may import the tools; got {name}"
        for line, name in imports(tree, module, is_package)
        if part_of(name) == MAKING and line not in lines
    ]


def words(text: str) -> set[str]:
    return set(re.findall(r"[\w-]+", text))


def docstrings(tree: ast.Module) -> set[ast.AST]:
    """The constants that stand alone as statements: prose for readers, not values."""
    return {
        node.value for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }


def name_faults(source: str, place: str, names: set[str]) -> list[str]:
    """Names of roles and rulesets inside string values of Python code, compared as whole words."""
    tree = ast.parse(source)
    prose = docstrings(tree)
    return [
        f"{place}:{node.lineno}: roles and rulesets are data and must not be named here; got {name}"
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in prose
        for name in sorted(words(node.value) & names)
    ]


def text_name_faults(text: str, place: str, names: set[str]) -> list[str]:
    """The same for templates and scripts, line by line."""
    return [
        f"{place}:{number}: roles and rulesets are data and must not be named here; got {name}"
        for number, line in enumerate(text.splitlines(), 1)
        for name in sorted(words(line) & names)
    ]


def declared_names(ruleset: object) -> set[str]:
    """The id of a ruleset and those of its roles, from its YAML document."""
    if not isinstance(ruleset, dict):
        return set()
    roles = ruleset.get("roles") or []
    ids = list(roles) if isinstance(roles, dict) else [role.get("id") for role in roles if isinstance(role, dict)]
    return {name for name in [ruleset.get("id"), *ids] if isinstance(name, str)}


# The house itself


def modules() -> list[tuple[Path, str]]:
    """Every Python file of the product, and the module's full name."""
    files = sorted([*(ROOT / "narrator").rglob("*.py"), *(ROOT / "webpanel").rglob("*.py")])
    return [(file, module_name(file)) for file in files]


def module_name(file: Path) -> str:
    pieces = file.relative_to(ROOT).with_suffix("").parts
    return ".".join(pieces[:-1] if pieces[-1] == "__init__" else pieces)


def shipped_names() -> set[str]:
    documents = [yaml.safe_load(file.read_text("utf-8")) for file in sorted((ROOT / "rulesets").rglob("*.yaml"))]
    return set().union(*map(declared_names, documents))


def files_of(folder: str, *endings: str) -> list[Path]:
    return sorted(file for ending in endings for file in (ROOT / folder).rglob(f"*{ending}"))


def show(faults: list[str]) -> None:
    assert not faults, "\n" + "\n".join(faults)


def test_imports_go_downward_only() -> None:
    show([f for file, name in modules() for f in layer_faults(file.read_text("utf-8"), name, file.stem == "__init__")])


def test_nothing_that_runs_at_a_table_imports_the_tools() -> None:
    show([f for file, name in modules() for f in making_faults(file.read_text("utf-8"), name, file.stem == "__init__")])


def test_engine_and_model_are_pure() -> None:
    pure = [(file, name) for file, name in modules() if part_of(name) in PURE]
    show([f for file, name in pure for f in purity_faults(file.read_text("utf-8"), name, file.stem == "__init__")])


def test_no_role_or_ruleset_is_named_in_code() -> None:
    names = shipped_names()
    for folder in NAMELESS:
        show([f for file in files_of(folder, ".py") for f in name_faults(file.read_text("utf-8"), str(file), names)])


def test_no_role_or_ruleset_is_named_in_pages() -> None:
    names = shipped_names()
    files = files_of("webpanel", ".html", ".js")
    show([f for file in files for f in text_name_faults(file.read_text("utf-8"), str(file), names)])


# The checkers see what they are there for


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("narrator.engine.night", "import narrator.table"),
        ("narrator.engine.night", "from narrator import table"),
        ("narrator.engine.night", "from narrator.table.game import Table"),
        ("narrator.engine.night", "from ..speech import speaker"),
        ("narrator.engine.night", "def f():\n    from narrator.cli import main"),
        ("narrator.model.seat", "from narrator.engine import legal"),
        ("narrator.speech.queue", "from narrator.storage import journal"),
        ("narrator.table.game", "from webpanel import create_app"),
        ("narrator.table.game", "import importlib\nimportlib.import_module('narrator.cli')"),
        ("narrator.clock", "from narrator.model import seat"),
        ("webpanel.app", "import narrator.cli.play"),
        ("narrator.table.game", "from narrator.stray import x"),
        ("narrator.stray", "x = 1"),
    ],
)
def test_an_import_upward_or_sideways_is_seen(module: str, source: str) -> None:
    assert len(layer_faults(source, module)) == 1


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("narrator.engine.night", "import narrator.model.seat\nfrom narrator.engine import legal\nfrom . import day"),
        (
            "narrator.table.game",
            "from narrator import clock, speech, __version__\nfrom narrator.storage import journal",
        ),
        ("webpanel.app", "import flask\nfrom narrator.table import Table"),
        ("narrator.cli.play", "from webpanel import create_app"),
        ("narrator.__main__", "from narrator.cli import main"),
    ],
)
def test_imports_downward_and_within_a_part_are_allowed(module: str, source: str) -> None:
    assert layer_faults(source, module) == []


def test_relative_imports_of_a_package_are_counted_from_itself() -> None:
    assert layer_faults("from .cli import main", "narrator", is_package=True) != []
    assert layer_faults("from .legal import moves", "narrator.engine", is_package=True) == []


@pytest.mark.parametrize(
    "source",
    [
        "import random",
        "from random import Random",
        "import os.path",
        "from pathlib import Path",
        "import time",
        "def f():\n    import logging",
        "import pydantic",
        "x = open('f')",
        "print('x')",
        "f = __builtins__ and open",
    ],
)
def test_impure_code_in_the_engine_is_seen(source: str) -> None:
    assert purity_faults(source, "narrator.engine.night") != []


def test_pure_code_in_the_engine_is_allowed() -> None:
    source = (
        "import dataclasses\nfrom collections.abc import Callable\nfrom narrator.model import seat\nfrom . import day"
    )
    assert purity_faults(source, "narrator.engine.night") == []


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("narrator.cli.bench", "from narrator.making import scenes"),
        ("narrator.table.game", "def f():\n    import narrator.making.opus"),
        ("webpanel.app", "from narrator.making.kokoro import Kokoro"),
    ],
)
def test_an_import_of_the_tools_is_seen(module: str, source: str) -> None:
    assert len(making_faults(source, module)) == 1


def test_tools_may_be_imported_by_each_other_and_by_a_command_that_is_called() -> None:
    assert making_faults("from narrator.making import opus", "narrator.making.scenes") == []
    assert making_faults("def f():\n    from narrator.making import opus", "narrator.cli.sounds") == []


@pytest.mark.parametrize("source", ["x = 'witch'", "x = {'the witch': 1}", "f(f'{y}: witch')", "x = 'old-7, new'"])
def test_a_name_in_a_string_is_seen(source: str) -> None:
    assert len(name_faults(source, "x.py", {"witch", "old-7"})) == 1


def test_docstrings_and_parts_of_words_are_no_names() -> None:
    source = '"""Of the witch."""\ndef f():\n    """Not for the witch."""\n    return "witchcraft"'
    assert name_faults(source, "x.py", {"witch"}) == []


def test_a_name_in_a_template_is_seen_with_its_line() -> None:
    faults = text_name_faults("<p>\n<i class='witch'>", "a.html", {"witch"})
    assert faults == ["a.html:2: roles and rulesets are data and must not be named here; got witch"]


def test_names_are_read_from_either_way_of_listing_roles() -> None:
    assert declared_names({"id": "a", "roles": {"b": {}, "c": {}}}) == {"a", "b", "c"}
    assert declared_names({"id": "a", "roles": [{"id": "b"}, {"name": "c"}]}) == {"a", "b"}
