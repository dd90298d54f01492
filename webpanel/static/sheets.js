// Sheets that lie over the page. Engines without dialogs (Safari before 15.4, Firefox before 98) lay them by panel.css.

const known = typeof HTMLDialogElement === "function";

export const isSheet = (element) => element.tagName === "DIALOG";

export function lay(sheet) {
  if (known) sheet?.showModal();
  else sheet?.setAttribute("open", "");
}

export function putAway(sheet) {
  if (known) sheet?.close();
  else sheet?.removeAttribute("open");
}
