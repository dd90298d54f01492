"""`narrator voices build` and `narrator voices template`: natural voices recorded anew, and the group's own ones."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import click

from narrator.cli.phrasebook import phrasebook, shipped_rulesets
from narrator.model.ruleset import Ruleset
from narrator.narration.lines import Line, render_line
from narrator.narration.recordings import recording_name
from narrator.narration.repertoire import repertoire
from narrator.narration.scripts import Script, languages
from narrator.places import data_folder
from narrator.speech.kokoro import ENGINE, LICENCE, Kokoro, KokoroError
from narrator.speech.opus import opus
from narrator.speech.packing import Packing, Wanted
from narrator.speech.packs import Head, PackError, pack_voices
from narrator.speech.text.languages import base
from narrator.storage.folders import StorageError, user_folders
from narrator.table.setup.shelf import Shelf

SHIPPED = "voicepacks"
"""The folder of shipped packs."""
VOICES = {
    "zh": {"zf_xiaoxiao": "晓晓 (Xiaoxiao)", "zm_yunjian": "云健 (Yunjian)"},
    "es": {"ef_dora": "Dora", "em_alex": "Alex"},
    "en": {"af_heart": "Heart", "am_michael": "Michael"},
}
"""Language -> voices and what they are called, the one that is taken by itself first."""
SHEET = "lines.csv"


@click.command()
@click.argument("language")
@click.option("--voice", help="The engine's name of the voice; by default the first of the language.")
@click.option("--only-missing", is_flag=True, help="Keep what is recorded, and record only what is not.")
@click.option(
    "--folder", type=click.Path(file_okay=False, path_type=Path), help="Where packs lie; by default the user's."
)
@click.option(
    "--voices",
    "files",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    required=True,
    help="Folder package/voices of the unpacked npm package kokoro-js.",
)
@click.option("--threads", type=click.IntRange(0, 64), default=0, help="Cores to use; by default all of them.")
def build(language: str, voice: str | None, only_missing: bool, folder: Path | None, files: Path, threads: int) -> None:
    """Record the voice pack of LANGUAGE (zh, es, en) from the scripts and rulesets.

    Needs 'pip install narrator[voices]', and the voices of the npm package kokoro-js 1.2.1, unpacked: 'npm pack
    kokoro-js@1.2.1', then 'tar xf kokoro-js-1.2.1.tgz'. Into the user's folder go only the phrases that the shipped
    pack of the voice lacks, such as those of house rulesets; with --folder it is the whole pack of the shipped
    rulesets. Recording can be broken off and goes on with --only-missing.
    """
    tongue = base(language)
    if tongue not in VOICES:
        raise click.BadParameter(f"packs can be recorded in {', '.join(VOICES)}; got {language}")
    chosen = voice or next(iter(VOICES[tongue]))
    try:
        engine = Kokoro(files, threads)
        engine.check(chosen)
        wanted = phrasebook(tongue, shipped_rulesets()) if folder else _lacking(tongue, chosen)
        packing = Packing(_root(folder) / tongue / chosen, _head(tongue, chosen), afresh=not only_missing)
        _record(packing, wanted, engine, tongue, chosen)
    except (KokoroError, PackError, OSError, StorageError) as error:
        raise click.ClickException(str(error)) from error


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--language", "-l", "tags", multiple=True, help="A language, such as es; by default every one.")
def template(folder: Path, tags: tuple[str, ...]) -> None:
    """Write into FOLDER the lists of lines that a group can record in its own voice, with the names of the files.

    WAV, OGG or MP3 files of these names, put into voices/<language> of the user's data folder, are used in place of the
    recorded voice; what is not there is spoken as before.
    """
    try:
        own = user_folders().voices
    except StorageError as error:
        raise click.ClickException(str(error)) from error
    for tag in tags or languages():
        if tag not in languages():
            raise click.BadParameter(
                f"there is no script for this language; there are {', '.join(languages())}; got {tag}"
            )
        place = folder / tag
        place.mkdir(parents=True, exist_ok=True)
        rows = _rows(Script.load(tag))
        with (place / SHEET).open("w", encoding="utf-8-sig", newline="") as file:
            csv.writer(file).writerows([("file", "text"), *rows.items()])
        click.echo(f"{place / SHEET}: {len(rows)} lines")
    click.echo(f"Recordings are looked for in {own / 'LANGUAGE'}.")


def _record(packing: Packing, wanted: list[Wanted], engine: Kokoro, language: str, voice: str) -> None:
    missing = packing.missing(wanted)
    speak = partial(engine.speak, language=language, voice=voice)
    recordings = packing.record(missing, speak, opus)
    with click.progressbar(recordings, length=len(missing), label=f"{language} {voice}", show_pos=True) as bar:
        for _ in bar:
            pass
    left_out = packing.tidy(wanted)
    clips = packing.pack.recordings
    click.echo(
        f"{packing.pack.folder}: {len(missing)} recorded, {left_out} left out; {len(clips)} phrases, "
        f"{sum(clip.seconds for clip in clips):.0f} s, {sum(clip.size for clip in clips) / 1e6:.2f} MB"
    )


def _lacking(language: str, voice: str) -> list[Wanted]:
    """What the shipped pack of a voice lacks to speak the shipped rulesets and the user's own."""
    packs = [found for found in pack_voices([data_folder(SHIPPED)]) if found.head.voice == voice]
    wanted = phrasebook(language, [*shipped_rulesets(), *Shelf(user_folders().rules).rulesets])
    return [phrase for phrase in wanted if not any(pack.has(phrase.text) for pack in packs)]


def _root(folder: Path | None) -> Path:
    return folder or user_folders().voices


def _head(language: str, voice: str) -> Head:
    known = VOICES[language]
    order = list(known).index(voice) if voice in known else len(known)
    return Head(language, voice, known.get(voice, voice), order, ENGINE, LICENCE)


def _rows(script: Script) -> dict[str, str]:
    """Name of the recording -> what is said, the plain lines first; where editions differ, both."""
    texts: dict[str, dict[str, None]] = {}
    for line, ruleset in _recordable(shipped_rulesets()):
        texts.setdefault(recording_name(line), {})[render_line(line, script, ruleset)] = None
    names = sorted(texts, key=lambda name: (name[-1].isdigit(), name))
    return {name: " / ".join(texts[name]) for name in names}


def _recordable(rulesets: list[Ruleset]) -> Iterator[tuple[Line, Ruleset]]:
    for ruleset in rulesets:
        for line in repertoire(ruleset):
            lists = [value for name, value in line.params.items() if name in ("seats", "places")]
            if recording_name(line) and all(len(value) == 1 for value in lists):
                yield line, ruleset
