import type { z } from "zod";
import type { Account } from "../account.ts";
import { type GivenInputs, type InputFailure, isComplete, parseInputs } from "../values/inputs.ts";

/** The answer of a function: its result, or every argument that does not fit. */
export type Answer<Result> = { result: Result } | { failures: InputFailure[] };

/** A question that a program may ask about the account. The answer spends nothing. */
export interface AccountFunction<Outputs extends z.ZodObject = z.ZodObject> {
  /** What it tells, for people. */
  description: string;
  /** Every argument: how it is read, and what it means. */
  inputs: z.ZodObject;
  /** What a result is made of, and what that means. */
  outputs: Outputs;
  /** Parses the arguments, and asks the service only if all of them fit. */
  answer(account: Account, given: GivenInputs["known"]): Promise<Answer<z.output<Outputs>>>;
}

/** What a function is made of. */
interface Definition<Inputs extends z.ZodObject, Outputs extends z.ZodObject> {
  description: string;
  inputs: Inputs;
  outputs: Outputs;
  /** Arguments that fit by themselves, but not together. */
  findMisfits?(args: Partial<z.output<Inputs>>, given: GivenInputs): InputFailure[];
  /** Answers arguments that fit. */
  answer(account: Account, args: z.output<Inputs>): Promise<z.output<Outputs>>;
}

/** Makes a function that refuses what does not fit before the service is asked. */
export function defineFunction<Inputs extends z.ZodObject, Outputs extends z.ZodObject>(
  definition: Definition<Inputs, Outputs>,
): AccountFunction<Outputs> {
  const { description, inputs, outputs } = definition;
  return {
    description,
    inputs,
    outputs,
    async answer(account, known) {
      const given = { known, unknown: new Set<string>() };
      const { values, failures } = parseInputs(inputs.shape, given);
      // Each value was parsed by the schema of its own property. Those that failed are not among them.
      const args = values as Partial<z.output<Inputs>>;
      failures.push(...(definition.findMisfits?.(args, given) ?? []));
      if (failures.length > 0 || !isComplete<z.output<Inputs>>(args, given)) return { failures };
      return { result: await definition.answer(account, args) };
    },
  };
}
