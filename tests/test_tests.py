"""What holds for every test: it asserts something, and no clock on a wall says whether it holds."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent

ASSERTING = frozenset({"pytest.raises", "pytest.warns", "pytest.fail", "AssertionError"})
WAITING = frozenset({"wait_for", "wait_for_selector", "wait_for_function"})
"""What a browser's page raises an error from where it never comes."""
TIMES = frozenset({"time", "monotonic", "perf_counter", "sleep", "wait_for_timeout"})
TELLING_TIME = {
    "hearing/report.py": "tells how long listening takes, and asserts nothing",
    "speech/listening.py": "waits for threads and devices, as long as it takes",
    "webpanel/phones.py": "waits for a real browser, as long as it takes",
    "webpanel/test_server.py": "compares two samples of times that were taken in turns",
    "webpanel/browser_waking.py": "lets a real browser speak between turns of the page's own clock",
    "webpanel/conftest.py": "lets a page come to rest for its picture",
    "test_start.py": "waits for a real installation that is to be broken off",
}
"""What looks at a real clock, and why it may."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


# The checkers


def functions(tree: ast.AST) -> Iterator[Function]:
    return (node for node in ast.walk(tree) if isinstance(node, Function))


def called(function: Function) -> set[str]:
    """The last names of all that is called."""
    calls = [node.func for node in ast.walk(function) if isinstance(node, ast.Call)]
    return {call.attr if isinstance(call, ast.Attribute) else ast.unparse(call) for call in calls}


def asserts(function: Function) -> bool:
    """Whether something in a function itself may fail it."""
    said = {ast.unparse(node) for node in ast.walk(function) if isinstance(node, ast.Attribute | ast.Name)}
    return any(isinstance(node, ast.Assert) for node in ast.walk(function)) or bool(
        ASSERTING & said or WAITING & called(function)
    )


def helpers_that_assert(trees: list[ast.Module], known: frozenset[str] = frozenset()) -> frozenset[str]:
    """The names of which every helper asserts something, itself or through another; `known`: those from elsewhere."""
    named: dict[str, list[Function]] = {}
    for function in chain.from_iterable(map(functions, trees)):
        named.setdefault(function.name, []).append(function)
    found = known - named.keys()
    while more := {
        name
        for name, same in named.items()
        if name not in found and all(asserts(one) or found & called(one) for one in same)
    }:
        found |= more
    return found


def idle_tests(tree: ast.Module, elsewhere: frozenset[str] = frozenset()) -> list[str]:
    """The tests of a file in which nothing is asserted, neither by its own helpers nor by those `elsewhere`."""
    helpers = helpers_that_assert([tree], elsewhere)
    tests = [function for function in functions(tree) if function.name.startswith("test_")]
    return [test.name for test in tests if not asserts(test) and not helpers & called(test)]


def looks_at_the_clock(tree: ast.Module) -> list[str]:
    """Where a file asks a real clock, or lets real time pass."""
    asked = [
        node
        for node in ast.walk(tree)
        if (isinstance(node, ast.Attribute) and node.attr == "wait_for_timeout")
        or (isinstance(node, ast.Attribute) and node.attr in TIMES and ast.unparse(node.value) == "time")
        or (isinstance(node, ast.ImportFrom) and node.module == "time")
    ]
    return [f"line {node.lineno}: {ast.unparse(node)}" for node in asked]


@cache
def files() -> dict[str, ast.Module]:
    """Every file of tests, by its path from here."""
    paths = sorted(TESTS.rglob("*.py"))
    return {path.relative_to(TESTS).as_posix(): ast.parse(path.read_text("utf-8")) for path in paths}


# The house of tests


def test_every_test_asserts_something() -> None:
    helpers = helpers_that_assert(list(files().values()))
    found = {path: idle_tests(tree, helpers) for path, tree in files().items()}
    assert {path: tests for path, tests in found.items() if tests} == {}


def test_no_test_looks_at_the_clock_on_the_wall() -> None:
    found = {path: looks_at_the_clock(tree) for path, tree in files().items() if path not in TELLING_TIME}
    assert {path: places for path, places in found.items() if places} == {}
    assert [path for path in TELLING_TIME if not looks_at_the_clock(files()[path])] == []


# The checkers see what they must


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("def test_it(): play()", []),
        ("def test_it(): sing()", ["test_it"]),
        ("def play(): 2\ndef test_it(): play()", ["test_it"]),
        ("def test_it(): assert play()", []),
        ("def test_it():\n    with pytest.raises(ValueError): play()", []),
        ("def test_it(): pytest.fail('never')", []),
        ("def test_it(page): page.wait_for_selector('b')", []),
        ("def play(): assert True\ndef test_it(): play()", []),
        ("def play(): assert True\ndef evening(): play()\ndef test_it(): evening()", []),
        (
            "class A:\n def play(self): assert True\nclass B:\n def play(self): pass\ndef test_it(): B().play()",
            ["test_it"],
        ),
        ("class TestIt:\n    def test_it(self): sing()", ["test_it"]),
    ],
)
def test_a_test_that_cannot_fail_is_seen(source: str, found: list[str]) -> None:
    assert idle_tests(ast.parse(source), frozenset({"play"})) == found


@pytest.mark.parametrize(
    "source",
    [
        "import time\ntime.sleep(1)",
        "assert time.monotonic() < end",
        "from time import sleep",
        "page.wait_for_timeout(9)",
    ],
)
def test_a_look_at_the_clock_is_seen(source: str) -> None:
    assert len(looks_at_the_clock(ast.parse(source))) == 1


def test_a_clock_turned_by_hand_is_no_clock_on_the_wall() -> None:
    assert looks_at_the_clock(ast.parse("clock.now()\nclock.time\nroom.sleep(3)\ntime(3)")) == []
