import type { ResourceValidationPolicy } from "@pulumi/policy";
import type { z } from "zod";
import { readConfig, toConfigSchema } from "./config.ts";
import { canBuy, type Purchase, readPurchase } from "./purchase.ts";

/** A rule about one purchase. */
interface SpendRule<Config extends z.ZodObject> {
  /** Also the key of its config. */
  name: string;
  description: string;
  config: Config;
  /** What is wrong with a purchase and what to change; undefined if nothing is. Never shows inputs. */
  judge(purchase: Purchase, config: z.output<Config>): string | undefined;
}

/** Makes a policy of a rule. It sees each purchase before it is made, at preview and at up. */
export function defineSpendPolicy<Config extends z.ZodObject>(
  rule: SpendRule<Config>,
): ResourceValidationPolicy {
  return {
    name: rule.name,
    description: rule.description,
    enforcementLevel: "mandatory",
    configSchema: toConfigSchema(rule.config),
    validateResource(args, reportViolation) {
      // First of all, so that a wrong config stops the run at its first resource, whatever that is.
      const config = readConfig(rule.name, rule.config, args);
      if (!canBuy(args.type)) return;
      const fault = rule.judge(readPurchase(args), config);
      if (fault !== undefined) reportViolation(`${args.name}: ${fault}`);
    },
  };
}
