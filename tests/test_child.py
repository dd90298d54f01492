from __future__ import annotations

import os
import subprocess
import sys
import threading

import pytest

from narrator import child

SAYS = (sys.executable, "-c", "import os; print(os.environ.get('NARRATOR_MOMENT'))")


def said(process: subprocess.Popen[bytes]) -> str:
    return process.communicate(timeout=20)[0].decode().strip()


@pytest.mark.parametrize("before", ["lasting", None])
def test_what_is_set_for_a_moment_reaches_no_child(monkeypatch: pytest.MonkeyPatch, before: str | None) -> None:
    if before is None:
        monkeypatch.delenv("NARRATOR_MOMENT", raising=False)
    else:
        monkeypatch.setenv("NARRATOR_MOMENT", before)
    started: list[subprocess.Popen[bytes]] = []
    starting = threading.Thread(target=lambda: started.append(child.start(SAYS)))
    with child.variable("NARRATOR_MOMENT", "brief"):
        assert os.environ["NARRATOR_MOMENT"] == "brief"
        starting.start()
        starting.join(0.05)
        assert not started
    starting.join(20)
    assert said(started[0]) == str(before)
    assert os.environ.get("NARRATOR_MOMENT") == before


def test_what_is_set_for_a_moment_is_set_back_after_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NARRATOR_MOMENT", raising=False)
    with pytest.raises(ValueError, match="no"), child.variable("NARRATOR_MOMENT", "brief"):
        raise ValueError("no")
    assert "NARRATOR_MOMENT" not in os.environ


def test_a_child_finds_this_very_package_wherever_it_is_started(
    tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(str(tmp_path))
    process = child.start((sys.executable, "-c", "import narrator.child as c; print(c.PACKAGE)"))
    assert said(process) == str(child.PACKAGE)


def test_a_module_is_run_by_this_python() -> None:
    assert child.module("narrator", "--version")[:2] == (sys.executable, "-m")
    assert said(child.start(child.module("narrator", "--version")))
