"""What everybody may see, laid open whenever it has changed: whoever looks at it waits for nothing.

A page that waited for the table's lock would tell by its slowness when a tap is being written to the disk.
"""

from __future__ import annotations

from dataclasses import replace

from narrator.clock import Clock
from narrator.model.ruleset import Ruleset
from narrator.table import views
from narrator.table.stage.countdown import Countdown, Running
from narrator.table.stage.performance import GamePerformance
from narrator.table.views import Calling, PublicPage, RulesetLine, RulesetWords


class Showcase:
    """The public page as it was last laid open. Any thread may look, without a lock."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._made_of: tuple[object, ...] = ()
        self._laid: tuple[PublicPage | Exception, Running | None] = (LookupError("nothing is shown yet"), None)

    def lay_open(
        self, language: str, ruleset: Ruleset, performance: GamePerformance | None, countdown: Countdown
    ) -> None:
        """Show this from now on; called under the table's lock. `ruleset`: the one that is played, or would be.

        What cannot be shown must not stop the table: only whoever looks at it is told.
        """
        made_of = (language, ruleset, *_parts(performance), countdown.running)
        if made_of == self._made_of:
            return
        try:
            page: PublicPage | Exception = _page(language, ruleset, performance)
        except Exception as fault:
            page = fault
        self._made_of, self._laid = made_of, (page, countdown.running)

    def look(self) -> PublicPage:
        """The public page at this moment."""
        page, running = self._laid
        if isinstance(page, Exception):
            raise page
        return replace(page, timer=running.at(self._clock.now())) if running else page


def _parts(performance: GamePerformance | None) -> tuple[object, ...]:
    """What the page of a game is made of, in values that never change."""
    if performance is None:
        return ()
    game, heard = performance.game, performance.heard
    return game, heard.state, heard.line, heard.calling, game.length if heard.is_over else 0


def _page(language: str, ruleset: Ruleset, performance: GamePerformance | None) -> PublicPage:
    line, words = RulesetLine.of(ruleset, language), RulesetWords.of(ruleset, language)
    if performance is None:
        return PublicPage("setup", language, line, words)
    heard = performance.heard
    return PublicPage(
        mode="over" if heard.is_over else "game",
        language=language,
        ruleset=line,
        words=words,
        names=tuple(performance.game.names),
        game=views.public_game(heard.state),
        line=heard.line,
        calling=Calling.of(heard.calling),
        story=performance.record.whole(language) if heard.is_over else None,
    )
