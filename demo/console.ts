import { styleText } from "node:util";

/** Begins a step of the story. */
export function tellStep(title: string): void {
  console.log(`\n${styleText("bold", `━━ ${title}`)}`);
}

/** A sentence beside what the CLI says. */
export function tell(text: string): void {
  console.log(styleText("cyan", text));
}

/** A line of a list. */
export function tellItem(name: string, text: string): void {
  console.log(`   ${name.padEnd(10)} ${text}`);
}
