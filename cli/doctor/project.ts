import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { parseJson } from "../given-file.ts";
import type { Found } from "./findings.ts";

/** The names that a project's file may have. */
const PROJECT_FILES = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"];

const STACK_FILE = /^Pulumi\..+\.(ya?ml|json)$/;

/** What is read of a project. Other forms of a field count as absent: the CLI says what is wrong with them. */
const projectSchema = z.object({
  name: z.string().catch("?"),
  runtime: z
    .union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)])
    .catch(""),
  options: z.object({ refresh: z.unknown() }).partial().optional().catch(undefined),
  plugins: z
    .object({ providers: z.array(z.object({ name: z.string() })).catch([]) })
    .partial()
    .optional()
    .catch(undefined),
  packages: z.record(z.string(), z.unknown()).optional().catch(undefined),
});

const manifestSchema = z.object({
  dependencies: z.record(z.string(), z.unknown()).optional(),
  devDependencies: z.record(z.string(), z.unknown()).optional(),
});

/** Looks at the Pulumi project in a folder, if there is one. */
export async function lookAtProject(folder: string): Promise<Found[]> {
  const file = await findProjectFile(folder);
  if (file === undefined) {
    const text = "There is no Pulumi.yaml in the current folder, so no project was looked at.";
    return [{ about: "project", mark: "notAsked", text }];
  }
  const { data: project } = projectSchema.safeParse(await readYaml(join(folder, file)));
  if (project === undefined) {
    return [
      {
        about: "project",
        mark: "look",
        text: `${file} can't be read: a Pulumi project is expected.`,
      },
    ];
  }
  const libraries = await readLibraries(folder);
  return [
    {
      about: "project",
      mark: "well",
      text: `${project.name} uses ${describeHost(project, libraries)}.`,
    },
    judgeRefresh(file, project),
    ...(await judgeKeys(folder)),
  ];
}

type Project = z.infer<typeof projectSchema>;

function describeHost(
  { runtime, plugins, packages }: Project,
  libraries: ReadonlySet<string>,
): string {
  const isNamed =
    plugins?.providers?.some(({ name }) => name === "proxyrental") === true ||
    Object.keys(packages ?? {}).some(
      (name) => name === "proxyrental" || name.endsWith("/proxyrental"),
    );
  if (isNamed || libraries.has("@pulumi-proxyrental/proxyrental"))
    return `the plugin (runtime ${runtime})`;
  if (runtime === "nodejs") {
    return libraries.has("pulumi-proxyrental")
      ? "dynamic resources, which need no plugin (runtime nodejs)"
      : "neither the plugin nor pulumi-proxyrental, as far as Pulumi.yaml and package.json say";
  }
  return `the plugin, if it uses this provider at all (runtime ${runtime})`;
}

function judgeRefresh(file: string, { options }: Project): Found {
  const about = "refresh";
  if (options?.refresh === "always") {
    return {
      about,
      mark: "well",
      text: "Each preview and each up first reads the account (options: refresh: always).",
    };
  }
  return {
    about,
    mark: "look",
    text: `${file} has no \`options: refresh: always\`: a preview does not see what has ended or changed in the account.`,
    todo: `Add to ${file}: options: { refresh: always }. Until then, give --refresh to preview and up.`,
  };
}

/** A stack's configuration has settings under `config`; a project may have them too, also with a type and a value. */
const configSchema = z.object({
  config: z.record(z.string(), z.unknown()).nullish().catch(undefined),
});

const encrypted = z.object({ secure: z.unknown() });

/** Whether a file of the folder has the key in plain text. The key itself is not told. */
async function judgeKeys(folder: string): Promise<Found[]> {
  const files = (await readdir(folder)).filter(
    (name) => STACK_FILE.test(name) || PROJECT_FILES.includes(name),
  );
  const plain: string[] = [];
  for (const file of files.toSorted()) {
    const config = configSchema.safeParse(await readYaml(join(folder, file))).data?.config ?? {};
    const key = config["proxyrental:apiKey"];
    if (key !== undefined && key !== null && !encrypted.safeParse(key).success) plain.push(file);
  }
  const about = "plainKey";
  if (plain.length === 0)
    return [
      { about, mark: "well", text: "No configuration of the project has the key in plain text." },
    ];
  return [
    {
      about,
      mark: "look",
      text: `${plain.join(", ")} ${plain.length === 1 ? "has" : "have"} proxyrental:apiKey in plain text.`,
      todo: "Set it again with `pulumi config set --secret proxyrental:apiKey`. If the file was shared, ask the service for another key.",
    },
  ];
}

async function findProjectFile(folder: string): Promise<string | undefined> {
  const names = await readdir(folder).catch((): string[] => []);
  return PROJECT_FILES.find((name) => names.includes(name));
}

/** YAML holds JSON too. Undefined if it can't be read. */
async function readYaml(path: string): Promise<unknown> {
  try {
    return parse(await readFile(path, "utf8"));
  } catch {
    return undefined;
  }
}

async function readLibraries(folder: string): Promise<ReadonlySet<string>> {
  const text = await readFile(join(folder, "package.json"), "utf8").catch(() => "");
  const { data } = manifestSchema.safeParse(parseJson(text));
  return new Set([
    ...Object.keys(data?.dependencies ?? {}),
    ...Object.keys(data?.devDependencies ?? {}),
  ]);
}
