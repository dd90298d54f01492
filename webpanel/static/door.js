// The pages before the door: they go on by themselves as soon as this phone belongs to the table.

import { fetchSoon, follow } from "./stream.js";

async function goOnIfKnown() {
  // A page opened out of another program brings no cookie along; asked from here, it does.
  const answer = await fetchSoon("/me");
  if (answer && answer.status === 204) location.replace("/");
}

/** The way back leads to the page as it was left: its button is to be tapped again. */
function comeBack() {
  for (const button of document.querySelectorAll("button[data-busy]")) delete button.dataset.busy;
  goOnIfKnown();
}

async function look() {
  const answer = await fetchSoon("/wait");
  if (!answer) return false;
  if (!answer.ok) return;
  if (answer.redirected) return location.replace("/");
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  document.getElementById("page").replaceWith(fresh.getElementById("page"));
}

if (document.body.dataset.door === "wait") {
  follow(document.body.dataset.events, { news: look });
} else {
  goOnIfKnown();
  addEventListener("pageshow", (event) => event.persisted && comeBack());
}

document.addEventListener("touchstart", () => {}, { passive: true });
document.addEventListener("submit", (event) => {
  const button = event.target.querySelector("button");
  if ("busy" in button.dataset) event.preventDefault();
  button.dataset.busy = "";
});
