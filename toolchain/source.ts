import { minimumCli, minimumGo } from "./version.ts";

/** The sources of a Pulumi CLI, cheapest first. */
const sources = ["path", "download", "build"] as const;
export type Source = (typeof sources)[number];

/** Names the sources to leave out, separated by commas: `PROXYRENTAL_TOOLCHAIN_SKIP=path,download`. */
export const skipVariable = "PROXYRENTAL_TOOLCHAIN_SKIP";

/** A step of the search. `find` takes milliseconds. `make` may use the network and take minutes. */
export interface Step {
  readonly kind: "find" | "make";
  readonly source: Source;
}

/**
 * The steps that look for a CLI come before all steps that make one. So a run with a cached build never waits for the
 * network, even if the network was closed when that build was made.
 */
export function planSearch(skip: readonly Source[]): Step[] {
  const allowed = sources.filter((source) => !skip.includes(source));
  return [
    ...allowed.map((source) => ({ kind: "find" as const, source })),
    ...allowed
      .filter((source) => source !== "path")
      .map((source) => ({ kind: "make" as const, source })),
  ];
}

/** Throws an error if a name is not known: a misspelt switch without an effect would be worse. */
export function parseSkip(value: string | undefined): Source[] {
  const names = (value ?? "").split(",").map((name) => name.trim());
  return names
    .filter((name) => name !== "")
    .map((name) => {
      const source = sources.find((known) => known === name);
      if (source === undefined) {
        throw new Error(`${skipVariable}: "${name}" is none of ${sources.join(", ")}`);
      }
      return source;
    });
}

/** A source that gave no CLI. */
export interface Attempt {
  readonly source: Source;
  readonly reason: string;
}

const remedies: Readonly<Record<Source, string>> = {
  path: `install the Pulumi CLI ${minimumCli} or newer: https://www.pulumi.com/docs/install/`,
  download: "allow https to get.pulumi.com, and it will be downloaded",
  build: `install Go ${minimumGo} or newer (https://go.dev/dl/), and it will be built`,
};

/** Says which sources were tried, and what the user can do now. That includes the sources that were left out. */
export function describeFailure(attempts: readonly Attempt[]): string {
  const tried = sources.map((source) => {
    const reason = attempts.find((attempt) => attempt.source === source)?.reason;
    return `  ${source}: ${reason ?? `left out by ${skipVariable}`}`;
  });
  return [
    "no Pulumi CLI here, and no way to make one:",
    ...tried,
    "any one of these helps:",
    ...sources.map((source) => `  - ${remedies[source]}`),
  ].join("\n");
}
