import { JournalError } from "../../../provider/core/ports.ts";
import { changeIntent, type Intent } from "../../../provider/core/records/intent.ts";
import { orderIntent } from "../../core/records/intents.ts";
import { openHere, times } from "./real-journal.ts";

const phases = ["placed", "returned", "confirmed"] as const;

/** What such a process can be told to do, with its arguments. */
const tasks = {
  /** Writes purchases as fast as it can, each through all its phases, and says what it has been promised. */
  async write(folder: string, name: string) {
    const { store, locks, runId } = openHere(folder);
    for (let n = 1; ; n++) {
      let intent: Intent = orderIntent({ id: `${name}-${n}`, runId, sequence: n });
      await locks.withAccount(times, async () => {
        await store.create(intent);
        say(intent);
        for (const phase of phases) {
          intent = changeIntent(intent, { phase, orderNumber: `${n}` }, new Date());
          await store.replace(intent);
          say(intent);
        }
      });
    }
  },

  /** Takes part in changing one purchase until it has so many revisions; says which ones are its own. */
  async compete(folder: string, name: string, revisions: string) {
    const { store } = openHere(folder);
    for (;;) {
      const [intent] = await store.readAll();
      if (intent === undefined || intent.revision >= Number(revisions)) return;
      const next = changeIntent(intent, { remark: `${intent.remark ?? ""}${name}` }, new Date());
      try {
        await store.replace(next);
        say(next);
      } catch (error) {
        if (!(error instanceof JournalError) || error.reason !== "conflict") throw error;
      }
    }
  },

  /** Opens and ends purchases that another process opens by the same ids; says which ones are its own. */
  async claim(folder: string, name: string, count: string) {
    const { store, locks, runId } = openHere(folder);
    for (let n = 1; n <= Number(count); n++) {
      const intent = orderIntent({ id: `shared-${n}`, remark: name, runId, sequence: n });
      await locks.withAccount(times, async () => {
        if (!(await store.create(intent))) return;
        const placed = changeIntent(intent, { phase: "placed" }, new Date());
        await store.replace(placed);
        await store.replace(changeIntent(placed, { phase: "confirmed" }, new Date()));
        say(intent);
      });
    }
  },

  /** Writes a purchase that is as long as it is told, and says what came of it. */
  async once(folder: string, length: string) {
    const { store, locks, runId } = openHere(folder);
    const intent = orderIntent({ remark: "x".repeat(Number(length)), runId });
    try {
      await locks.withAccount(times, () => store.create(intent));
      say(intent);
    } catch (error) {
      console.log(error instanceof JournalError ? `${error.reason}: ${error.message}` : error);
    }
    process.exit(0);
  },
};

function say({ id, revision, phase }: Intent): void {
  console.log(`${id} ${revision} ${phase}`);
}

const [task = "", ...args] = process.argv.slice(2);
if (!(task in tasks)) throw new Error(`no such task: ${task}`);
// A process that is told to write less than it wants to is to live on.
process.on("SIGXFSZ", () => undefined);
await (tasks[task as keyof typeof tasks] as (...args: string[]) => Promise<void>)(...args);
process.exit(0);
