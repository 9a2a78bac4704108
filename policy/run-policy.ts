import type { PolicyResource, ResourceValidationArgs } from "@pulumi/policy";
import type { z } from "zod";
import { isRecorded, kindOf } from "./resource-kind.ts";
import { definePolicy, type SpendPolicy, type StackFault } from "./spend-policy.ts";

/** A planned resource, as both levels of the engine show it. */
type Planned = Pick<ResourceValidationArgs, "type" | "urn" | "name" | "props">;

/** A rule about all plans of one run together. */
interface RunRule<Config extends z.ZodObject, Seen> {
  name: string;
  description: string;
  config: Config;
  /** What counts of a plan; undefined if nothing does. */
  read(planned: Planned): Seen | undefined;
  /** What is wrong with this plan, together with all that were seen so far and itself. */
  judge(seen: Seen, all: readonly Seen[], config: z.output<Config>): string | undefined;
  /**
   * What is wrong with all of them that no single plan shows. `judge` alone finds every sum that is too large: each
   * plan is judged with all before it, so the last purchase is judged with all. `resources` tell what depends on what.
   */
  judgeAll?(
    all: ReadonlyMap<string, Seen>,
    config: z.output<Config>,
    resources: readonly PolicyResource[],
  ): StackFault[];
}

/**
 * Makes a policy that adds up. Each plan is added before its purchase is made, also in an up without preview. A fault
 * is said once a run: the stack as a whole is judged at the end, but not if one of its resources was at fault. A
 * resource counts once, by its URN, however often it is checked: its last plan counts.
 */
export function defineRunPolicy<Config extends z.ZodObject, Seen>(
  rule: RunRule<Config, Seen>,
): SpendPolicy {
  // The engine starts a process of the pack for each run, so this is the memory of one run. Undefined is noted too:
  // then nothing counts, whatever the stack's record says.
  const stacks = new Map<string, Map<string, Seen | undefined>>();
  const stacksAtFault = new Set<string>();
  const { judgeAll } = rule;

  function note(urn: string, plan: Seen | undefined): Seen[] {
    const stack = stackOf(urn);
    const all = stacks.get(stack) ?? new Map<string, Seen | undefined>();
    stacks.set(stack, all);
    all.set(urn, plan);
    return [...all.values()].filter((seen) => seen !== undefined);
  }

  function seenOf(resource: PolicyResource): Seen | undefined {
    const { urn, props } = resource;
    const noted = stacks.get(stackOf(urn));
    // What was seen is the plan. What is here may be the record of an earlier purchase.
    if (noted?.has(urn)) return noted.get(urn);
    return isRecorded(props) ? undefined : rule.read(resource);
  }

  function allOf(resources: readonly PolicyResource[]): Map<string, Seen> {
    const all = new Map<string, Seen>();
    for (const resource of resources) {
      const seen = kindOf(resource.type) && seenOf(resource);
      if (seen !== undefined) all.set(resource.urn, seen);
    }
    return all;
  }

  return definePolicy({
    name: rule.name,
    description: rule.description,
    config: rule.config,
    judge(args, config) {
      if (kindOf(args.type) === undefined) return undefined;
      const seen = rule.read(args);
      const all = note(args.urn, seen);
      const fault = seen && rule.judge(seen, all, config);
      if (fault !== undefined) stacksAtFault.add(stackOf(args.urn));
      return fault;
    },
    judgeStack:
      judgeAll &&
      (({ resources }, config) => {
        const isSaid = resources.some(({ urn }) => stacksAtFault.has(stackOf(urn)));
        return isSaid ? [] : judgeAll(allOf(resources), config, resources);
      }),
  });
}

/** The part of a URN that names the stack and its project. */
function stackOf(urn: string): string {
  return urn.split("::").slice(0, 2).join("::");
}
