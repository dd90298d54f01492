"""`narrator sounds build`: the sounds of night, dawn and day, made anew."""

from __future__ import annotations

from pathlib import Path

import click

from narrator.places import data_folder
from narrator.speech.outputs.ambience import SOUNDS


@click.group()
def sounds() -> None:
    """The sounds behind the narrator: night, dawn, day."""


@sounds.command()
@click.option("--folder", type=click.Path(file_okay=False, path_type=Path), help="Where; by default the shipped ones.")
def build(folder: Path | None) -> None:
    """Make the sounds of night, dawn and day. The same program makes the same sounds. Needs the extra 'voices'."""
    try:
        from narrator.speech.ambience_making import MAKERS
        from narrator.speech.opus import opus, same_again

        target = folder or data_folder(SOUNDS)
        target.mkdir(parents=True, exist_ok=True)
        for scene, make in MAKERS.items():
            path = target / f"{scene}.ogg"
            path.write_bytes(same_again(opus(make(), thrift=0.9)))
            click.echo(f"{path}: {path.stat().st_size} bytes")
    except ImportError as error:
        raise click.ClickException(
            f"a library is missing: {error.name}; install them with pip install '.[voices]'"
        ) from error
    except OSError as error:
        raise click.ClickException(f"the sounds cannot be written: {error}") from error
