"""An engine of 2021, as far as ours can be made one: no dialogs, and no word of which button sends a form."""

from __future__ import annotations

import pytest

from tests.webpanel.house import SECRET
from tests.webpanel.phones import Hall, Thumb

pytestmark = [pytest.mark.browser, pytest.mark.slow]

OLD = """
for (const name of ["show", "showModal", "close"]) delete HTMLDialogElement.prototype[name];
delete window.HTMLDialogElement;
Object.defineProperty(SubmitEvent.prototype, "submitter", { get: () => undefined });
window.FormData = class extends FormData { constructor(form) { super(form); } };
"""


@pytest.fixture
def judge(hall: Hall) -> Thumb:
    phone = hall.phone()
    phone.page.add_init_script(OLD)
    phone.open(f"/pair/{SECRET}")
    phone.page.tap("button.main")
    phone.wakes()
    return phone


def test_sheets_open_choose_and_close(hall: Hall, judge: Thumb) -> None:
    judge.sheet("rulesets")
    judge.look_over()
    box = judge.page.locator("dialog[open]").bounding_box()
    assert box
    assert (box["x"], round(box["y"] + box["height"])) == (0, 844)
    judge.page.tap("dialog[open] button[value=killers-3]")
    judge.page.wait_for_selector("dialog#rulesets:not([open])", state="hidden")
    judge.until(lambda: hall.house.table.draft.ruleset.id == "killers-3")
    judge.sheet("roles")
    judge.shut()
    judge.page.wait_for_selector("dialog#roles", state="hidden")


def test_the_button_that_was_tapped_is_sent(hall: Hall, judge: Thumb) -> None:
    hall.house.start()
    hall.house.night_one()
    hall.house.tap("proceed")
    judge.page.wait_for_selector("button[value=to_vote]")
    judge.act("button[value=to_vote]")
    assert hall.house.asked == "vote"
