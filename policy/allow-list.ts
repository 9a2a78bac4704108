import { z } from "zod";
import { notKnown, parseInput } from "./inputs.ts";
import { parsePlannedSpend } from "./planned-spend.ts";
import { kindOf, type ResourceKind } from "./resource-kind.ts";
import { definePolicy, type SpendPolicy } from "./spend-policy.ts";

/** A policy that allows only some values of one argument to be bought. */
interface AllowListRule<Value extends string | number> {
  name: string;
  description: string;
  /** The argument. */
  input: string;
  /** The name of one value, for people. */
  noun: string;
  item: z.ZodType<Value>;
  /** The resources that have this argument. */
  kinds: readonly ResourceKind[];
}

function listSchema<Value>(item: z.ZodType<Value>, noun: string) {
  return z.strictObject({
    allow: z.array(item).optional().describe(`Each ${noun} that may be bought; all if left out.`),
    deny: z.array(item).default([]).describe(`Each ${noun} that may not be bought.`),
  });
}

/** What may be bought (everything, if left out) and what may not; `deny` wins. */
export interface AllowListConfig<Value> {
  allow?: Value[] | undefined;
  deny?: Value[] | undefined;
}

/**
 * Makes a policy of a list. It judges purchases, so what is paid stays as it is. If there is a list, a value that is
 * not known yet is refused.
 */
export function defineAllowList<Value extends string | number>(
  rule: AllowListRule<Value>,
): SpendPolicy {
  const { name, input, noun, item, kinds } = rule;
  return definePolicy({
    name,
    description: rule.description,
    config: listSchema(item, noun),
    judge(args, { allow, deny }) {
      const kind = kindOf(args.type);
      if (kind === undefined || !kinds.includes(kind) || !parsePlannedSpend(args).spends)
        return undefined;
      if (allow === undefined && deny.length === 0) return undefined;
      const value = parseInput(args.props, input, item);
      if (value === notKnown || value === undefined) {
        return `its ${noun} is not known yet, so it can't be held against ${name}. Give a ${input} that is known at preview.`;
      }
      if (deny.includes(value)) {
        return `the ${noun} ${value} is one of those that deny names. Choose another ${noun}, or take it out of deny in the config of ${name}.`;
      }
      if (allow === undefined || allow.includes(value)) return undefined;
      return `the ${noun} ${value} is not one of those that allow names (${allow.join(", ")}). Choose one of them, or add it to allow in the config of ${name}.`;
    },
  });
}
