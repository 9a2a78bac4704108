import { styleText } from "node:util";

/** Prints the heading of a step. */
export function tellStep(title: string): void {
  console.log(`\n${styleText("bold", `━━ ${title}`)}`);
}

/** Prints a sentence between the lines of the CLI. */
export function tell(text: string): void {
  console.log(styleText("cyan", text));
}

/** Prints a line of a list. */
export function tellItem(name: string, text: string): void {
  console.log(`   ${name.padEnd(10)} ${text}`);
}
