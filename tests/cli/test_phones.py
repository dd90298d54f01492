"""The last word on phones, typed."""

from __future__ import annotations

from pathlib import Path

import pytest

from narrator.cli.phones import Doorkeeper, without_table
from narrator.storage.devices import DeviceStore
from webpanel.pairing import Pairing

LINK = "http://table/pair/x"


class Door:
    """A door with a judge, a helper, one refused and one waiting."""

    def __init__(self, home: Path) -> None:
        self.pairing = Pairing(DeviceStore(home), "secret", elapsed=lambda: 0.0)
        self.keeper = Doorkeeper(self.pairing, lambda: LINK)
        self.tokens = [self.pairing.knock("secret", None, name) for name in ("judge", "helper", "refused", "waiting")]
        self.pairing.see(self.tokens[0])
        lines = [line for line in self.keeper.do("phones").text.splitlines() if "judge" not in line]
        self.helper, self.refused, self.waiting = (line[:2] for line in lines)
        self.pairing.let_in(self.helper)
        self.pairing.refuse(self.refused)
        judge = self.pairing.judge()
        assert judge
        self.judge = next(line[:2] for line in self.keeper.do("phones").text.splitlines() if "  judge" in line)

    @property
    def standings(self) -> list[str | None]:
        """What each is to the table."""
        return [self.pairing.standing(token) for token in self.tokens]


@pytest.mark.parametrize(
    ("line", "standings"),
    [
        ("{waiting}", ["judge", "helper", "refused", "helper"]),
        ("{refused}", ["judge", "helper", "helper", "waiting"]),
        (" IN {refused} ", ["judge", "helper", "helper", "waiting"]),
        ("{refused} judge", [None, "helper", "judge", "waiting"]),
        ("judge {helper}", [None, "judge", "refused", "waiting"]),
        ("{waiting} no", ["judge", "helper", "refused", "refused"]),
        ("out {helper}", ["judge", None, "refused", "waiting"]),
        ("{waiting} out", ["judge", "helper", "refused", None]),
        ("out {judge}", [None, "helper", None, None]),
        ("reset", [None, None, None, None]),
    ],
)
def test_what_is_typed_is_done(tmp_path: Path, line: str, standings: list[str | None]) -> None:
    door = Door(tmp_path)
    answer = door.keeper.do(line.format(**vars(door)))
    assert answer.done, answer.text
    assert door.standings == standings
    assert (LINK in answer.text) == (standings[0] is None and "judge" not in standings)


@pytest.mark.parametrize("line", ["{judge}", "{judge} no", "{helper} no", "77x", "out", "{helper} why", "out 5 6"])
def test_what_cannot_be_done_is_said(tmp_path: Path, line: str) -> None:
    door = Door(tmp_path)
    before = door.standings
    answer = door.keeper.do(line.format(**vars(door)))
    assert not answer.done
    assert "got " in answer.text
    assert door.standings == before


def test_without_a_table_phones_are_listed_and_forgotten(tmp_path: Path) -> None:
    Door(tmp_path)
    listed = without_table(DeviceStore(tmp_path), "phones").text
    assert listed.startswith("No table is open. Remembered:")
    assert len(listed.splitlines()) == 3
    assert not without_table(DeviceStore(tmp_path), "12").done
    assert "Forgotten: 2" in without_table(DeviceStore(tmp_path), "reset").text
    assert DeviceStore(tmp_path).devices == ()
