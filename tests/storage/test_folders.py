from __future__ import annotations

from pathlib import Path

import platformdirs
import pytest

from narrator.storage.folders import Folders, StorageError, user_folders


def test_the_environment_chooses_the_folder(tmp_path: Path) -> None:
    assert user_folders({"NARRATOR_HOME": str(tmp_path / "x")}) == Folders(tmp_path / "x")


@pytest.mark.parametrize("environment", [{}, {"NARRATOR_HOME": ""}])
def test_otherwise_it_is_the_systems_usual_place(environment: dict[str, str]) -> None:
    assert user_folders(environment).root == platformdirs.user_data_path("narrator", appauthor=False)


def test_folders_are_made_when_asked_for(tmp_path: Path) -> None:
    folders = Folders(tmp_path / "a" / "b")
    assert not folders.root.exists()
    assert [folders.games, folders.rules, folders.voices] == [folders.root / n for n in ("games", "rules", "voices")]
    assert sorted(path.name for path in folders.home.iterdir()) == ["games", "rules", "voices"]


def test_a_folder_that_can_be_written_passes_and_stays_empty(tmp_path: Path) -> None:
    Folders(tmp_path).check_writable()
    assert list((tmp_path / "games").iterdir()) == []


def test_a_folder_that_cannot_be_made_is_told_with_the_cure(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StorageError, match=r"a file stands where a folder is needed.*NARRATOR_HOME.*got .*games"):
        _ = Folders(tmp_path / "file").games
