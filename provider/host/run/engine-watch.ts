import { fstatSync } from "node:fs";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { EngineAddress } from "./engine-address.ts";

/** What became of an attempt to connect; `silent` is what a busy machine looks like, and proves nothing. */
type Reach = "accepted" | "refused" | "silent";

/** How a process sees the one that has started it. */
export interface EngineSight {
  /** Who has started this process; another one once that has ended. */
  parent(): number;
  /** Kept when nobody holds the other end of our input any more; undefined where the input is no pipe. */
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
 * Ends when the engine has gone without a word: killed, say, with nobody left to end what it had started. A provider
 * would otherwise go on buying for a run that nobody sees and no state records.
 *
 * The engine holds our input as long as it lives, so that nothing is asked before that closes. Then, and where the
 * input is no pipe, its address is tried: two refusals in a row are proof where it was reached before or has let go of
 * our input, and so are two looks at a parent that has changed.
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
    // Read, or nobody would hear of its end; it must not keep the process alive.
    stdin.resume().unref();
  });
}

function isPipe(descriptor: number): boolean {
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
