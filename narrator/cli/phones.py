"""The last word on phones: what may be typed at the table's terminal, or with `narrator phones` beside it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from narrator.narration.scripts import isolated
from narrator.storage.devices import DeviceStore
from narrator.storage.folders import StorageError, user_folders
from narrator.storage.hatch import Answer, ask, open_tables

if TYPE_CHECKING:
    from webpanel.pairing import Pairing

VERBS = {"": "helper", "yes": "helper", "in": "helper", "helper": "helper", "judge": "judge", "no": "no", "out": "out"}
"""What may be typed beside a phone's number -> what is done with it."""
HELP = (
    "NN lets a phone in as a helper, 'NN judge' makes it the judge's (the one before is out), 'NN no' refuses it, "
    "'out NN' shows it out; 'phones' lists them, 'reset' shows all of them out, 'code' tells the address to scan."
)


class Doorkeeper:
    """Does with phones what its words say, whatever the judge's phone has done. `link` tells the address to scan."""

    def __init__(self, pairing: Pairing, link: Callable[[], str]) -> None:
        self._pairing = pairing
        self._link = link

    def do(self, line: str) -> Answer:
        """Do what a line says."""
        words = line.lower().split()
        whole = {"phones": self.listed, "list": self.listed, "reset": self.reset, "code": self.code, "help": helped}
        if not words:
            return Answer(True, "")
        if len(words) == 1 and words[0] in whole:
            return whole[words[0]]()
        if words[0] in VERBS:
            words = [*words[1:2], words[0], *words[2:]]
        number, verb = words[0], VERBS.get(" ".join(words[1:]))
        if verb is None:
            return Answer(
                False, f"Beside the number comes nothing, 'judge', 'no' or 'out'; got {' '.join(words[1:])!r}"
            )
        return self.decide(number, verb)

    def decide(self, number: str, verb: str) -> Answer:
        """Do one of the VERBS with the phone of that number."""
        if verb == "no":
            done = self._pairing.refuse(number)
        elif verb == "out":
            done = self._pairing.show_out(number)
        else:
            done = self._pairing.overrule(number, "judge" if verb == "judge" else "helper")
        if not done:
            return Answer(False, self._nobody(number, verb))
        if self._pairing.judge() is None:
            return Answer(True, f"Done. Nobody is the judge now; the code is a new one: {self._link()}")
        return Answer(True, "Done.")

    def listed(self) -> Answer:
        """Every phone with its number."""
        from webpanel.pairing import number_of

        door = self._pairing
        lines = [(number_of(one.token_hash), str(one.role), one.name) for one in door.phones()]
        lines += [(one.number, "waits at the door", one.name) for one in door.waiting()]
        lines += [(one.number, "was refused", one.name) for one in door.refused()]
        return Answer(True, "\n".join(phone_line(*line) for line in lines) or "There are no phones.")

    def reset(self) -> Answer:
        """Show every phone out; the code is a new one."""
        self._pairing.reset()
        return Answer(True, f"Every phone is out. The next one to scan the new code is the judge's: {self._link()}")

    def code(self) -> Answer:
        """The address behind the code."""
        return Answer(True, self._link())

    def _nobody(self, number: str, verb: str) -> str:
        if verb == "helper" and any(phone_number == number for phone_number in self._judges()):
            return f"That is the judge's phone: make another the judge's first; got {number!r}"
        return f"No phone of that number is {'here' if verb == 'out' else 'waiting'}; got {number!r}"

    def _judges(self) -> list[str]:
        from webpanel.pairing import number_of

        judge = self._pairing.judge()
        return [number_of(judge.token_hash)] if judge else []


def helped() -> Answer:
    """What may be typed."""
    return Answer(True, HELP)


def phone_line(number: str, standing: str, name: str) -> str:
    """A phone in the list."""
    return f"{number}  {standing}" + (f"  ({isolated(name)})" if name else "")


@click.command("phones")
@click.argument("words", nargs=-1)
@click.option("--port", type=int, help="Which table, where several are open.")
def phones_command(words: tuple[str, ...], port: int | None) -> None:
    """List the phones of the table that is open on this computer, or decide about them.

    \b
    narrator phones              list them
    narrator phones 42           let phone 42 in as a helper
    narrator phones 42 judge     make it the judge's; the one before is out
    narrator phones 42 no        refuse it
    narrator phones out 42       show it out
    narrator phones code         the address to scan
    narrator phones reset        show every phone out, and change the code
    """
    home = user_folders().home
    tables = open_tables(home)
    line = " ".join(words) or "phones"
    try:
        if port is None and not tables:
            answer = without_table(DeviceStore(home), line)
        else:
            answer = ask(home, chosen(port, tables), line)
    except StorageError as fault:
        raise click.ClickException(str(fault)) from fault
    if not answer.done:
        raise click.ClickException(answer.text)
    click.echo(answer.text)


def chosen(port: int | None, tables: list[int]) -> int:
    """The table that is meant. UsageError if that cannot be known."""
    if port is None and len(tables) > 1:
        raise click.UsageError(f"several tables are open: name one with --port ({', '.join(map(str, tables))})")
    if port is not None and port not in tables:
        known = ", ".join(map(str, tables)) or "none"
        raise click.UsageError(f"no table is open on that port; open are: {known}; got {port}")
    return tables[0] if port is None else port


def without_table(store: DeviceStore, line: str) -> Answer:
    """What can be done while no table is open: look at the phones that are remembered, and forget them."""
    if line == "reset":
        return Answer(True, f"Forgotten: {store.forget_all()}. No table is open.")
    if line not in ("phones", "list"):
        return Answer(False, "no table is open on this computer; start one with 'narrator play'")
    from webpanel.pairing import number_of

    lines = [phone_line(number_of(one.token_hash), one.role, one.name) for one in store.devices]
    return Answer(True, "\n".join(["No table is open. Remembered:", *lines] if lines else ["No table is open."]))
