/** A step of a job that runs in a shell. */
export interface ShellStep {
  script: string;
  /** The condition of the step; undefined if it always runs. Only GitHub workflows have it. */
  condition: string | undefined;
}

/**
 * Reads the shell steps of each job of a GitHub workflow. This is no complete YAML reader: it knows only the form that
 * the examples have, and throws an error if a step has another form.
 */
export function readWorkflow(text: string): ReadonlyMap<string, ShellStep[]> {
  const [, jobs = ""] = text.split("\njobs:\n");
  return readJobs(jobs, 2, (job) =>
    job.split(/^ {6}- /m).flatMap((step) => {
      const keys = step.replaceAll(/^ {8}/gm, "");
      const script = readValue(keys, /^run: (.*)$/m);
      if (script === undefined) return [];
      const [, condition] = /^if: (.*)$/m.exec(keys) ?? [];
      return [{ script, condition }];
    }),
  );
}

/** Reads the shell steps of each job of a GitLab pipeline in the same way. The steps in `default` come first. */
export function readPipeline(text: string): ReadonlyMap<string, ShellStep[]> {
  return readJobs(text, 0, (job) => {
    const [, list = ""] = /^ {2}(?:before_)?script:\n((?: {4}.*\n?)+)/m.exec(job) ?? [];
    return list
      .replaceAll(/^ {4}/gm, "")
      .split(/^- /m)
      .slice(1)
      .map((item) => {
        const script = readValue(item, /^(.*)$/m);
        if (script === undefined) throw new Error(`no script: ${item}`);
        return { script, condition: undefined };
      });
  });
}

function readJobs(
  text: string,
  indent: number,
  readSteps: (job: string) => ShellStep[],
): ReadonlyMap<string, ShellStep[]> {
  const heads = [...text.matchAll(new RegExp(`^ {${indent}}(\\w+):\\n`, "gm"))];
  return new Map(
    heads.map(({ 0: { length }, 1: name = "", index }, at) => [
      name,
      readSteps(text.slice(index + length, heads[at + 1]?.index)),
    ]),
  );
}

/** Reads a plain value in one line, or a literal block. */
function readValue(text: string, head: RegExp): string | undefined {
  const found = head.exec(text);
  const [line, value] = found ?? [];
  if (found === null || line === undefined || value === undefined) return undefined;
  if (value === "|") {
    const block = text.slice(found.index + line.length + 1);
    return (/^(?: {2}.*\n|\n)+/.exec(`${block}\n`)?.[0] ?? "").replaceAll(/^ {2}/gm, "").trim();
  }
  if (/^["'[{>|*&!%@`]|: | #/.test(value)) throw new Error(`not a plain command: ${value}`);
  return value;
}
