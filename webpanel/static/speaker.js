// The loudspeaker page: one tap unlocks one audio element, which then plays each line as it is spoken.

const about = document.body.dataset;
const sound = document.getElementById("sound");
const button = document.getElementById("unlock");
const state = document.getElementById("state");
const LATE = 0.5; // s: a line that began longer ago is joined where it is, so that nothing is heard as an echo
const SILENCE = 12000; // ms without a sign of life after which the connection counts as lost

let playing = ""; // the name of the line that is on the air, as far as this page knows
let stream = null;
let heard = performance.now();

button.addEventListener("click", async () => {
  sound.src = about.chime;
  try {
    await sound.play();
  } catch {
    return say("blocked");
  }
  button.hidden = true;
  say("ready");
  stayLit();
  connect();
});

function say(what) {
  document.getElementById("page").dataset.state = what;
  state.hidden = false;
  state.textContent = state.dataset[what];
}

function connect() {
  stream?.close();
  heard = performance.now();
  stream = new EventSource(about.events);
  stream.addEventListener("tick", () => sign() || look());
  stream.addEventListener("beat", sign);
  stream.addEventListener("error", () => lost(true));
}

function sign() {
  heard = performance.now();
  lost(false);
}

function lost(yes) {
  document.getElementById("lost").hidden = !yes;
}

async function look() {
  const answer = await fetch(about.now, { cache: "no-store" }).catch(() => null);
  if (!answer?.ok) return;
  const { name, elapsed, volume } = await answer.json();
  sound.volume = volume;
  if (name === playing) return;
  playing = name;
  if (name) await speak(name, elapsed);
  else hush();
}

async function speak(name, elapsed) {
  sound.src = `${about.lines}${name}.wav`;
  if (elapsed > LATE) sound.currentTime = elapsed;
  say("speaks");
  try {
    await sound.play();
  } catch (fault) {
    if (fault.name === "NotAllowedError") blocked();
  }
}

function hush() {
  sound.pause();
  sound.removeAttribute("src");
  sound.load();
  say("ready");
}

/** The browser wants another tap: until then this page is no loudspeaker, and nobody waits for it. */
function blocked() {
  stream?.close();
  button.hidden = false;
  say("blocked");
}

sound.addEventListener("ended", () => {
  if (!playing || !sound.src.includes(playing)) return;
  say("ready");
  fetch(about.ended, { method: "POST", body: new URLSearchParams({ page: about.id, name: playing }) }).catch(() => {});
});

addEventListener("pagehide", () => stream && navigator.sendBeacon(about.left, new URLSearchParams({ page: about.id })));
addEventListener("pageshow", (event) => event.persisted && stream && connect());

// Light

async function stayLit() {
  document.getElementById("dark").hidden = await locked();
  document.addEventListener("visibilitychange", () => document.hidden || locked());
  showNothing().catch(() => {});
}

/** Ask the browser to keep the screen lit; it answers only on pages that came over HTTPS, or from this very device. */
async function locked() {
  return Boolean(await navigator.wakeLock?.request("screen").catch(() => null));
}

/** A film of nothing, as large as the page and behind it: where a film runs, many screens stay lit. */
async function showNothing() {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 16;
  const brush = canvas.getContext("2d");
  setInterval(() => brush.fillRect(0, 0, 16, 16), 1000);
  brush.fillRect(0, 0, 16, 16);
  const film = document.getElementById("awake");
  film.srcObject = canvas.captureStream(1);
  await film.play();
}

setInterval(() => {
  if (stream && button.hidden && performance.now() - heard > SILENCE) connect();
}, 1000);
