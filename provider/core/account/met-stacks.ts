import type { Log } from "../ports.ts";
import { stackOf } from "../values/owner.ts";
import { remember } from "../values/remember.ts";

/** The stacks of which the engine shows resources to this process, of whatever kind. */
export interface MetStacks {
  /** Call this with each resource that is checked or deleted. Never fails. */
  meet(owner: string): Promise<void>;
  /**
   * The same for one that is only looked at. A refresh comes before the program has declared anything, so such a stack counts
   * as met only if what is found can be told at the end of the run.
   */
  meetByRefresh(owner: string): Promise<void>;
  /** What is done once for each stack. Orders say it here, since the resources that are no orders know nothing of them. */
  onceMet(work: (stack: string) => Promise<void>): void;
}

/** Makes the stacks of one process. */
export function createMetStacks({ endsLast }: Pick<Log, "endsLast">): MetStacks {
  let work = async (_stack: string): Promise<void> => undefined;
  const workOnce = remember((stack: string) => work(stack));
  const meet = (owner: string) => workOnce(stackOf(owner)).catch(() => undefined);

  return {
    meet,

    async meetByRefresh(owner) {
      if (endsLast) await meet(owner);
    },

    onceMet(its) {
      work = its;
    },
  };
}
