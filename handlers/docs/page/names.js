// What a screen reader and the keyboard need, and Swagger UI does not give its controls.

/** The controls without a name of their own, and the name of each. */
const names = {
  "#servers": () => "Server",
  ".examples-select-element": () => "Example",
  ".content-type": () => "Media type",
  ".body-param textarea, .body-param__text": () => "Request body",
  ".copy-to-clipboard button": () => "Copy",
  ".close-modal": () => "Close",
  "tr[data-param-name] :is(input, select, textarea)": (/** @type {Element} */ control) => control.closest("tr")?.dataset.paramName ?? "",
};

/** @param {HTMLElement} ui */
export function nameControls(ui) {
  const name = () => {
    for (const [selector, nameOf] of Object.entries(names)) {
      for (const control of ui.querySelectorAll(selector)) {
        if (!control.hasAttribute("aria-label")) control.setAttribute("aria-label", nameOf(control));
      }
    }
    for (const box of ui.querySelectorAll("pre:not([tabindex])")) box.setAttribute("tabindex", "0"); // it may have to be scrolled
    for (const heading of ui.querySelectorAll("h6:not([aria-level])")) heading.setAttribute("aria-level", "5");
    ui.querySelector('[aria-label="Remove authorization"]')?.removeAttribute("aria-label"); // it reads Logout
  };
  new MutationObserver(name).observe(ui, { childList: true, subtree: true });
}
