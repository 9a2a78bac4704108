/**
 * Lets the keyboard into something that scrolls, while it has to scroll.
 * @param {HTMLElement} frame
 * @param {Element} content
 * @param {(isLarger: boolean) => void} [tell] whether the content is larger than its frame
 */
export function keepReachable(frame, content, tell = () => {}) {
  const observer = new ResizeObserver(() => {
    const isLarger =
      frame.scrollWidth > frame.clientWidth || frame.scrollHeight > frame.clientHeight;
    if (isLarger) frame.tabIndex = 0;
    else frame.removeAttribute("tabindex");
    tell(isLarger);
  });
  observer.observe(frame);
  observer.observe(content);
}
