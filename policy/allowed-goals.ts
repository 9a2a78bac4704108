import { z } from "zod";
import type { AllowListConfig } from "./allow-list.ts";
import { notKnown, parseInput } from "./inputs.ts";
import { parsePlannedSpend } from "./planned-spend.ts";
import { kindOf } from "./resource-kind.ts";
import { definePolicy } from "./spend-policy.ts";

const pattern = z.string().refine(isPattern, "must be a regular expression");

const config = z.strictObject({
  allow: z
    .array(pattern)
    .optional()
    .describe("Regular expressions, of which the goal must fit one; any goal if left out."),
  deny: z.array(pattern).default([]).describe("Regular expressions that the goal must not fit."),
});

/** Regular expressions as texts, which fit anywhere in a goal. Without a list every goal is allowed. */
export type AllowedGoalsConfig = AllowListConfig<string>;

/** Judges the goal of each order that costs money. The goal itself is not shown. */
export const allowedGoals = definePolicy({
  name: "allowed-goals",
  description: "Proxies may be bought for some goals only.",
  config,
  judge(args, { allow, deny }) {
    if (kindOf(args.type) !== "ProxyOrder" || !parsePlannedSpend(args).spends) return undefined;
    if (allow === undefined && deny.length === 0) return undefined;
    const goal = parseInput(args.props, "goal", z.string());
    if (goal === notKnown || goal === undefined) {
      return "its goal is not known yet, so it can't be held against allowed-goals. Give a goal that is known at preview.";
    }
    const denied = deny.find((one) => new RegExp(one).test(goal));
    if (denied !== undefined) {
      return `its goal fits ${denied}, which deny names. Change the goal, or take that out of deny in the config of allowed-goals.`;
    }
    if (allow === undefined || allow.some((one) => new RegExp(one).test(goal))) return undefined;
    return `its goal fits nothing that allow names (${allow.join(", ")}). Change the goal, or add to allow in the config of allowed-goals.`;
  },
});

function isPattern(text: string): boolean {
  try {
    return new RegExp(text) instanceof RegExp;
  } catch {
    return false;
  }
}
