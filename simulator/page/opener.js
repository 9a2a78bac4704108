import { element } from "./elements.js";

/**
 * A button, and the row of a table that it opens and closes.
 * @param {(Node | string)[]} label
 * @param {number} columnCount of the table
 * @param {() => (Node | string)[]} fill the content of the row
 */
export function makeOpener(label, columnCount, fill) {
  const cell = element("td", { colSpan: columnCount });
  const details = element("tr", { className: "details", hidden: true }, cell);
  const button = element("button", { type: "button", className: "opener" }, ...label);
  button.ariaExpanded = "false";
  button.addEventListener("click", () => {
    details.hidden = !details.hidden;
    button.ariaExpanded = String(!details.hidden);
    refill();
  });
  function refill() {
    if (!details.hidden) cell.replaceChildren(...fill());
  }
  return { button, details, refill };
}
