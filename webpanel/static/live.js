// Keeps a page up to date: a stream says that something has changed, the page fetches itself and swaps what differs.

const SILENCE = 12000; // ms without a sign of life after which the connection counts as lost
const GRACE = 1200; // ms that a broken stream may take to come back before the page says so
const PATIENCE = 8000; // ms that an answer may take

const about = document.body.dataset;
const shown = new Map(); // region -> its HTML as it came from the server
let asked = 0; // requests begun
let applied = 0; // the latest of them whose answer is on the page
let stream = null;
let heard = performance.now();
let keeper = { before: () => null, after: () => {}, busy: () => false };

export const page = () => document.getElementById("page");

const regions = (root) => new Map([...root.querySelectorAll("[data-region]")].map((part) => [part.dataset.region, part]));

/** Start: `hooks` may keep what is being tapped over a swap, and hold a region back while it is being edited. */
export function start(hooks = {}) {
  keeper = { ...keeper, ...hooks };
  for (const [name, part] of regions(page())) shown.set(name, part.innerHTML);
  connect();
  setInterval(watch, 1000);
  addEventListener("offline", () => lost(true));
  addEventListener("online", connect);
  document.addEventListener("visibilitychange", () => document.hidden || connect());
}

/** Ask the server for something that answers with the page's fragment; null if it could not be reached. */
export async function ask(url, options = {}) {
  const number = ++asked;
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), PATIENCE);
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

let fetching = false;
let again = false;

/** Fetch the page's fragment; calls that come meanwhile make one more fetch, not many. */
export async function refresh() {
  again = true;
  if (fetching) return;
  fetching = true;
  while (again) {
    again = false;
    const answer = await ask(about.fragment);
    if (!answer || !answer.ok) break;
  }
  fetching = false;
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

function connect() {
  if (stream) stream.close();
  heard = performance.now();
  stream = new EventSource(about.events);
  stream.addEventListener("tick", () => sign() || refresh());
  stream.addEventListener("beat", sign);
  stream.addEventListener("error", () => setTimeout(doubt, GRACE, stream));
}

function sign() {
  heard = performance.now();
  lost(false);
}

function doubt(broken) {
  if (broken !== stream || broken.readyState === EventSource.OPEN) return;
  lost(true);
  if (broken.readyState !== EventSource.CLOSED) return;
  refresh(); // a stream that was refused: the page itself learns why
  setTimeout(() => broken === stream && connect(), 2000);
}

function watch() {
  if (document.hidden || performance.now() - heard < SILENCE) return;
  lost(true);
  connect();
}

function lost(yes) {
  const banner = document.getElementById("lost");
  if (banner && banner.hidden === yes) banner.hidden = !yes;
}
