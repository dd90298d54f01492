"""The panel's words: complete in every language, and no page uses any that are not there."""

from __future__ import annotations

import re
import string
from pathlib import Path

import pytest

import webpanel
from narrator.speech.troubles import TROUBLE_KINDS
from narrator.table.setup.draft import Draft
from narrator.table.setup.shelf import Shelf
from webpanel.app import EXPLAINED
from webpanel.sheets import MARKS, REASONS, STATES, VERDICTS
from webpanel.texts import LANGUAGES, texts, wanted_language

PANEL = Path(webpanel.__file__).parent
FILES = [*PANEL.rglob("*.html"), *PANEL.rglob("*.py")]
CALL = re.compile(r"""(?:\b|_)t(?:\.many)?\(\s*["']([\w.]+)["']""")
EITHER = re.compile(r"""(?:\b|_)t\(\s*["']([\w.]+)["'] if [^"']+(?:["'][^"']+["'] )?else ["']([\w.]+)["']""")
STAGES = ("react", "last_words", "elect", "speech", "talk", "vote")
COMPUTED = [
    *(f"trouble.{code}.{part}" for code in EXPLAINED for part in ("title", "about")),
    *(f"mishap.{kind}" for kind in (*TROUBLE_KINDS, "other")),
    *(f"stage.{stage}" for stage in STAGES),
    *(f"head.{stage}" for stage in ("resume", "setup", "dealt", "over", "night", "day")),
    *(f"over.{reason}" for reason in ("both", "third_tie", "empty_table")),
    *(f"public.{stage}" for stage in ("waiting", "dealt", "night", "day", "talk", "elect")),
    *(f"answer.{name}" for name in ("yes", "no", "thumb_yes", "thumb_no")),
    *(f"field.{name}" for name in ("target", "seat", "heal", "poison", "save", "use", "left", "other")),
    *(f"script.{name}" for name in ("stale", "unsent", "most", "colon", "comma")),
    *(f"choice.{name}" for name in ("nobody_out", "game_drawn", "all_out")),
    *(f"problem.{name}" for name in ("cards_do_not_fit", "camp_is_empty", "seats_out_of_range", "unknown_ruleset")),
    "problem.unknown_language",
    *(
        f"problem.{name}"
        for name in (
            "over_before_it_begins",
            "hands_first",
            "cards_go_round",
            "always_a_misdeal",
            "misdeal",
            "not_in_the_deck",
        )
    ),
    *(f"problem.{name}" for name in ("unknown_role", "count_out_of_range", "other")),
    *(f"voice.{name}" for name in ("silent", "page", "page_beside", "asking", "find")),
    *(f"voice.{name}" for name in ("at_computer", "at_page", "at_nowhere")),
    *(f"choose.{name}" for name in ("nobody", "nothing")),
    *STATES.values(),
    *REASONS.values(),
    *VERDICTS.values(),
    *MARKS.values(),
    "public.last_words",
    "public.speaks",
    "choose.no_hit",
    "choose.no_check",
    "choose.no_treat",
    "name",
]
"""Keys that are put together while a page is made."""


def used_keys() -> set[str]:
    """Every key that stands in a page or in code."""
    found: set[str] = set()
    for file in FILES:
        text = file.read_text("utf-8")
        found.update(CALL.findall(text))
        found.update(key for pair in EITHER.findall(text) for key in pair)
        many = re.findall(r"""\bt\.many\(\s*["']([\w.]+)["']""", text)
        found.difference_update(many)
        found.update(f"{key}.{form}" for key in many for form in ("one", "other"))
    return found | set(COMPUTED)


def parameters(words: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(words) if name}


def test_every_language_has_the_same_keys() -> None:
    keys = texts("en").keys()
    for language in LANGUAGES:
        assert texts(language).keys() == keys, language


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_has_the_same_parameters_everywhere(language: str) -> None:
    english = dict(texts("en")._words)
    for key, words in texts(language)._words.items():
        assert parameters(words) == parameters(english[key]), key
        assert words.strip(), key


def test_every_key_that_is_used_exists() -> None:
    assert used_keys() - texts("en").keys() == set()


def test_every_key_that_exists_is_used() -> None:
    assert texts("en").keys() - used_keys() == set()


def test_options_that_are_not_switches_have_words_for_their_choices() -> None:
    for ruleset in Shelf().rulesets:
        for option in Draft.of(ruleset).ruleset.options.values():
            for choice in option.choices:
                assert isinstance(choice, bool) or texts("en").has(f"choice.{choice}"), (ruleset.id, choice)


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("zh-CN,zh;q=0.9,en;q=0.8", "zh-Hans"),
        ("zh-HK", "zh-Hant"),
        ("zh-Hant-TW", "zh-Hant"),
        ("fr-FR,es;q=0.5", "es"),
        ("de", "en"),
        ("", "en"),
    ],
)
def test_the_language_follows_the_browser(accepted: str, language: str) -> None:
    assert wanted_language(accepted) == language


def test_nothing_is_loaded_from_outside_and_nothing_is_inline() -> None:
    for file in [*PANEL.rglob("*.html"), *PANEL.rglob("*.css"), *PANEL.rglob("*.js")]:
        text = file.read_text("utf-8").replace("http://www.w3.org/2000/svg", "")
        assert "http:" not in text, file
        assert "https:" not in text, file
        assert not re.search(r"<script(?![^>]*\bsrc=)|\sstyle=|\son\w+=", text), file
