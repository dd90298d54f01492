// Keeps a page up to date: a stream says that something has changed, the page fetches itself and swaps what differs.

import { follow } from "./stream.js";

const PATIENCE = 8000; // ms that an answer may take
const HASTE = 1000; // ms that the page may take to be fetched, at the first try: a dead connection answers never

const about = document.body.dataset;
const shown = new Map(); // region -> its HTML as it came from the server
let asked = 0; // requests begun
let applied = 0; // the latest of them whose answer is on the page
let awake = null; // what keeps the screen from falling asleep, where a page may ask for that (https)
let keeper = { before: () => null, after: () => {}, busy: () => false };

export const page = () => document.getElementById("page");

const regions = (root) => new Map([...root.querySelectorAll("[data-region]")].map((part) => [part.dataset.region, part]));

/** Start: `hooks` may keep what is being tapped over a swap, and hold a region back while it is being edited. */
export function start(hooks = {}) {
  keeper = { ...keeper, ...hooks };
  for (const [name, part] of regions(page())) shown.set(name, part.innerHTML);
  follow(about.events, { news: refresh, woke: startOver, lost, refused: refresh });
  keepAwake();
  document.addEventListener("visibilitychange", () => document.hidden || keepAwake());
}

async function keepAwake() {
  if (awake && !awake.released) return;
  awake = (await navigator.wakeLock?.request("screen").catch(() => null)) ?? null;
}

/** Ask the server for something that answers with the page's fragment; null if it could not be reached. */
export async function ask(url, options = {}, patience = PATIENCE, late = new AbortController()) {
  const number = ++asked;
  const timer = setTimeout(() => late.abort(), patience);
  try {
    const answer = await fetch(url, { cache: "no-store", ...options, signal: late.signal });
    const html = await answer.text();
    if (answer.status === 401 || answer.status === 403) location.reload();
    const fresh = new DOMParser().parseFromString(html, "text/html").getElementById("page");
    if (fresh && "mode" in fresh.dataset && isNewer(fresh.dataset, number)) put(fresh, number);
    answer.note = fresh?.dataset.message;
    return answer;
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}

let again = false;
let fetching = null; // what breaks off the fetch that is under way
let hurried = false; // whether it was broken off, to ask on a new connection
let failures = 0; // fetches that came to nothing, one after the other

/** Fetch the page's fragment: false if it does not come. Calls that come meanwhile make one more fetch, not many. */
export async function refresh() {
  again = true;
  if (fetching) return;
  let answer = null;
  do {
    again = hurried = false;
    fetching = new AbortController();
    answer = await ask(about.fragment, {}, Math.min(PATIENCE, HASTE * 2 ** failures), fetching);
    failures = answer ? 0 : failures + 1;
  } while (again && (answer?.ok || hurried));
  fetching = null;
  return Boolean(answer);
}

/** Break off what was asked for before the page slept: what is asked for now goes another way. */
function startOver() {
  failures = 0;
  hurried = true;
  fetching?.abort();
}

/** Answers may overtake each other: of one run of the table the higher revision counts, then the later question. */
function isNewer({ run, revision }, number) {
  const now = page().dataset;
  if (run !== now.run || revision === now.revision) return number > applied;
  return Number(revision) > Number(now.revision);
}

function put(fresh, number) {
  applied = Math.max(applied, number);
  const kept = keeper.before();
  const [now, next] = [regions(page()), regions(fresh)];
  if ([...now.keys()].join() === [...next.keys()].join()) swapRegions(now, next, fresh);
  else swapAll(next, fresh);
  keeper.after(kept);
}

function swapRegions(now, next, fresh) {
  for (const [name, part] of now) {
    const html = next.get(name).innerHTML;
    if (shown.get(name) === html || keeper.busy(part)) continue;
    shown.set(name, html);
    part.replaceChildren(...next.get(name).childNodes);
    copyAttributes(next.get(name), part);
  }
  copyAttributes(fresh, page());
}

function swapAll(next, fresh) {
  shown.clear();
  for (const [name, part] of next) shown.set(name, part.innerHTML);
  page().replaceWith(fresh);
  scrollTo(0, 0);
}

function copyAttributes(from, to) {
  for (const { name } of [...to.attributes]) if (!from.hasAttribute(name)) to.removeAttribute(name);
  for (const { name, value } of from.attributes) if (to.getAttribute(name) !== value) to.setAttribute(name, value);
}

function lost(yes) {
  const banner = document.getElementById("lost");
  if (banner && banner.hidden === yes) banner.hidden = !yes;
}
