// How dark the page is: everything around it follows the night, and a slider takes the light down further.

const KEPT = "narrator-brightness"; // where this phone remembers its slider
const root = document.documentElement;

/** Bring the edges of the page, the browser's own bar and the slider in line with the page as it stands. */
export function dress() {
  root.dataset.phase = document.getElementById("page").dataset.phase;
  const colour = getComputedStyle(root).getPropertyValue("--ground").trim();
  document.querySelector("meta[name=theme-color]").content = colour;
  dim(kept());
}

/** Take the light of nights down to so many percent, and remember that. */
export function dimTo(percent) {
  try {
    localStorage.setItem(KEPT, percent);
  } catch {
    // a browser that keeps nothing: it holds until the page is left
  }
  dim(percent);
}

function dim(percent) {
  root.style.setProperty("--light", percent / 100);
  const slider = document.getElementById("dim");
  if (!slider) return;
  slider.value = percent;
  document.querySelector("output[for=dim]").textContent = `${percent} %`;
}

function kept() {
  try {
    return Number(localStorage.getItem(KEPT)) || 100;
  } catch {
    return 100;
  }
}
