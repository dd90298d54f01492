// What is secret is on the page only while a button is held: fetched at the press, gone at the release.

const DELIBERATE = 350; // ms that a press must last before anything is asked for

let held = null; // the press that lasts, if any

/** Watch every button with `data-hold`; `stale` is called when the page has been overtaken. */
export function watchHolds({ proof, stale }) {
  const press = (button) => begin(button, proof, stale);
  document.addEventListener("pointerdown", (event) => {
    const button = holdOf(event);
    if (!button || event.button !== 0 || !event.isPrimary) return;
    button.setPointerCapture(event.pointerId);
    press(button);
  });
  document.addEventListener("keydown", (event) => {
    const button = holdOf(event);
    if (!button || ![" ", "Enter"].includes(event.key)) return;
    event.preventDefault();
    if (!event.repeat) press(button);
  });
  for (const kind of ["pointerup", "pointercancel", "lostpointercapture", "keyup"]) document.addEventListener(kind, end);
  document.addEventListener("focusout", (event) => event.target === held?.button && end());
  for (const kind of ["blur", "pagehide", "freeze"]) addEventListener(kind, end);
  document.addEventListener("visibilitychange", end);
  document.addEventListener("contextmenu", (event) => holdOf(event) && event.preventDefault());
}

const holdOf = (event) => (event.target instanceof Element ? event.target.closest("button[data-hold]") : null);

function begin(button, proof, stale) {
  end();
  const late = new AbortController();
  held = { button, late };
  button.dataset.held = "";
  held.timer = setTimeout(look, DELIBERATE, held, proof, stale);
}

async function look(hold, proof, stale) {
  const { button, late } = hold;
  const body = new URLSearchParams({ seat: button.dataset.seat, revision: document.getElementById("page").dataset.revision });
  try {
    const answer = await fetch(button.dataset.hold, { method: "POST", body, cache: "no-store", headers: { "X-Proof": proof }, signal: late.signal });
    const html = await answer.text();
    if (held !== hold || !button.isConnected) return;
    if (answer.ok) reveal(html);
    else stale();
  } catch {
    // let go before the answer came, or no connection: nothing is shown
  }
}

function reveal(html) {
  const hand = document.querySelector("[data-hand]");
  hand.replaceChildren(...new DOMParser().parseFromString(html, "text/html").body.childNodes);
  document.querySelector("[data-after-look]").disabled = false;
}

function end() {
  clearTimeout(held?.timer);
  held?.late.abort();
  delete held?.button.dataset.held;
  held = null;
  document.querySelector("[data-hand]")?.replaceChildren();
}
