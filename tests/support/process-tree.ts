import { readdir, readFile } from "node:fs/promises";

/**
 * A process and all that descend from it, found through their parents: the engine gives its plugins process
 * groups of their own.
 */
async function collectTree(root: number): Promise<number[]> {
  const children = Map.groupBy(await listProcesses(), ({ parent }) => parent);
  const tree = [root];
  // Grows while it is walked.
  for (const pid of tree) tree.push(...(children.get(pid) ?? []).map((child) => child.pid));
  return tree;
}

/** Ends a whole tree as a power cut would: nobody in it gets to do anything more. */
export async function killTree(root: number): Promise<void> {
  // Stopped first, or one of them starts another between the collecting and the killing.
  send("SIGSTOP", await collectTree(root));
  send("SIGKILL", await collectTree(root));
}

function send(signal: NodeJS.Signals, pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended by itself.
    }
  }
}

async function listProcesses(): Promise<{ pid: number; parent: number }[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const found = await Promise.allSettled(
    pids.map(async (pid) => {
      const stat = await readFile(`/proc/${pid}/stat`, "utf8");
      // The name of the program stands in brackets and may hold anything; state and parent come after it.
      const [, parent = ""] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return { pid: Number(pid), parent: Number(parent) };
    }),
  );
  return found.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
}
