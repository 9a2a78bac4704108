/** A stack as its URNs name it. They do not name its organisation. */
export interface StackName {
  project: string;
  stack: string;
}

/** The stack of the first of these URNs that names one. */
export function findStackName(urns: readonly string[]): StackName | undefined {
  return urns.flatMap((urn) => {
    const [, stack, project] = /^urn:pulumi:(.+?)::(.+?)::/.exec(urn) ?? [];
    return stack === undefined || project === undefined ? [] : { project, stack };
  })[0];
}

/** Whether two names are of the same stack. */
export function isSameStack(a: StackName, b: StackName): boolean {
  return a.stack === b.stack && a.project === b.project;
}

/** A stack for people: "fleet/dev". */
export function describeStack({ project, stack }: StackName): string {
  return `${project}/${stack}`;
}
