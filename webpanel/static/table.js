// The public page: follows the table by itself.

import { dress } from "./dim.js";
import { start } from "./live.js";

function tickClocks() {
  for (const clock of document.querySelectorAll(".clock[data-running]")) {
    const left = Math.max(0, Number(clock.dataset.left) - 1);
    clock.dataset.left = left;
    clock.toggleAttribute("data-over", left === 0);
    clock.textContent = `${Math.floor(left / 60)}:${String(Math.floor(left % 60)).padStart(2, "0")}`;
  }
}

start({ after: dress });
dress();
setInterval(tickClocks, 1000);
