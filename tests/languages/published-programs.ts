import { readFileSync } from "node:fs";
import { join } from "node:path";
import { examples } from "../../provider/host/plugin/schema/examples.ts";
import { checkoutDir } from "../../toolchain/project.ts";

type ProgramLanguage = keyof (typeof examples)[keyof typeof examples]["programs"];

/** All programs that the registry shows in a language: of the schema, and of the front page. Names are in small letters. */
export function readPublishedPrograms(language: ProgramLanguage): [name: string, text: string][] {
  const page = readFileSync(join(checkoutDir, "docs/_index.md"), "utf8");
  const [, front] = new RegExp(`\`\`\`${language}\\n([\\s\\S]+?)\`\`\``).exec(page) ?? [];
  if (front === undefined) throw new Error(`the front page has no program in ${language}`);
  const ofSchema = Object.entries(examples).map(([name, { programs }]): [string, string] => [
    name.toLowerCase(),
    programs[language],
  ]);
  return [["front", front], ...ofSchema];
}
