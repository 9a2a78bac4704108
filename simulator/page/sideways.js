import { element } from "./elements.js";
import { keepReachable } from "./reachable.js";

/**
 * The place of something that may be too wide for the page. It scrolls by itself, and says so while it has to.
 * @param {string} name
 * @param {HTMLElement} content
 */
export function makeSideways(name, content) {
  const hint = element("p", { className: "hint" }, "More to the side: scroll this table →");
  const frame = element("section", { className: "sideways", ariaLabel: name }, content);
  keepReachable(frame, content, (isLarger) => {
    hint.hidden = !isLarger;
  });
  return [hint, frame];
}
