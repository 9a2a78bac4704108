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

/** The processes of our providers that a command has started. */
export async function findProviders(root: number): Promise<number[]> {
  const tree = await collectTree(root);
  const lines = await Promise.all(
    tree.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")),
  );
  return tree.filter((_, at) =>
    /dynamic-provider|resource-proxyrental|resource-pulumi/.test(lines[at] ?? ""),
  );
}

/** Which of these processes are still there; one that has ended and that nobody has asked after is not. */
export async function findLiving(pids: readonly number[]): Promise<number[]> {
  const living = new Set((await listProcesses()).map(({ pid }) => pid));
  return pids.filter((pid) => living.has(pid));
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
      const [state, parent = ""] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return { pid: Number(pid), parent: Number(parent), isGone: state === "Z" };
    }),
  );
  return found
    .flatMap((result) => (result.status === "fulfilled" ? [result.value] : []))
    .filter(({ isGone }) => !isGone);
}
