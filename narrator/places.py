"""Where the shipped data lies: inside an installed package, or at the top of a checkout."""

from __future__ import annotations

from pathlib import Path

PACKAGE = Path(__file__).resolve().parent


def data_folder(name: str) -> Path:
    """The folder of shipped data of that name (`rulesets`, `scripts`, `sounds`).

    Raises FileNotFoundError naming both places that were looked at.
    """
    places = (PACKAGE / "data" / name, PACKAGE.parent / name)
    for place in places:
        if place.is_dir():
            return place
    raise FileNotFoundError(f"shipped data is missing: neither {places[0]} nor {places[1]} is a folder")
