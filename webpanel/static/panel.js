// The judge's page: taps become requests; what comes back is put in place by live.js.

import { ask, page, refresh, start } from "./live.js";
import { dimTo, dress } from "./dim.js";
import { watchHolds } from "./holding.js";
import { limit, recall, remember, settle, settleAll, step, tell, valuesOf } from "./forms.js";
import { isSheet, lay, putAway } from "./sheets.js";

const TYPING = 500; // ms of quiet after which a stepped number is sent
const TOLD = 4500; // ms for which a note stays
const proof = document.body.dataset.proof;
const scheduled = new Map(); // form -> timer
const dismissed = new Set(); // notes of trouble that were put away
const openTabs = new Map(); // group -> the tab that was chosen

// Sending

async function send(form, button) {
  if (form.dataset.sending !== undefined) return;
  clearTimeout(scheduled.get(form));
  scheduled.delete(form);
  form.dataset.sending = "";
  const sheet = "closes" in form.dataset ? form.closest("dialog") : null;
  if (button) button.dataset.busy = "";
  const answer = "auto" in form.dataset ? await sendValues(form) : await post(form, button);
  delete form.dataset.sending;
  if (button) delete button.dataset.busy;
  if (!answer) return toast(page().dataset.unsent);
  if (answer.ok) putAway(sheet);
  if (answer.ok) toast(form.dataset.done);
  if (answer.status === 409) toast(page().dataset.stale);
  else if (answer.status === 422) toast(answer.note);
  if ("auto" in form.dataset) refresh();
}

async function post(form, button) {
  const body = valuesOf(form, button);
  body.set("revision", page().dataset.revision);
  return ask(form.dataset.post, { method: "POST", body, headers: { "X-Proof": proof } });
}

/** A form that sends itself says how things shall be, whatever they were: it may try again on a fresher page. */
async function sendValues(form) {
  const answer = await post(form);
  return answer?.status === 409 ? post(form) : answer;
}

function schedule(form, delay) {
  clearTimeout(scheduled.get(form));
  scheduled.set(form, setTimeout(() => (form.isConnected ? sendWhenFree(form) : scheduled.delete(form)), delay));
}

function sendWhenFree(form) {
  if (form.dataset.sending === undefined) send(form);
  else schedule(form, 100);
}

/** Whether something in this part of the page is being edited and must not be swapped away. */
function isBusy(part) {
  const typing = document.activeElement;
  const unsent = typing instanceof HTMLInputElement && typing.type === "text" && typing.value !== typing.defaultValue;
  const waiting = [...scheduled.keys(), ...document.querySelectorAll("form[data-auto][data-sending]")];
  return waiting.some((form) => part.contains(form)) || (unsent && part.contains(typing));
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.dataset.post) return;
  event.preventDefault();
  if ("auto" in form.dataset) document.activeElement?.blur();
  else send(form, event.submitter ?? (tapped?.form === form ? tapped : null));
});

// Choosing

document.addEventListener("change", (event) => {
  const form = event.target.form;
  if (!form) return;
  const note = limit(event.target);
  settle(form);
  if (note) tell(form, note);
  if ("auto" in form.dataset) schedule(form, event.target.type === "number" ? TYPING : 0);
});

document.addEventListener("input", (event) => {
  const { target } = event;
  if (target.type === "range") sayValue(target);
  if (target.id === "dim") dimTo(target.value);
  if (target.form && target.type === "number") settle(target.form);
});

function sayValue(range) {
  const place = document.querySelector(`output[for="${range.id}"]`);
  if (place) place.textContent = `${range.value} ${place.dataset.unit ?? "%"}`;
}

let tickedBefore = null;
let tapped = null; // the button that was tapped last: older engines (Safari before 15.4) do not say which one sends

document.addEventListener("pointerdown", (event) => {
  tickedBefore = event.target.type === "radio" && event.target.checked ? event.target : null;
  const button = event.target.closest("button");
  if (button) button.dataset.touched = "";
});

for (const kind of ["pointerup", "pointercancel"]) {
  document.addEventListener(kind, () => {
    for (const button of document.querySelectorAll("[data-touched]")) delete button.dataset.touched;
  });
}

document.addEventListener("click", (event) => {
  const { target } = event;
  if (target === tickedBefore && target.closest("[data-field]")) {
    target.checked = false;
    settle(target.form);
  }
  tickedBefore = null;
  const button = target.closest("button");
  tapped = button;
  if (isSheet(target)) return putAway(target);
  if (button) press(button);
});

function press(button) {
  const { step: by, why, open, close, tab, dismiss } = button.dataset;
  if (by) step(button);
  if (why) tell(button.form, why);
  if (tab) openTab(button.closest("[data-tabs]").dataset.tabs, tab);
  if (dismiss !== undefined) dismissed.add(button.closest("[data-trouble]").textContent.trim());
  if (dismiss !== undefined) hideDismissed();
  if (close !== undefined) putAway(button.closest("dialog"));
  if (open) openSheet(button, open);
}

function hideDismissed() {
  for (const note of document.querySelectorAll("[data-trouble]")) note.hidden = dismissed.has(note.textContent.trim()) || note.hidden;
}

function openSheet(button, id) {
  putAway(button.closest("dialog"));
  lay(document.getElementById(id));
}

function openTab(group, tab) {
  openTabs.set(group, tab);
  for (const button of document.querySelectorAll(`[data-tabs="${group}"] [data-tab]`)) button.setAttribute("aria-pressed", button.dataset.tab === tab);
  for (const panel of document.querySelectorAll("[data-panel]")) panel.hidden = panel.dataset.panel !== tab;
}

// Telling

let toastTimer = 0;

function toast(text) {
  const place = document.getElementById("toast");
  if (!text) return;
  place.textContent = text;
  place.hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => (place.hidden = true), TOLD);
}

// Time

function tickClocks() {
  for (const clock of document.querySelectorAll(".clock[data-running]")) {
    const left = Math.max(0, Number(clock.dataset.left) - 1);
    clock.dataset.left = left;
    clock.toggleAttribute("data-over", left === 0);
    clock.textContent = `${Math.floor(left / 60)}:${String(Math.floor(left % 60)).padStart(2, "0")}`;
  }
}

// Starting

function restore(kept) {
  recall(kept);
  dress();
  hideDismissed();
  for (const [group, tab] of openTabs) if (document.querySelector(`[data-tabs="${group}"]`)) openTab(group, tab);
}

document.addEventListener("touchstart", () => {}, { passive: true });
start({ before: remember, after: restore, busy: isBusy });
settleAll();
dress();
watchHolds({ proof, stale: refresh });
document.body.dataset.live = ""; // from now on a tap is seen to
setInterval(tickClocks, 1000);
