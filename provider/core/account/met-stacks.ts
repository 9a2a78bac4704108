import type { Log } from "../ports.ts";
import { stackOf } from "../values/owner.ts";
import { remember } from "../values/remember.ts";

/** The stacks of which the engine shows resources to this process, of whatever kind. */
export interface MetStacks {
  /** Call this with each resource that is checked, and with each order that is deleted. Never fails. */
  meet(owner: string): Promise<void>;
  /**
   * The same for another resource that is deleted. A destroy shows the state of an order that it depends on only later, when that
   * is deleted.
   */
  meetByDelete(owner: string): Promise<void>;
  /**
   * The same for one that is only looked at. A refresh comes before the program has declared anything, so such a stack counts
   * as met only if what is found can be told at the end of the run.
   */
  meetByRefresh(owner: string): Promise<void>;
  /** Call this with each order that is checked. It is checked before the stack is met. */
  show(owner: string): void;
  /** What is done as soon as anything of a stack is shown, once for each stack. */
  onceShown(work: (stack: string) => void): void;
  /** What is done once for each stack. Orders say it here, since the resources that are no orders know nothing of them. */
  onceMet(work: MetWork): void;
}

/** @param areStatesToCome whether the engine may show states later that it has not shown yet. */
type MetWork = (stack: string, areStatesToCome: boolean) => Promise<void>;

/** Makes the stacks of one process. */
export function createMetStacks({ endsLast }: Pick<Log, "endsLast">): MetStacks {
  let work: MetWork = async () => undefined;
  let showWork: (stack: string) => void = () => undefined;
  const showOnce = remember(async (stack: string) => showWork(stack));
  const workOnce = remember((stack: string) => work(stack, false));
  const workEarly = remember((stack: string) => work(stack, true));
  const show = (owner: string) => void showOnce(stackOf(owner));

  async function meet(owner: string): Promise<void> {
    show(owner);
    await workOnce(stackOf(owner)).catch(() => undefined);
  }

  return {
    meet,

    async meetByDelete(owner) {
      // What is told at the end of the run is told when all states were shown.
      if (endsLast) await meet(owner);
      else {
        show(owner);
        await workEarly(stackOf(owner)).catch(() => undefined);
      }
    },

    async meetByRefresh(owner) {
      if (endsLast) await meet(owner);
      else show(owner);
    },

    show,

    onceShown(its) {
      showWork = its;
    },

    onceMet(its) {
      work = its;
    },
  };
}
