/** They lead past long lists. Not by the address: that says which account is shown. */
for (const link of document.querySelectorAll("a.skip")) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    const target = document.querySelector(link.getAttribute("href") ?? "");
    if (target instanceof HTMLElement) target.focus();
  });
}
