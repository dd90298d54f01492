"""`narrator sounds build`: the sounds of night, dawn and day, made anew."""

from __future__ import annotations

from pathlib import Path

import click

from narrator.places import data_folder
from narrator.speech.outputs.ambience import SCENE_SOUNDS


@click.group()
def sounds() -> None:
    """The sounds behind the narrator: night, dawn, day."""


@sounds.command("build")
@click.option("--folder", type=click.Path(file_okay=False, path_type=Path), help="Where; by default the shipped ones.")
def build_sounds(folder: Path | None) -> None:
    """Make the sounds of night, dawn and day. The same program makes the same sounds."""
    try:
        from narrator.making.scenes import make_sounds

        for path in make_sounds(folder or data_folder(SCENE_SOUNDS)):
            click.echo(f"{path}: {path.stat().st_size} bytes")
    except ImportError as error:
        raise click.ClickException(f"a library is missing: pip install {error.name}") from error
    except OSError as error:
        raise click.ClickException(f"the sounds cannot be written: {error}") from error
