import type { ResourceValidation, StackValidation } from "@pulumi/policy";
import { z } from "zod";
import { PolicyConfigError, parseConfig } from "./config.ts";
import { fitsUrn } from "./glob.ts";
import { definePolicy, type SpendPolicy } from "./spend-policy.ts";

const exception = z.strictObject({
  urn: z.string().min(1).describe("URN or name of the resource; * stands for any text."),
  policy: z.string().min(1).describe("The policy that does not hold it."),
  reason: z.string().trim().min(1, "must say why").describe("Why."),
  until: z
    .string()
    .refine((text) => z.iso.date().safeParse(text).success, "must be a date like 2026-12-31")
    .describe("The last day it counts on, in UTC, like 2026-12-31."),
});

const config = z.strictObject({
  list: z.array(exception).default([]).describe("What is not held, by whom, why and until when."),
});

/** Resources that a policy does not judge until the end of a day in UTC. */
export type ExceptionsConfig = z.input<typeof config>;

type Exception = z.output<typeof exception>;

/**
 * Exempts some resources from policies until a day. An exempt resource is not judged, and does not count in a sum.
 * The first of the resulting policies has the list. A wrong list stops the run. An exception whose day is over no
 * longer counts, and violations of its resource say so.
 */
export function withExceptions(policies: readonly SpendPolicy[], now: () => Date): SpendPolicy[] {
  const names = policies.map(({ name }) => name);
  let standing: readonly Exception[] = [];

  /** The SDK calls policies one after the other, so all that follow see the list of this call. */
  function take(args: Parameters<typeof parseConfig>[2]): void {
    const { list } = parseConfig("exceptions", config, args);
    const stray = list.find(({ policy }) => !names.includes(policy));
    if (stray) {
      throw new PolicyConfigError(
        `the config of exceptions is wrong: it names ${stray.policy}, which is no policy of this pack. It may name ${names.join(", ")}`,
      );
    }
    standing = list;
  }

  const holder: SpendPolicy = {
    ...definePolicy({
      name: "exceptions",
      description: "Single resources may be let be, for a reason and for a time.",
      config,
    }),
    validateResource: take,
    validateStack: take,
  };
  const find = (policy: string, urn: string) =>
    standing.filter((one) => one.policy === policy && fitsUrn(one.urn, urn));
  return [holder, ...policies.map((policy) => exempt(policy, find, now))];
}

function exempt(
  policy: SpendPolicy,
  find: (policy: string, urn: string) => Exception[],
  now: () => Date,
): SpendPolicy {
  const isActive = ({ until }: Exception) =>
    Date.parse(`${until}T23:59:59.999Z`) >= now().getTime();
  const isExempt = (urn: string) => find(policy.name, urn).some(isActive);
  const { validateStack } = policy;

  const validateResource: ResourceValidation = async (args, report) => {
    if (isExempt(args.urn)) return;
    const [expired] = find(policy.name, args.urn);
    const note = expired ? ` The exception for it has ended with ${expired.until}.` : "";
    for (const validate of [policy.validateResource ?? []].flat()) {
      await validate(args, (message, urn) => report(`${message}${note}`, urn));
    }
  };
  const exempted: SpendPolicy = { ...policy, validateResource };
  if (validateStack === undefined) return exempted;
  const validateWhole: StackValidation = (args, report) => {
    const resources = args.resources.filter(({ urn }) => !isExempt(urn));
    return validateStack({ ...args, resources }, report);
  };
  return { ...exempted, validateStack: validateWhole };
}
