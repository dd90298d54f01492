from __future__ import annotations

import json
from pathlib import Path

import pytest

from narrator.storage.folders import StorageError
from narrator.storage.settings import FILE, Settings, load_settings, save_settings


def test_without_a_file_everything_has_its_default(tmp_path: Path) -> None:
    assert load_settings(tmp_path) == (Settings(), None)


def test_settings_come_back_as_they_were_saved(tmp_path: Path) -> None:
    settings = Settings().changed(
        languages=["zh-Hans", "en"], names=["小明", ""], voices={"en": "x"}, speed=120, seats=12
    )
    save_settings(tmp_path, settings)
    assert load_settings(tmp_path) == (settings, None)
    assert [file.name for file in tmp_path.iterdir()] == [FILE]


def test_a_setting_out_of_range_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match=r"volume: .*100 or less"):
        Settings().changed(volume=101)


def test_what_is_no_setting_is_refused() -> None:
    with pytest.raises(ValueError, match="there is no such setting; got tempo"):
        Settings().changed(tempo=1)


def test_a_wrong_setting_falls_back_alone_and_is_told(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(json.dumps({"seats": "many", "volume": 30, "names": ["A"]}), "utf-8")
    settings, told = load_settings(tmp_path)
    assert settings == Settings(volume=30, names=("A",))
    assert told is not None
    assert "(line 1: seats: must be a whole number; got 'many')" in told
    assert load_settings(tmp_path) == (settings, None)


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"\xff\xfe", b"null", b'{"volume": 1'])
def test_an_unreadable_file_is_set_aside_and_told(tmp_path: Path, data: bytes) -> None:
    (tmp_path / FILE).write_bytes(data)
    settings, told = load_settings(tmp_path)
    assert settings == Settings()
    assert told is not None
    assert told.startswith("settings.json was damaged (")
    assert (tmp_path / "settings.json.damaged").read_bytes() == data
    assert load_settings(tmp_path) == (Settings(), None)


def test_settings_of_a_later_version_do_no_harm(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text('{"volume": 30, "colour": "red"}', "utf-8")
    assert load_settings(tmp_path) == (Settings(volume=30), None)


def test_a_folder_in_the_files_place_is_told(tmp_path: Path) -> None:
    (tmp_path / FILE).mkdir()
    settings, told = load_settings(tmp_path)
    assert settings == Settings()
    assert told is not None
    assert str(tmp_path / FILE) in told


def test_settings_that_cannot_be_saved_are_told_and_leave_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / FILE).mkdir()
    with pytest.raises(StorageError, match="cannot be written"):
        save_settings(tmp_path, Settings())
    assert [file.name for file in tmp_path.iterdir()] == [FILE]


def test_a_folder_that_was_remembered_is_told_and_forgotten(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text('{"speaker": "wav:/any/folder", "volume": 30}', "utf-8")
    settings, told = load_settings(tmp_path)
    assert (settings.speaker, settings.volume) == ("pyttsx3", 30)
    assert told
    assert "speaker" in told
    assert "command line" in told
