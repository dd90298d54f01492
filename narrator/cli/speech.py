"""`narrator voices` and `narrator say`: what can speak here and how it sounds, and voices made anew."""

from __future__ import annotations

import contextlib
import csv
import itertools
import threading
from pathlib import Path

import click

from narrator.cli.words import language, none_such
from narrator.clock import SystemClock
from narrator.language_tags import base, meant
from narrator.loading.files.problem import nearest_first
from narrator.narration.scripts import LANGUAGES, Script, languages, sentences
from narrator.speech.backends import DEFAULT, open_speaker
from narrator.speech.packs import PackError
from narrator.speech.renderers.auto import AutoRenderer, offered_voices
from narrator.speech.renderers.pyttsx3 import Pyttsx3Renderer
from narrator.speech.renderers.renderer import RenderError, Request
from narrator.speech.speaker import FAILED
from narrator.speech.troubles import NO_SOUND_DEVICE, Trouble
from narrator.speech.utterance import Segment, Utterance
from narrator.speech.voices import Voice, VoicesError, speaking
from narrator.storage.folders import StorageError, user_folders

MOST_TAGS = 12
SHEET = "lines.csv"
_LONGEST_SECONDS = 300.0


@click.group(invoke_without_command=True)
@click.pass_context
@click.option("--language", "-l", help="Only voices for this language, such as zh-Hans, zh-Hant, es or en.")
@click.option("--all", "everything", is_flag=True, help="Voices of every language, not only the scripts'.")
def voices(context: click.Context, language: str | None, everything: bool) -> None:
    """List the voices by language, the one that is taken by itself first; with a subcommand, record some."""
    if context.invoked_subcommand:
        return
    try:
        found = offered_voices(_own())
    except VoicesError as error:
        raise click.ClickException(str(error)) from error
    if everything:
        _print_group("all languages", found)
        return
    for tag in (language,) if language else LANGUAGES:
        _print_group(tag, speaking(tag, found))
    if language and not speaking(language, found):
        spoken = [*LANGUAGES, *sorted({tag for voice in found for tag in voice.languages})]
        near = ", ".join(nearest_first(language, spoken)[:MOST_TAGS])
        raise click.ClickException(
            f"no voice here speaks {language!r}; there are voices for {near} …; see 'narrator voices --all'"
        )


@voices.command("build")
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
def build_pack(
    language: str, voice: str | None, only_missing: bool, folder: Path | None, files: Path, threads: int
) -> None:
    """Record the voice pack of LANGUAGE (zh, es, en) from the scripts and rulesets.

    Needs 'pip install killer-narrator[voices]', and the voices of the npm package kokoro-js 1.2.1, unpacked: 'npm pack
    kokoro-js@1.2.1', then 'tar xf kokoro-js-1.2.1.tgz'. Into the user's folder go only the phrases that the shipped
    pack of the voice lacks, such as those of house rulesets; with --folder it is the whole pack of the shipped
    rulesets. Recording can be broken off and goes on with --only-missing.
    """
    from narrator.making.kokoro import Kokoro, KokoroError
    from narrator.making.voicepacks import PACK_VOICES, Packing, head_of, lacking, phrasebook, record, shipped_rulesets
    from narrator.table.setup.shelf import Shelf

    tongue = base(language)
    if tongue not in PACK_VOICES:
        raise click.BadParameter(none_such("language of that name to record in", language, PACK_VOICES))
    chosen = voice or next(iter(PACK_VOICES[tongue]))
    try:
        engine = Kokoro(files, threads)
        engine.check(chosen)
        if folder:
            wanted = phrasebook(tongue, shipped_rulesets())
        else:
            wanted = lacking(tongue, chosen, Shelf(user_folders().rules).rulesets)
        root = folder or user_folders().voices
        packing = Packing(root / tongue / chosen, head_of(tongue, chosen), afresh=not only_missing)
        missing = packing.missing(wanted)
        recordings = record(packing, missing, engine)
        with click.progressbar(recordings, length=len(missing), label=f"{tongue} {chosen}", show_pos=True) as bar:
            for _ in bar:
                pass
        left_out = packing.tidy(wanted)
    except (KokoroError, PackError, OSError, StorageError) as error:
        raise click.ClickException(str(error)) from error
    clips = packing.pack.recordings
    click.echo(
        f"{packing.pack.folder}: {len(missing)} recorded, {left_out} left out; {len(clips)} phrases, "
        f"{sum(clip.seconds for clip in clips):.0f} s, {sum(clip.size for clip in clips) / 1e6:.2f} MB"
    )


@voices.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--language", "-l", "tags", type=language, multiple=True, help="Such as es; by default every one.")
def template(folder: Path, tags: tuple[str, ...]) -> None:
    """Write into FOLDER the lists of lines that a group can record in its own voice, with the names of the files.

    WAV, OGG or MP3 files of these names, put into voices/<language> of the user's data folder, are used in place of the
    recorded voice; what is not there is spoken as before.
    """
    from narrator.making.voicepacks import recordable_lines

    own = _own()
    for tag in tags or languages():
        place = folder / tag
        place.mkdir(parents=True, exist_ok=True)
        rows = recordable_lines(Script.load(tag))
        with (place / SHEET).open("w", encoding="utf-8-sig", newline="") as file:
            csv.writer(file).writerows([("file", "text"), *rows.items()])
        click.echo(f"{place / SHEET}: {len(rows)} lines")
    click.echo(f"Recordings are looked for in {own / 'LANGUAGE'}.")


@click.command()
@click.argument("text")
@click.option("--language", "-l", help="Language of the text; by default zh-Hans for Chinese characters, else en.")
@click.option("--voice", help="Id of a voice, from 'narrator voices'; by default the best of the language.")
@click.option("--rate", type=click.IntRange(50, 200), default=100, show_default=True, help="Speed in percent.")
@click.option("--volume", type=click.IntRange(0, 100), default=100, show_default=True, help="Loudness in percent.")
@click.option("--speaker", default=DEFAULT, show_default=True, help="Where to speak, as for 'narrator play'.")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Write a WAV file instead.")
def say(
    text: str, language: str | None, voice: str | None, rate: int, volume: int, speaker: str, out: Path | None
) -> None:
    """Speak TEXT, or write it to a WAV file with --out."""
    segment = Segment(text, _language_of(text, language), phrases=sentences(text))
    if out:
        _write(Request(segment, voice=voice, rate=rate), out)
        return
    try:
        _speak(segment, voice, rate, volume, speaker)
    except ValueError as error:
        raise click.UsageError(str(error)) from error


def _print_group(title: str, found: tuple[Voice, ...]) -> None:
    click.echo(f"{title}:")
    width = max((len(voice.id) for voice in found), default=0)
    for voice in found:
        click.echo(f"  {voice.id:<{width}}  {voice.name} [{', '.join(voice.languages)}] ({voice.engine})")
    if not found:
        click.echo("  none")


def _own() -> Path:
    """The user's folder of voices."""
    try:
        return user_folders().voices
    except StorageError as error:
        raise click.ClickException(str(error)) from error


def _write(request: Request, out: Path) -> None:
    with contextlib.closing(AutoRenderer(Pyttsx3Renderer(SystemClock()), _own())) as renderer:
        try:
            clip = renderer.render(request, _warn)
            out.write_bytes(clip.wav())
        except RenderError as error:
            raise click.ClickException(f"nothing was written: {error}") from error
        except OSError as error:
            raise click.ClickException(f"the file cannot be written ({error.strerror}): {str(out)!r}") from error
    click.echo(f"{out}: {clip.seconds:.1f} s")


def _speak(segment: Segment, voice: str | None, rate: int, volume: int, name: str) -> None:
    over = threading.Event()
    endings: list[str] = []
    troubles: list[Trouble] = []

    def finished(_utterance: Utterance, ending: str) -> None:
        endings.append(ending)
        over.set()

    def trouble(what: Trouble) -> None:
        _warn(what)
        troubles.append(what)

    speaker = open_speaker(
        name, SystemClock(), on_started=lambda _utterance: None, on_finished=finished, on_trouble=trouble, own=_own()
    )
    with contextlib.closing(speaker):
        speaker.set_rate(rate)
        speaker.set_volume(volume)
        speaker.set_voice(segment.language, voice)
        speaker.say(Utterance(next(_numbers), (segment,), "say"))
        over.wait(_LONGEST_SECONDS)
    if FAILED in endings or not endings or any(what.kind == NO_SOUND_DEVICE for what in troubles):
        raise click.ClickException("the text was not spoken; --out FILE.wav writes it to a file")


_numbers = itertools.count(1)


def _warn(what: Trouble) -> None:
    click.echo(f"{what.kind.replace('_', ' ')}: {what.detail}", err=True)


def _language_of(text: str, asked: str | None) -> str:
    if asked:
        return meant(asked, languages()) or asked
    return "zh-Hans" if any("\u3400" <= sign <= "\u9fff" for sign in text) else "en"
