from __future__ import annotations

import os
import sys
from pathlib import Path
from threading import Thread

import pytest

from narrator.storage.devices import FILE, Device, DeviceStore, RoleAtTable, hash_token
from narrator.storage.folders import StorageError


def phone(token: str, role: RoleAtTable = "helper", name: str = "") -> Device:
    return Device(token_hash=hash_token(token), role=role, name=name, paired_at="2026-01-01T20:00:00+00:00")


def test_the_key_is_made_once_and_stays(tmp_path: Path) -> None:
    first, second = DeviceStore(tmp_path), DeviceStore(tmp_path)
    assert len(first.secret_key) == 32
    assert first.secret_key == second.secret_key


def test_every_folder_has_a_key_of_its_own(tmp_path: Path) -> None:
    folders = [tmp_path / "a", tmp_path / "b"]
    for folder in folders:
        folder.mkdir()
    assert DeviceStore(folders[0]).secret_key != DeviceStore(folders[1]).secret_key


def test_paired_phones_are_known_after_a_restart(tmp_path: Path) -> None:
    DeviceStore(tmp_path).pair(phone("secret", "judge", "小明的手機"))
    assert DeviceStore(tmp_path).find(hash_token("secret")) == phone("secret", "judge", "小明的手機")


def test_tokens_themselves_are_not_on_the_disk(tmp_path: Path) -> None:
    DeviceStore(tmp_path).pair(phone("very-secret"))
    assert "very-secret" not in (tmp_path / FILE).read_text("utf-8")


def test_pairing_again_replaces_the_entry(tmp_path: Path) -> None:
    store = DeviceStore(tmp_path)
    store.pair(phone("a", "helper"))
    store.pair(phone("a", "judge"))
    assert store.devices == (phone("a", "judge"),)


def test_a_forgotten_phone_stays_out(tmp_path: Path) -> None:
    store = DeviceStore(tmp_path)
    store.pair(phone("a"))
    assert store.forget(hash_token("a")) is True
    assert store.forget(hash_token("a")) is False
    assert DeviceStore(tmp_path).devices == ()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no modes")
def test_the_file_is_the_users_alone(tmp_path: Path) -> None:
    old_mask = os.umask(0)
    try:
        DeviceStore(tmp_path)
    finally:
        os.umask(old_mask)
    assert (tmp_path / FILE).stat().st_mode & 0o777 == 0o600
    (tmp_path / FILE).chmod(0o644)
    DeviceStore(tmp_path)
    assert (tmp_path / FILE).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("data", [b"", b"\xff", b'{"devices": 2}', b'{"devices": 1, "secret_key": "00", "paired": []}'])
def test_a_damaged_file_is_set_aside_and_everybody_must_come_again(tmp_path: Path, data: bytes) -> None:
    (tmp_path / FILE).write_bytes(data)
    store = DeviceStore(tmp_path)
    assert store.problem is not None
    assert "every phone must be let in again" in store.problem
    assert store.devices == ()
    assert len(store.secret_key) == 32
    assert (tmp_path / "devices.json.damaged").read_bytes() == data
    assert DeviceStore(tmp_path).problem is None


def test_where_nothing_can_be_written_phones_are_let_in_for_now(tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    store = DeviceStore(folder)
    assert store.problem is not None
    with pytest.raises(StorageError, match="there is no such file"):
        store.pair(phone("a"))
    assert store.find(hash_token("a")) == phone("a")


def test_phones_paired_at_the_same_time_are_all_kept(tmp_path: Path) -> None:
    store = DeviceStore(tmp_path)
    threads = [Thread(target=store.pair, args=(phone(str(number)),)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {device.token_hash for device in DeviceStore(tmp_path).devices} == {hash_token(str(n)) for n in range(8)}
