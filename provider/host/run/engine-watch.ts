import { fstatSync } from "node:fs";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { EngineAddress } from "./engine-address.ts";

/** The result of an attempt to connect. `silent` proves nothing: a busy machine looks like that. */
type Reach = "accepted" | "refused" | "silent";

/** How a process sees its parent. */
export interface EngineSight {
  /** The parent of this process. It changes when the parent has ended. */
  parent(): number;
  /** Resolves when nobody holds the other end of our input any more; undefined if the input is no pipe. */
  inputEnded(): Promise<void> | undefined;
  reach(engine: EngineAddress): Promise<Reach>;
  pause(ms: number): Promise<void>;
}

const LOOK_EVERY_MS = 1_000;

const LOOK_AGAIN_MS = 250;

const REACH_WITHIN_MS = 1_000;

const thisProcess: EngineSight = {
  parent: () => process.ppid,
  inputEnded: awaitEndOfInput,
  reach: reachEngine,
  pause: (ms) => sleep(ms, undefined, { ref: false }),
};

/**
 * Resolves when the engine is gone without a word, for instance because it was killed. A provider would otherwise go
 * on buying for a run that nobody sees and no state records. The engine holds our input while it lives, so nothing is
 * tried before the input closes. Then, or if the input is no pipe, its address is tried. Two refusals in a row are a
 * proof if the engine was reached before, or has let go of our input. Two looks at a changed parent are a proof too.
 */
export async function awaitEngineGone(
  engine: EngineAddress,
  sight: Partial<EngineSight> = {},
): Promise<void> {
  const { parent, inputEnded, reach, pause } = { ...thisProcess, ...sight };
  const startedBy = parent();
  const ended = inputEnded();
  let wasThere = ended !== undefined;
  await ended;
  for (let signs = 0; ; ) {
    const reached = await reach(engine);
    if (reached === "accepted") wasThere = true;
    const isGone = parent() !== startedBy || (reached === "refused" && wasThere);
    signs = isGone ? signs + 1 : 0;
    if (signs === 2) return;
    await pause(isGone ? LOOK_AGAIN_MS : LOOK_EVERY_MS);
  }
}

function awaitEndOfInput(): Promise<void> | undefined {
  const { stdin } = process;
  if (!isPipe(stdin.fd)) return undefined;
  return new Promise((resolve) => {
    const end = () => resolve();
    stdin.once("end", end).once("close", end).once("error", end);
    // The input must be read, or its end is never noticed. It must not keep the process alive.
    stdin.resume().unref();
  });
}

/** Whether somebody holds the other end of a descriptor, and lets go of it at the latest by ending. */
export function isPipe(descriptor: number): boolean {
  try {
    const stats = fstatSync(descriptor);
    return stats.isFIFO() || stats.isSocket();
  } catch {
    return false;
  }
}

function reachEngine({ host, port }: EngineAddress): Promise<Reach> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: REACH_WITHIN_MS });
    const tell = (reached: Reach) => {
      socket.destroy();
      resolve(reached);
    };
    socket
      .unref()
      .once("connect", () => tell("accepted"))
      .once("timeout", () => tell("silent"))
      .once("error", (error: NodeJS.ErrnoException) =>
        tell(error.code === "ECONNREFUSED" ? "refused" : "silent"),
      );
  });
}
