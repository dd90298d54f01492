"""House rules on the judge's phone: one's own rulesets beside the shipped ones, broken ones with the reason."""

from __future__ import annotations

from pathlib import Path

from narrator.loading.rulesets import shipped
from tests.webpanel.house import House


def own(home: Path, name: str, old: str = "", new: str = "") -> Path:
    """A ruleset of one's own in the data folder."""
    (home / "rules").mkdir(parents=True, exist_ok=True)
    text = shipped()["killers-2"].read_text("utf-8").replace("id: killers-2\n", f"id: {name}\n")
    path = home / "rules" / f"{name}.yaml"
    path.write_text(text.replace(old, new), "utf-8")
    return path


def test_ones_own_rulesets_are_offered_and_broken_ones_explained(tmp_path: Path) -> None:
    own(tmp_path, "our-house")
    broken = own(tmp_path, "worse-house", "citizen: civilian", "citizen: <b>")
    house = House(tmp_path)
    judge = house.judge()
    page = judge.get("/fragment").text
    assert 'value="our-house"' in page
    assert 'value="worse-house"' not in page
    assert "<b>worse-house</b>" in page
    assert f"{broken}:" in page
    assert "got &#39;&lt;b&gt;&#39;" in page
    house.close()


def test_a_ruleset_of_ones_own_is_chosen_and_played(tmp_path: Path) -> None:
    own(tmp_path, "our-house", "8-10: 2, 11-14: 3", "8-14: 2")
    house = House(tmp_path)
    house.judge()
    house.start("our-house", 12)
    assert house.state.setup.counts == {"killer": 2, "police": 2, "civilian": 8}
    house.close()
