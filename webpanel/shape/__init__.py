"""What the pages show, worked out of what the table tells: templates only lay it out."""

from webpanel.shape.day import DayPage
from webpanel.shape.dealing import DealingPage
from webpanel.shape.ears import EarsPage
from webpanel.shape.night import NightPage
from webpanel.shape.setup import SetupPage


class Page(SetupPage, DealingPage, NightPage, DayPage, EarsPage):
    """The judge's page at one revision."""


__all__ = ["Page"]
