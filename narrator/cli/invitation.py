"""How phones find the table: the code to scan and the addresses, shown again when the network has changed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from narrator.cli.terminal import qr_code, write_qr

if TYPE_CHECKING:
    from webpanel.network import Network, Place

MOST_OTHERS = 6
"""Addresses shown beside the best."""
MARKS = {
    "gone": "this computer does not have it at present; without --host it listens on all it has",
    "self-assigned": "the computer gave it to itself: no router answered",
    "tunnel": "a tunnel, a VPN perhaps",
    "bridge": "to containers or virtual machines in this computer",
}
"""What is said of an address that a phone in the room will hardly reach."""


class Invitation:
    """What the terminal shows so that phones find the table.

    `secret` opens the door. `picture` is a file for the code, or None; `instead` is taken for it where the terminal
    cannot show the code, and removed in the end.
    """

    def __init__(self, network: Network, secret: str, picture: Path | None, instead: Path) -> None:
        self._network = network
        self._secret = secret
        self._picture = picture
        self._instead = instead
        self._shown = network.best
        self._told = set(network.places)
        self._told_name = ""

    def show(self, place: Place | None = None) -> None:
        """Print the code and the addresses, of the best place or of that one. OSError if the picture fails."""
        network = self._network
        self._shown = place or network.best
        self._told = set(network.places)
        self._show_code(network.link(self._shown, self._path))
        click.echo(f"\nThe judge's phone:  {network.link(self._shown, self._path)}")
        click.echo(f"What all may see:   {network.link(self._shown, '/table')}")
        click.echo(f"As a loudspeaker:   {network.link(self._shown, '/speaker')}")
        self._tell_name()
        for other in [one for one in network.places if one != self._shown][:MOST_OTHERS]:
            click.echo(f"If that cannot be reached: {network.link(other, self._path)}{marked(other)}")
        if self._shown.kind == "nowhere":
            click.echo("There is no network: only this computer can open the page. Once there is one, it is told here.")
        elif mark := MARKS.get(self._shown.kind):
            click.echo(f"Mind: the only address found is {self._shown.host} ({mark}). Join the phones' Wi-Fi.")

    def look(self) -> None:
        """Look whether the network or the machine's name in it has changed, and tell it."""
        network = self._network
        if not network.look():
            if self._by_name != self._told_name:
                self._tell_name()
            return
        if self._shown not in network.places or network.best not in self._told:
            click.echo("\nThe network has changed. These are the addresses now:\n")
            self._try_to_show(network.best)
            return
        new = [place for place in network.places if place not in self._told and place.kind not in MARKS]
        self._told |= set(network.places)
        for place in new:
            click.echo(f"Can be reached as well: {network.link(place, self._path)}{marked(place)}")

    def use(self, secret: str) -> None:
        """Show the code of another secret, if it is another."""
        if secret != self._secret:
            self._secret = secret
            click.echo("\nThe code is a new one; the one before opens nothing any more.\n")
            self._try_to_show(self._shown if self._shown in self._network.places else self._network.best)

    def another(self) -> None:
        """Show the code of the next address."""
        places = self._network.places
        at = places.index(self._shown) if self._shown in places else -1
        if places == (self._shown,):
            click.echo("There is no other address.")
        else:
            self._try_to_show(places[(at + 1) % len(places)])

    def close(self) -> None:
        """Remove the picture that nobody asked for."""
        self._instead.unlink(missing_ok=True)

    @property
    def _path(self) -> str:
        return f"/pair/{self._secret}"

    @property
    def _by_name(self) -> str:
        """The link with the name that the machine has announced; '' without one."""
        network = self._network
        known = network.name and network.best.kind != "nowhere"
        return network.link(network.best, self._path, name=network.name) if known else ""

    def _tell_name(self) -> None:
        if link := self._by_name:
            self._told_name = link
            click.echo(f"By name as well:    {link}")

    def _try_to_show(self, place: Place) -> None:
        try:
            self.show(place)
        except OSError as fault:
            click.echo(f"The code could not be written as a picture: {fault}", err=True)

    def _show_code(self, link: str) -> None:
        if self._shown.kind == "nowhere":
            return
        lines = qr_code(link)
        click.echo("\n".join(["", *lines]))
        picture = self._picture or (None if lines else self._instead)
        if picture:
            write_qr(link, picture)
            click.echo(f"The code as a picture: {picture}")


def marked(place: Place) -> str:
    """What is to be said of an address, in brackets."""
    words = [word for word in (place.interface, MARKS.get(place.kind, "")) if word]
    return f"  ({': '.join(words)})" if words else ""
