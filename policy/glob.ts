/** Whether a URN, or the name at its end, fits a pattern, in which `*` stands for any text. */
export function fitsUrn(pattern: string, urn: string): boolean {
  const parts = pattern.split("*").map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, "\\$&"));
  const whole = new RegExp(`^${parts.join(".*")}$`, "s");
  return whole.test(urn) || whole.test(nameOf(urn));
}

/** A resource's name. */
function nameOf(urn: string): string {
  return urn.split("::").slice(3).join("::");
}
