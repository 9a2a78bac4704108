import { minimumCli, minimumGo } from "./version.ts";

/** Where a Pulumi CLI can come from, cheapest first. */
const sources = ["path", "download", "build"] as const;
export type Source = (typeof sources)[number];

/** Names the sources to leave out, separated by commas: `PROXYRENTAL_TOOLCHAIN_SKIP=path,download`. */
export const skipVariable = "PROXYRENTAL_TOOLCHAIN_SKIP";

/** A step of the search. `find` costs milliseconds; `make` may use the network and take minutes. */
export interface Step {
  readonly kind: "find" | "make";
  readonly source: Source;
}

/**
 * Everything that may already be there comes before anything that has to be made: with a cached
 * build, nobody waits for a network that was closed when the build became necessary.
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

/** Throws on a name it does not know: a misspelt switch that does nothing is worse than none. */
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

/** What was tried, and every way on, left-out sources included. */
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
