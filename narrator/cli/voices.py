"""`narrator voices` and `narrator say`: what can speak here, and how it sounds; see also `voice_building`."""

from __future__ import annotations

import contextlib
import itertools
import threading
from pathlib import Path

import click

from narrator.clock import SystemClock
from narrator.speech.backends import DEFAULT, open_speaker
from narrator.speech.renderers.auto import AutoRenderer, offered_voices
from narrator.speech.renderers.pyttsx3 import Pyttsx3Renderer
from narrator.speech.renderers.renderer import RenderError, Request
from narrator.speech.speaker import FAILED
from narrator.speech.troubles import NO_SOUND_DEVICE, Trouble
from narrator.speech.utterance import Segment, Utterance
from narrator.speech.voices import Voice, VoicesError, speaking
from narrator.storage.folders import StorageError, user_folders

LANGUAGES = ("zh-Hans", "zh-Hant", "es", "en")
"""The languages of the shipped scripts, in the order in which they are listed."""

_LONGEST_SECONDS = 300.0


class Building(click.Group):
    """The subcommands, imported only when one of them is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return ["build", "template"]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        from narrator.cli import voice_building

        return {"build": voice_building.build, "template": voice_building.template}.get(cmd_name)


@click.group(cls=Building, invoke_without_command=True)
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
        raise click.ClickException(f"no voice here speaks this language; see 'narrator voices --all': {language!r}")


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
    segment = Segment(text, language or _language_of(text))
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


def _language_of(text: str) -> str:
    return "zh-Hans" if any("\u3400" <= sign <= "\u9fff" for sign in text) else "en"
