// The loudspeaker page: one tap unlocks one audio element, which then plays each line as it is spoken.

import { fetchSoon, follow } from "./stream.js";

const about = document.body.dataset;
const sound = document.getElementById("sound");
const button = document.getElementById("unlock");
const state = document.getElementById("state");
const LATE = 0.5; // s: a line that began longer ago is joined where it is, so that nothing is heard as an echo

const device = ownDevice();

let standing = ""; // whether this device may play: in, waits, sent_away
let playing = ""; // the name of the line that is on the air, as far as this page knows
let unfollow = null; // ends the stream, if this page is a loudspeaker

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

/** The secret by which this browser is known again, after a reload too. */
function ownDevice() {
  try {
    const kept = localStorage.getItem("loudspeaker") ?? about.id;
    localStorage.setItem("loudspeaker", kept);
    return kept;
  } catch {
    return about.id; // a browser that keeps nothing
  }
}

function say(what, number = "") {
  document.getElementById("page").dataset.state = what;
  state.hidden = false;
  state.textContent = state.dataset[what].replace("{number}", number);
}

function connect() {
  unfollow?.();
  unfollow = follow(`${about.events}&device=${device}`, { news: look, lost, unseen: true });
}

function lost(yes) {
  document.getElementById("lost").hidden = !yes;
}

/** Play what is on the air: false if that could not be learnt. */
async function look() {
  const answer = await fetchSoon(`${about.now}?device=${device}`);
  if (!answer) return false;
  if (answer.ok) await play(await answer.json());
}

async function play({ name, elapsed, volume, standing: now, number }) {
  sound.volume = volume;
  if (now !== standing) stand(now, number);
  if (now !== "in") return;
  if (name === playing) return;
  playing = name;
  if (name) await speak(name, elapsed);
  else hush();
}

/** The judge has decided, or has yet to. */
function stand(now, number) {
  const before = standing;
  standing = now;
  if (now === "in" && before === "") return;
  if (playing) hush();
  playing = "";
  say(now === "in" ? "ready" : now, number);
  if (now === "sent_away") leave();
}

function leave() {
  unfollow?.();
  unfollow = null;
  standing = "";
  button.hidden = false;
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
  unfollow?.();
  unfollow = null;
  button.hidden = false;
  say("blocked");
}

sound.addEventListener("ended", () => {
  if (!playing || !sound.src.includes(playing)) return;
  say("ready");
  fetch(about.ended, { method: "POST", body: new URLSearchParams({ page: about.id, name: playing }) }).catch(() => {});
});

addEventListener("pagehide", () => unfollow && navigator.sendBeacon(about.left, new URLSearchParams({ page: about.id })));

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
