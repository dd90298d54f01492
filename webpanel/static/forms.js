// What a form does by itself before anything is sent: counting, limits, labels, and being kept over a refresh.

import { page } from "./live.js";

const words = () => page().dataset;
const chosen = (field) => [...field.querySelectorAll("input:checked"), ...[...field.querySelectorAll("[data-slot]")].filter((slot) => slot.value)];
const nameOf = (taken) => taken.dataset.name ?? taken.selectedOptions[0].text;

/** What a form sends when this button sends it. */
export function valuesOf(form, button) {
  const values = new URLSearchParams(new FormData(form));
  if (button?.name) values.append(button.name, button.value);
  return values;
}

/** Bring a form's confirm button, sums and notes in line with what is tapped. */
export function settle(form) {
  if ("pick" in form.dataset) settlePick(form);
  if ("count" in form.dataset) settleCount(form);
  if ("deck" in form.dataset) settleDeck(form);
}

export function settleAll() {
  for (const form of document.querySelectorAll("form[data-pick], form[data-count]")) settle(form);
}

function settlePick(form) {
  const fields = [...form.querySelectorAll("[data-field]")];
  const confirm = form.querySelector("[data-confirm]");
  const all = fields.flatMap(chosen);
  const names = all.map(nameOf);
  confirm.disabled = !fields.every(isFull) || (all.length === 0 && fields.some((field) => field.dataset.least !== "0"));
  confirm.textContent = names.length ? `${confirm.dataset.label}${words().colon}${names.join(words().comma)}` : confirm.dataset.label;
  tell(form, all.map((input) => input.dataset.warning).filter(Boolean).join(" "));
  markTaken(fields);
}

function isFull(field) {
  const count = chosen(field).length;
  return (count === 0 && "optional" in field.dataset) || (count >= Number(field.dataset.least) && count <= Number(field.dataset.most));
}

/** A seat that is named in one of several grids cannot be named in another. */
function markTaken(fields) {
  const grids = fields.filter((field) => "apart" in field.dataset);
  for (const grid of grids) {
    const elsewhere = new Set(grids.filter((other) => other !== grid).flatMap(chosen).map((input) => input.value));
    for (const input of grid.querySelectorAll("input")) input.disabled = elsewhere.has(input.value);
  }
}

/** One tap too many is taken back, and said. */
export function limit(input) {
  const field = input.closest("[data-field]");
  if (!field || !input.checked || chosen(field).length <= Number(field.dataset.most)) return "";
  input.checked = false;
  return words().most.replace("{most}", field.dataset.most);
}

export function tell(form, text) {
  const place = form.querySelector("[data-told]");
  if (place && place.textContent !== text) place.textContent = text;
}

function settleCount(form) {
  const voters = Number(form.dataset.voters);
  const numbers = [...form.querySelectorAll("input[type=number]")].map((input) => Number(input.value) || 0);
  const selects = [...form.querySelectorAll("select")];
  const boxes = selects.reduce((sum, select) => sum + (select.value ? Number(select.dataset.weight || 1) : 0), 0);
  const cast = numbers.reduce((sum, number) => sum + number, boxes);
  form.querySelector("[data-cast]").textContent = cast;
  form.querySelector("[data-rest]").textContent = Math.max(0, voters - cast);
  form.querySelector("[data-sum]").toggleAttribute("data-wrong", cast > voters);
  form.querySelector("[data-confirm]").disabled = cast > voters;
}

function settleDeck(form) {
  const numbers = [...form.querySelectorAll("input[type=number]")].map((input) => Number(input.value) || 0);
  const dealt = numbers.reduce((sum, number) => sum + number, 0);
  form.querySelector("[data-dealt]").textContent = dealt;
  form.querySelector(".sum").toggleAttribute("data-wrong", dealt !== Number(form.dataset.deck));
}

/** One more or one less, within the number's limits. */
export function step(button) {
  const input = document.getElementById(button.dataset.for);
  const wanted = (Number(input.value) || 0) + Number(button.dataset.step);
  const value = Math.min(Number(input.max), Math.max(Number(input.min), wanted));
  if (String(value) === input.value) return;
  input.value = value;
  input.dispatchEvent(new Event("input", { bubbles: true }));
  input.dispatchEvent(new Event("change", { bubbles: true }));
}

/** What is tapped in the forms that are kept, what they say, what is folded open, and where the cursor stands. */
export function remember() {
  const drafts = new Map();
  for (const form of document.querySelectorAll("form[data-keep]:not([data-auto])")) drafts.set(draftName(form), { values: controls(form).map(valueOf), told: form.querySelector("[data-told]")?.textContent });
  const focused = document.activeElement;
  return { drafts, open: [...document.querySelectorAll("details[open][id]")].map((part) => part.id), focused: focused && focused.id, parent: focused };
}

export function recall({ drafts, open, focused, parent }) {
  const told = new Map();
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  for (const form of document.querySelectorAll("form[data-keep]:not([data-auto])")) {
    const fresh = controls(form);
    const draft = drafts.get(draftName(form));
    if (draft?.values.length !== fresh.length) continue;
    fresh.forEach((control, place) => putValue(control, draft.values[place]));
    told.set(form, draft.told);
  }
  if (focused && !parent.isConnected) document.getElementById(focused)?.focus({ preventScroll: true });
  settleAll();
  for (const [form, text] of told) if (text) tell(form, text);
}

const draftName = (form) => `${form.dataset.keep} ${form.dataset.panel || ""}`;
const controls = (form) => [...form.elements].filter((control) => control.name && control.type !== "hidden" && control.tagName !== "BUTTON" && control.tagName !== "FIELDSET");
const isTick = (control) => control.type === "checkbox" || control.type === "radio";
const valueOf = (control) => (isTick(control) ? control.checked : control.value);

function putValue(control, value) {
  if (isTick(control)) control.checked = value;
  else control.value = value;
}
