import * as pulumi from "@pulumi/pulumi";

/**
 * Outputs for the arguments that a program has left out. Pulumi makes outputs of what a resource is given; of the rest it
 * knows nothing before `up`. That these are undefined is known at once.
 */
export function outputsOfAbsent<Name extends string>(
  names: readonly Name[],
  args: Readonly<Partial<Record<Name, unknown>>>,
): Partial<Record<Name, pulumi.Output<undefined>>> {
  const absent = names.filter((name) => args[name] === undefined);
  known ??= pulumi.output(undefined);
  const outputs: Partial<Record<Name, pulumi.Output<undefined>>> = {};
  for (const name of absent) outputs[name] = known;
  return outputs;
}

/** One for all: an output takes several promises, and a large program leaves out thousands of arguments. */
let known: pulumi.Output<undefined> | undefined;
