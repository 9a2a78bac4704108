/** Whether a text names an order: "N1" is not in "N10". */
export function mentions(said: string, name: string): boolean {
  const escaped = name.replace(/[^\w]/g, "\\$&");
  return new RegExp(`(?<![\\w-])${escaped}(?![\\w-])`).test(said);
}
