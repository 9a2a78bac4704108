import type {
  EnforcementLevel,
  ResourceValidationArgs,
  ResourceValidationPolicy,
  StackValidation,
  StackValidationArgs,
} from "@pulumi/policy";
import type { z } from "zod";
import { parseConfig, toConfigSchema } from "./config.ts";
import { type PlannedSpend, parsePlannedSpend } from "./planned-spend.ts";
import { canBuy } from "./resource-kind.ts";

/** A policy that judges single resources, and may judge the stack as a whole. */
export interface SpendPolicy extends ResourceValidationPolicy {
  enforcementLevel: EnforcementLevel;
  validateStack?: StackValidation;
}

/** A violation of a stack, with the resource if it is about one. */
export interface StackFault {
  message: string;
  urn?: string;
}

/** What every rule has. */
interface RuleBase<Config extends z.ZodObject> {
  /** Also the key of its config. */
  name: string;
  description: string;
  /** @default "mandatory" */
  level?: EnforcementLevel;
  config: Config;
}

/** A rule about resources. Neither function returns any input. */
interface Rule<Config extends z.ZodObject> extends RuleBase<Config> {
  /** What is wrong with a resource, before it is made, and what to change; undefined if nothing is. */
  judge?(args: ResourceValidationArgs, config: z.output<Config>): string | undefined;
  /** What is wrong with the stack, after all of it was planned or made. */
  judgeStack?: ((args: StackValidationArgs, config: z.output<Config>) => StackFault[]) | undefined;
}

/** Makes a policy of a rule. */
export function definePolicy<Config extends z.ZodObject>(rule: Rule<Config>): SpendPolicy {
  const { name, description, level = "mandatory", judgeStack } = rule;
  const policy: SpendPolicy = {
    name,
    description,
    enforcementLevel: level,
    configSchema: toConfigSchema(rule.config),
    validateResource(args, reportViolation) {
      // This comes first, so that a wrong config stops the run at its first resource, whatever that is.
      const config = parseConfig(name, rule.config, args);
      const fault = rule.judge?.(args, config);
      if (fault !== undefined) reportViolation(`${args.name}: ${fault}`);
    },
  };
  if (judgeStack === undefined) return policy;
  return {
    ...policy,
    validateStack(args, reportViolation) {
      const config = parseConfig(name, rule.config, args);
      for (const { message, urn } of judgeStack(args, config)) reportViolation(message, urn);
    },
  };
}

/** A rule about one purchase. */
interface SpendRule<Config extends z.ZodObject> extends RuleBase<Config> {
  /** What is wrong with a purchase and what to change; undefined if nothing is. Never shows inputs. */
  judge(
    spend: PlannedSpend,
    config: z.output<Config>,
    args: ResourceValidationArgs,
  ): string | undefined;
}

/** Makes a policy of a rule. It sees each purchase before it is made, at preview and at up. */
export function defineSpendPolicy<Config extends z.ZodObject>(
  rule: SpendRule<Config>,
): SpendPolicy {
  return definePolicy({
    ...rule,
    judge: (args, config) =>
      canBuy(args.type) ? rule.judge(parsePlannedSpend(args), config, args) : undefined,
  });
}

/** What to say of a plan that these policies do not understand. */
export const unreadableQuote =
  "its plan has no quote that could be held against a limit. Use the policies and the provider of one release of pulumi-proxyrental.";
