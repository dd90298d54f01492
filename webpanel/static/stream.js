// News from the table: a stream whose beats are counted. One that falls silent, or slept, is replaced by a new one.

const SILENCE = 2500; // ms without a sign of life after which a stream counts as dead
const PATIENCE = [700, 1000, 1500, 2000]; // ms that one try after the other may take until its first word
const GRACE = 1200; // ms that a broken stream may take to come back before the page says so
const LOOK = 500; // ms between two looks at the beats
const LEAP = 2000; // ms by which time must have leapt between two looks for the page to have slept
const HASTE = 2000; // ms that a small answer may take
const POOL = 5; // connections that a browser keeps to one server, beside that of the stream
const BURNT = 600; // ms after which a connection that does not answer is given up

/**
 * Follow the stream at `url`; what comes back closes it for good.
 *
 * `news`: something has changed, or may have while nobody listened; where it answers false, it is told again at the next
 * beat. `woke`: this page slept, or found the table again, and connections from before may be dead. `lost`: whether the
 * table is out of reach. `refused`: the stream may not be had. `unseen`: go on while the page is hidden.
 */
export function follow(url, { news, woke = () => {}, lost = () => {}, refused = () => {}, unseen = false }) {
  let stream = null;
  let tries = 0; // streams opened since the last sign of life
  let begun = 0; // when this try began, or there was a sign of life since
  let lived = performance.now(); // when there was a sign of life, or this page woke
  let looked = Date.now();
  let owed = false; // whether news was told in vain

  function open() {
    stream?.close();
    begun = performance.now();
    tries += 1;
    stream = new EventSource(url);
    stream.addEventListener("tick", () => sign() || tell());
    stream.addEventListener("beat", () => sign() || (owed && tell()));
    stream.addEventListener("error", broke.bind(null, stream));
  }

  async function tell() {
    owed = (await news()) === false;
  }

  function sign() {
    if (tries > 1) woke();
    begun = lived = performance.now();
    tries = 0;
    lost(false);
  }

  function broke(broken) {
    if (broken !== stream) return;
    if (broken.readyState === EventSource.CLOSED) refused();
    tries = Math.max(tries, 1);
    setTimeout(doubt, GRACE);
  }

  function doubt() {
    if (tries) lost(true);
  }

  function look() {
    const leap = Math.abs(Date.now() - looked - LOOK);
    looked = Date.now();
    if (document.hidden && !unseen) return;
    if (leap > LEAP && !document.hidden) return wake();
    const patience = tries ? PATIENCE[Math.min(tries, PATIENCE.length) - 1] : SILENCE;
    if (performance.now() - lived > SILENCE + GRACE) doubt();
    if (performance.now() - begun <= patience) return;
    if (!tries) tryAll();
    open();
  }

  /** Nothing from before can be trusted: ask anew, on a new connection. */
  function wake() {
    tries = 0;
    lived = performance.now();
    woke();
    open();
    tryAll();
    tell();
  }

  const wakeIfSeen = () => document.hidden || wake();
  const wakeIfKept = (event) => event.persisted && wake();
  const cutOff = () => lost(true);
  document.addEventListener("visibilitychange", wakeIfSeen);
  document.addEventListener("resume", wakeIfSeen);
  addEventListener("pageshow", wakeIfKept);
  addEventListener("online", wake);
  addEventListener("offline", cutOff);
  const timer = setInterval(look, LOOK);
  open();

  return function close() {
    stream.close();
    clearInterval(timer);
    document.removeEventListener("visibilitychange", wakeIfSeen);
    document.removeEventListener("resume", wakeIfSeen);
    removeEventListener("pageshow", wakeIfKept);
    removeEventListener("online", wake);
    removeEventListener("offline", cutOff);
  };
}

/** Ask on all connections at once: a browser would try those from before a sleep, which are dead, one by one. */
function tryAll() {
  for (let number = 0; number < POOL; number += 1) fetchSoon(new URL("icon.svg", import.meta.url), BURNT);
}

/** A small answer, or null where none comes soon: a connection from before a sleep may be dead. */
export async function fetchSoon(url, patience = HASTE) {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), patience);
  const answer = await fetch(url, { cache: "no-store", signal: late.signal }).catch(() => null);
  clearTimeout(timer);
  return answer;
}
