import { readFileSync } from "node:fs";

/** The package's two hosts: resources in the program's language, or a plugin for every language. */
export type Host = "dynamic" | "plugin";

/** Both hosts, for tests of behaviour that must be the same on them. */
export const hosts: readonly Host[] = ["dynamic", "plugin"];

/** A program, and the way to run it. */
interface ProgramOptions {
  readonly program: string;
  readonly projectLines?: readonly string[];
  readonly host?: Host;
  readonly runtime?: "nodejs" | "yaml";
}

/** The lines with which a project finds the plugin in a package that npm has installed. */
export const pluginLines: readonly string[] = [
  "plugins:",
  "  providers:",
  "    - name: proxyrental",
  "      path: node_modules/.bin",
];

/** The files of a project with the program. A YAML program is the project's own file. */
export function programFiles(options: ProgramOptions): Record<string, string> {
  const { program, projectLines = [], runtime = "nodejs", host = "dynamic" } = options;
  if (runtime === "yaml") {
    const lines = ["name: fleet", "runtime: yaml", ...pluginLines, ...projectLines, program];
    return { "Pulumi.yaml": `${lines.join("\n")}\n` };
  }
  const lines = [
    ...["name: fleet", "runtime:", "  name: nodejs", "  options:", "    typescript: false"],
    ...["main: index.ts", ...(host === "plugin" ? pluginLines : []), ...projectLines],
  ];
  const project = { "Pulumi.yaml": `${lines.join("\n")}\n` };
  if (host === "dynamic") return { ...project, "index.ts": program };
  return {
    ...project,
    "index.ts": program.replaceAll('"pulumi-proxyrental"', '"./plugin-resources.ts"'),
    ...pluginResources(),
  };
}

/** The module from which a TypeScript program imports its resources, if they are to run on the plugin. */
export function pluginResources(): Record<string, string> {
  const file = "plugin-resources.ts";
  return { [file]: readFileSync(new URL(file, import.meta.url), "utf8") };
}
