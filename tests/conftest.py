"""Settings of all tests: no game of the user is touched, Hypothesis repeats itself, in CI nothing may be skipped.

Tests marked `slow` (installations, long games in a browser, further voices) run in CI, and where their file is named.
"""

from __future__ import annotations

import os
from collections.abc import Generator

import hypothesis
import pytest

from tests.amounts import IN_CI, amount

EXAMPLES = amount("NARRATOR_EXAMPLES", 40, 100)
"""Examples that Hypothesis tries where a test does not say how many."""
hypothesis.settings.register_profile("narrator", deadline=None, derandomize=True, max_examples=EXAMPLES)
hypothesis.settings.load_profile("narrator")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--pictures", metavar="FOLDER", help="Write the readme's pictures of the pages into this folder.")
    parser.addoption("--all-editions", action="store_true", help="Play every edition in the browser, not only half.")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the slow lane out, unless this is CI, it was asked for by `-m`, or the test's file was named."""
    if IN_CI or config.option.markexpr:
        return
    named = {(config.invocation_params.dir / str(word).partition("::")[0]).resolve() for word in config.args}
    left_out = {item for item in items if item.get_closest_marker("slow") and item.path.resolve() not in named}
    if left_out:
        config.hook.pytest_deselected(items=list(left_out))
        items[:] = [item for item in items if item not in left_out]


@pytest.fixture(scope="session", autouse=True)
def _home_of_tests(tmp_path_factory: pytest.TempPathFactory) -> None:
    os.environ["NARRATOR_HOME"] = str(tmp_path_factory.mktemp("home"))


@pytest.fixture(scope="session", autouse=True)
def _quick_disk() -> Generator[None]:
    """A disk that need not be safe: nothing waits until it is written."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda handle: None)
        yield


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if IN_CI and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"nothing may be skipped here: {report.longrepr}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    if IN_CI and report.skipped:
        report.outcome = "failed"
        report.longrepr = f"nothing may be skipped here: {report.longrepr}"
    return report
