"""What a page of the judge shows before the game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from narrator.speech.outputs.output import LEAD_IN_SECONDS
from webpanel.shape.base import Base

Json = Mapping[str, Any]
SPEAKERS = {"pyttsx3": "voice.at_computer", "page": "voice.at_page", "silent": "voice.at_nowhere"}
"""Backend -> key of what it is called."""
TIMES = (30, 45, 60, 90, 120, 180, 300)
"""Speaking times that are offered, in seconds."""


class SetupPage(Base):
    """The set-up, the preferences, and the choice between going on and starting anew."""

    @property
    def ruleset(self) -> dict[str, Any]:
        """The game that is chosen."""
        chosen = next(one for one in self.setup["rulesets"] if one["id"] == self.setup["ruleset"])
        fewest, most = chosen["seats"]
        return {**chosen, "range": self.t("setup.range", fewest=fewest, most=most)}

    @property
    def names_given(self) -> str:
        """How many names have been given."""
        count = sum(bool(self.name(seat)) for seat in range(1, self.setup["seats"] + 1))
        return (
            self.t("setup.names_given", count=count, seats=self.setup["seats"]) if count else self.t("setup.names_none")
        )

    @property
    def count_rows(self) -> list[dict[str, Any]]:
        """Each role with its number of cards."""
        counts = self.setup["counts"]
        return [{"id": role, "name": self.words.role(role), "count": counts[role]} for role in counts]

    @property
    def deck(self) -> int:
        """How many cards must be dealt."""
        return int(self.setup["cards"])

    @property
    def dealt(self) -> int:
        """How many cards there are."""
        return sum(self.setup["counts"].values())

    @property
    def counts_changed(self) -> bool:
        """Whether the deal differs from the suggestion."""
        return bool(self.setup["counts"] != self.setup["suggested"])

    @property
    def extras_chosen(self) -> str:
        """The roles added from other editions."""
        chosen = self.setup["extras"]["chosen"]
        return self.words.listed(extra["name"] for extra in self.setup["extras"]["known"] if extra["id"] in chosen)

    @property
    def hand_size(self) -> int:
        """How many cards each player holds."""
        return self.deck // int(self.setup["seats"])

    @property
    def asks_for_hands(self) -> bool:
        """Whether the cards of each player must be known before the game."""
        return self.setup["dealt"] or any(problem["reason"] == "hands_first" for problem in self.setup["problems"])

    @property
    def problems(self) -> list[str]:
        """What is wrong with the set-up, in words."""
        return [self.problem(problem) for problem in self.setup["problems"]]

    def problem(self, problem: Json) -> str:
        """A problem of the set-up in words."""
        values = {name: self._value(name, value) for name, value in problem["values"].items()}
        key = f"problem.{problem['reason']}"
        return self.t(key, **values) if self.t.has(key) else self.t("problem.other", text=problem["text"])

    def _value(self, name: str, value: Any) -> Any:
        named = {"camp": self.words.camp, "role": self.words.role}.get(name)
        return named(str(value)) if named else value

    @property
    def role_notes(self) -> list[dict[str, str]]:
        """Each role with what it does."""
        camps = {role["id"]: role["camp"] for role in self.setup.get("roles", ())}
        return [
            {"name": self.words.role(role), "task": task, "camp": self.words.camp(camps[role]) if role in camps else ""}
            for role, task in self.judge["texts"]["tasks"].items()
        ]

    @property
    def rules(self) -> list[str]:
        """The summary of the rules, a paragraph a line."""
        return [line for line in self.judge["texts"]["rules"].splitlines() if line.strip()]

    # Languages, voice, time

    @property
    def language_choices(self) -> list[tuple[str, str]]:
        """Every language by tag and own name."""
        return [(language["id"], language["name"]) for language in self.judge["languages"]["available"]]

    @property
    def languages(self) -> list[str]:
        """The spoken languages, in order."""
        return list(self.judge["languages"]["narration"])

    @property
    def second_language(self) -> str:
        """The second spoken language, or ''."""
        return "".join(self.languages[1:2])

    @property
    def spoken_names(self) -> str:
        """The spoken languages by their own names."""
        named = dict(self.language_choices)
        return " + ".join(named.get(tag, tag) for tag in self.languages)

    def language_name(self, tag: str) -> str:
        """A language's own name."""
        return dict(self.language_choices).get(tag, tag)

    @property
    def settings(self) -> Json:
        """What the judge prefers."""
        settings: Json = self.judge["settings"]
        return settings

    @property
    def speed(self) -> str:
        """Percent of the natural pace."""
        return str(self.settings["speed"])

    @property
    def speech_seconds(self) -> int:
        """Seconds each speaker has; 0: no limit."""
        return int(self.settings["speech_seconds"])

    @property
    def timer_choices(self) -> list[int]:
        """The speaking times that are offered, the one chosen among them."""
        return sorted({*TIMES, self.speech_seconds} - {0})

    @property
    def lead_in(self) -> int:
        """Milliseconds of silence before a line."""
        seconds = self.settings["lead_in"]
        return round(1000 * (LEAD_IN_SECONDS if seconds is None else seconds))

    @property
    def speaker_choices(self) -> list[tuple[str, str]]:
        """What can speak, the present one among them even where it was chosen elsewhere."""
        known = {backend: self.t(key) for backend, key in SPEAKERS.items()}
        now = str(self.speech["backend"])
        return list({**({} if now in known else {now: now}), **known}.items())

    @property
    def readiness(self) -> str:
        """How much of what is likely to be said is rendered, as long as that is not everything."""
        done, count = self.speech["ready"]
        return "" if done >= count else self.t("voice.ready", percent=100 * done // count)

    @property
    def speaks_at(self) -> str:
        """Where the voice comes from, and where else it could."""
        where = {"silent": "voice.silent", "page": "voice.page"}
        return self.t(where.get(self.speech["backend"], "voice.page_beside"))

    # Going on

    @property
    def offers(self) -> list[dict[str, str]]:
        """The interrupted games."""
        return [self._offer(game) for game in self.interrupted]

    def _offer(self, game: Json) -> dict[str, str]:
        rulesets = {ruleset["id"]: ruleset["name"] for ruleset in self.setup.get("rulesets", ())}
        where = self.t("head.dealt") if not game["round"] else self.t(f"head.{game['phase']}", number=game["round"])
        about = self.t("resume.about_game", seats=game["seats"], where=where)
        title = rulesets.get(game["ruleset"], game["ruleset"] or game["id"])
        return {"id": game["id"], "title": title, "about": about, "problem": game.get("problem") or ""}
