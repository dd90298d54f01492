"""The process in which the engines live: `python -m narrator.speech.worker`.

It answers one line of JSON on its standard input with one on its standard output, in order. Whatever engines and
their libraries print goes to standard error. It ends when its input does.

    {"do": "voices"}                          -> {"voices": [...], "problems": {engine: reason}}
    {"do": "render", "engine": ..., "voice": ..., "text": ..., "rate": words per minute, "path": ...} -> {}
    anything that fails                       -> {"error": reason}
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TextIO

from narrator.speech.worker.drivers import Engines, engine_names

Answer = dict[str, Any]


def main() -> None:
    """Serve until the input ends. An interrupt from the terminal is the other process's business."""
    answers = _private_output()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    serve(sys.stdin, answers)


def serve(requests: Iterable[str], answers: TextIO) -> None:
    """Answer every request, one at a time."""
    engines = Engines()
    for line in requests:
        print(json.dumps(_answer(engines, line)), file=answers, flush=True)


def _answer(engines: Engines, line: str) -> Answer:
    try:
        request = json.loads(line)
        return _ACTIONS[request["do"]](engines, request)
    except Exception as error:  # whatever an engine throws is an answer here
        return {"error": f"{type(error).__name__}: {error}"}


def _voices(engines: Engines, _request: Answer) -> Answer:
    found: list[Answer] = []
    problems: dict[str, str] = {}
    for name in engine_names():
        try:
            found += [{**voice, "engine": name} for voice in engines.voices(name)]
        except Exception as error:  # an engine that does not start is told, the next one is asked
            problems[name] = f"{type(error).__name__}: {error}"
    return {"voices": found, "problems": problems}


def _render(engines: Engines, request: Answer) -> Answer:
    path = Path(request["path"])
    engines.render(request["engine"], request["voice"], request["text"], request["rate"], path)
    return {}


_ACTIONS: dict[str, Callable[[Engines, Answer], Answer]] = {"voices": _voices, "render": _render}


def _private_output() -> TextIO:
    """The pipe to the other process, out of reach of everything that prints."""
    private = os.dup(sys.stdout.fileno())
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return os.fdopen(private, "w", encoding="utf-8")


if __name__ == "__main__":
    main()
