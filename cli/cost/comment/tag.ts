import { InvalidArgumentError } from "commander";

/** The line by which a comment is found again. Nobody sees it: it is a comment of HTML. */
export function writeTag(name: string | undefined): string {
  return `<!-- pulumi-proxyrental:cost tag${name === undefined ? "" : ` ${name}`} -->`;
}

/** Whether a comment begins with this tag. A reply that quotes one does not. */
export function hasTag(body: string, tag: string): boolean {
  return body.split(/\r?\n/, 1)[0]?.trim() === tag;
}

/** Reads the name of a tag. It must not end the comment of HTML. */
export function parseTagName(text: string): string {
  if (!/^[\w./]+(-[\w./]+)*$/.test(text) || text.length > 100) {
    throw new InvalidArgumentError(
      "Give up to 100 letters, digits and . _ / with single hyphens between them, for instance prod-eu.",
    );
  }
  return text;
}
