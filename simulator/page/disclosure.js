/**
 * A panel that a button opens and closes. Escape and a click elsewhere close it too.
 * @param {HTMLButtonElement} button
 * @param {HTMLElement} panel
 */
export function makeDisclosure(button, panel) {
  /** @param {boolean} open */
  function show(open) {
    panel.hidden = !open;
    button.ariaExpanded = String(open);
  }

  button.addEventListener("click", () => show(button.ariaExpanded !== "true"));
  // A click, and not the press before it: what is below the panel moves when the panel closes.
  document.addEventListener("click", ({ target }) => {
    const isElsewhere =
      target instanceof Node && !button.contains(target) && !panel.contains(target);
    if (isElsewhere && !panel.hidden) show(false);
  });
  document.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape" || panel.hidden) return;
    if (panel.contains(document.activeElement)) button.focus();
    show(false);
  });
}
