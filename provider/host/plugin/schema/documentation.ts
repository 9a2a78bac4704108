import { examples } from "./examples.ts";

/** The languages of each example, as the registry names them. */
const languages = ["typescript", "python", "go", "csharp", "java", "yaml"] as const;

interface Example {
  title: string;
  programs: Readonly<Record<(typeof languages)[number], string>>;
}

const examplesByName: Readonly<Record<string, Example>> = examples;

/**
 * Adds what the registry and the SDKs show below the description: an example in each language, and how to import. What
 * is new has no example before the schema that has it is written.
 */
export function document(name: string, description: string, importing?: string): string {
  const example = examplesByName[name];
  return [
    description,
    ...(example === undefined ? [] : describeExample(example)),
    ...(importing === undefined ? [] : ["## Import", importing]),
  ].join("\n\n");
}

function describeExample({ title, programs }: Example): string[] {
  const blocks = languages.map((language) => `\`\`\`${language}\n${programs[language]}\`\`\``);
  return [
    "{{% examples %}}",
    "## Example Usage",
    `{{% example %}}\n### ${title}\n\n${blocks.join("\n")}\n{{% /example %}}\n{{% /examples %}}`,
  ];
}
