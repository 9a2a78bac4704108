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
  /** Call this with each order that is checked: it looks by itself for what is done once a stack is met. Never fails. */
  show(owner: string): Promise<void>;
  /** What is done once for each stack that is shown or met, if what it finds can be told at the end of the run. */
  onceShown(work: (stack: string) => Promise<void>): void;
  /** What is done once for each stack. Orders say it here, since the resources that are no orders know nothing of them. */
  onceMet(work: MetWork): void;
}

/** @param areStatesToCome whether the engine may show states later that it has not shown yet. */
type MetWork = (stack: string, areStatesToCome: boolean) => Promise<void>;

/** Makes the stacks of one process. */
export function createMetStacks({ endsLast }: Pick<Log, "endsLast">): MetStacks {
  let work: MetWork = async () => undefined;
  const shownWorks: ((stack: string) => Promise<void>)[] = [];
  const showOnce = remember((stack: string) => Promise.all(shownWorks.map((its) => its(stack))));
  const workOnce = remember((stack: string) => work(stack, false));
  const workEarly = remember((stack: string) => work(stack, true));

  async function show(owner: string): Promise<void> {
    if (endsLast) await showOnce(stackOf(owner)).catch(() => undefined);
  }

  async function meet(owner: string): Promise<void> {
    await show(owner);
    await workOnce(stackOf(owner)).catch(() => undefined);
  }

  return {
    meet,

    async meetByDelete(owner) {
      // What is told at the end of the run is told when all states were shown.
      if (endsLast) await meet(owner);
      else await workEarly(stackOf(owner)).catch(() => undefined);
    },

    async meetByRefresh(owner) {
      if (endsLast) await meet(owner);
    },

    show,

    onceShown: (work) => void shownWorks.push(work),

    onceMet(its) {
      work = its;
    },
  };
}
