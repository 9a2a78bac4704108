import { readdir, readFile } from "node:fs/promises";

/**
 * Finds a process and all its descendants. It follows the parents, because the engine puts each plugin into a separate
 * process group.
 */
async function collectTree(root: number): Promise<number[]> {
  const children = Map.groupBy(await listProcesses(), ({ parent }) => parent);
  const tree = [root];
  // The list grows while this loop runs.
  for (const pid of tree) tree.push(...(children.get(pid) ?? []).map((child) => child.pid));
  return tree;
}

/** The processes of this project's providers that a command has started. */
export async function findProviders(root: number): Promise<number[]> {
  const tree = await collectTree(root);
  const lines = await Promise.all(
    tree.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")),
  );
  return tree.filter((_, at) =>
    /dynamic-provider|resource-proxyrental|resource-pulumi/.test(lines[at] ?? ""),
  );
}

/** The processes among these that still run. An ended process whose parent has not collected it is not among them. */
export async function findLiving(pids: readonly number[]): Promise<number[]> {
  const living = new Set((await listProcesses()).map(({ pid }) => pid));
  return pids.filter((pid) => living.has(pid));
}

/** Whether every thread of a process is stopped. */
export async function isStopped(pid: number): Promise<boolean> {
  const threads = await readdir(`/proc/${pid}/task`);
  const states = await Promise.all(
    threads.map(async (thread) => (await readStat(`${pid}/task/${thread}`)).state),
  );
  return states.every((state) => state === "T");
}

/** Kills a whole tree as a power cut would: no process in it can do anything more. */
export async function killTree(root: number): Promise<void> {
  // All processes are stopped first. Otherwise one could start another between the listing and the killing.
  send("SIGSTOP", await collectTree(root));
  send("SIGKILL", await collectTree(root));
}

function send(signal: NodeJS.Signals, pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // The process has already ended.
    }
  }
}

async function listProcesses(): Promise<{ pid: number; parent: number }[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const found = await Promise.allSettled(
    pids.map(async (pid) => {
      const { state, parent } = await readStat(pid);
      return { pid: Number(pid), parent: Number(parent), isGone: state === "Z" };
    }),
  );
  return found
    .flatMap((result) => (result.status === "fulfilled" ? [result.value] : []))
    .filter(({ isGone }) => !isGone);
}

/** @param task a process, or one of its threads, as the folder below /proc that it has */
async function readStat(task: string): Promise<{ state: string; parent: string }> {
  const stat = await readFile(`/proc/${task}/stat`, "utf8");
  // The name of the program stands in brackets and can contain any character. State and parent come after it.
  const [state = "", parent = ""] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return { state, parent };
}
