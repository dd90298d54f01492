// The pages before the door: they go on by themselves as soon as this phone belongs to the table.
"use strict";

async function goOnIfKnown() {
  // A page opened out of another program brings no cookie along; asked from here, it does.
  const answer = await fetch("/me", { cache: "no-store" }).catch(() => null);
  if (answer && answer.status === 204) location.replace("/");
}

async function look() {
  const answer = await fetch("/wait", { cache: "no-store" }).catch(() => null);
  if (!answer || !answer.ok) return;
  if (answer.redirected) return location.replace("/");
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  document.getElementById("page").replaceWith(fresh.getElementById("page"));
}

if (document.body.dataset.door === "wait") {
  new EventSource(document.body.dataset.events).addEventListener("tick", look);
} else {
  goOnIfKnown();
}

document.addEventListener("touchstart", () => {}, { passive: true });
document.addEventListener("submit", (event) => {
  const button = event.target.querySelector("button");
  if ("busy" in button.dataset) event.preventDefault();
  button.dataset.busy = "";
});
