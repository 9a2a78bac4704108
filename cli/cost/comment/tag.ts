/** The line by which a comment is found again. Nobody sees it: it is a comment of HTML. */
export function writeTag(name: string | undefined): string {
  return `<!-- pulumi-proxyrental:cost tag${name === undefined ? "" : ` ${name}`} -->`;
}
