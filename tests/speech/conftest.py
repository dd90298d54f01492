"""Fixtures of the voice's tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from narrator.clock import SystemClock
from narrator.speech.renderers.pyttsx3 import Pyttsx3Renderer
from narrator.speech.worker.process import Patience


@pytest.fixture
def dummy_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    """SDL's own driver that swallows sound at the speed of sound."""
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")


@pytest.fixture(scope="session")
def engine() -> Iterator[Pyttsx3Renderer]:
    """The real engine, shared by tests that only render with it."""
    engine = Pyttsx3Renderer(SystemClock())
    yield engine
    engine.close()


@pytest.fixture
def renderer() -> Iterator[Pyttsx3Renderer]:
    """The real engine in a worker of its own, with little patience."""
    renderer = Pyttsx3Renderer(SystemClock(), patience=Patience(line=1.0, character=0.0))
    yield renderer
    renderer.close()
