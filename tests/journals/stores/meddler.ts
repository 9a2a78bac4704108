import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** Somebody between a store and its product, who can lose what passes. */
export interface Meddler {
  port: number;
  /** The next answer is lost, when the product has done what it was asked; before its loss is noticed something may happen. */
  loseNextAnswer(meanwhile?: () => Promise<unknown>): void;
  /** The next request is lost on its way. */
  loseNextRequest(meanwhile?: () => Promise<unknown>): void;
  /** The next request is carried out, its answer is lost, and it is asked again: the answer to that is what comes. */
  repeatNextRequest(): void;
  /** From now on nothing passes any more, and nobody is told. */
  goSilent(): void;
  /** From now on, or for so many requests, each is answered so, and does not arrive. */
  answerWith(response: string, times?: number): void;
  /** All that was asked by HTTP since this was last asked. */
  takeRequests(): HeardRequest[];
  end(): Promise<void>;
}

/** A request by HTTP that came to a meddler. */
export interface HeardRequest {
  method: string;
  path: string;
  /** When it began, by `performance.now()`. */
  atMs: number;
}

type Mishap =
  | { kind: "answer" | "request"; meanwhile: () => Promise<unknown> }
  | { kind: "silence" | "repetition" }
  | { kind: "canned"; response: string; left: number };

/**
 * Begins to stand before a port of this machine.
 *
 * @param delayMs how long all that is asked is on its way. @default 0
 */
export async function beginMeddler(target: number, { delayMs = 0 } = {}): Promise<Meddler> {
  let mishap: Mishap | undefined;
  let heard: HeardRequest[] = [];
  const open = new Set<Socket>();

  function hear(data: Buffer): void {
    const line = /^(?<method>DELETE|GET|HEAD|POST|PUT) (?<path>\S+) HTTP\/1\.1\r/;
    const { method, path } = line.exec(data.toString("latin1"))?.groups ?? {};
    if (method && path) heard.push({ method, path, atMs: performance.now() });
  }

  const server = createServer((near) => {
    let asked: Buffer[] = [];
    let isAsking = false;
    let isOver = false;
    let far = reach();
    keep(near);
    near.on("close", () => far.destroy());

    function keep(socket: Socket): void {
      open.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => open.delete(socket));
    }
    function reach(): Socket {
      const socket = connect(target, "127.0.0.1");
      keep(socket);
      socket.on("data", (data) => socket === far && answer(data));
      socket.on("close", () => socket === far && near.destroy());
      return socket;
    }
    const lose = async (meanwhile: () => Promise<unknown>) => {
      isOver = true;
      mishap = undefined;
      await meanwhile().catch(() => undefined);
      near.destroy();
    };
    near.on("data", (data) => {
      if (isOver || mishap?.kind === "silence") return;
      if (mishap?.kind === "request") return void lose(mishap.meanwhile);
      if (mishap?.kind === "canned") {
        isOver = true;
        const { response } = mishap;
        if (--mishap.left === 0) mishap = undefined;
        near.end(response);
        return;
      }
      if (!isAsking) {
        asked = [];
        hear(data);
      }
      isAsking = true;
      asked.push(data);
      if (delayMs === 0) far.write(data);
      else void sleep(delayMs).then(() => far.write(data));
    });
    const answer = (data: Buffer) => {
      if (isOver || mishap?.kind === "silence") return;
      // What was asked before this was armed is answered.
      if (mishap?.kind === "answer" && isAsking) return void lose(mishap.meanwhile);
      if (mishap?.kind === "repetition" && isAsking) {
        mishap = undefined;
        far = reach();
        far.write(Buffer.concat(asked));
        return;
      }
      isAsking = false;
      near.write(data);
    };
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

  const nothing = async () => undefined;
  return {
    port: (server.address() as AddressInfo).port,
    loseNextAnswer(meanwhile = nothing) {
      mishap = { kind: "answer", meanwhile };
    },
    loseNextRequest(meanwhile = nothing) {
      mishap = { kind: "request", meanwhile };
    },
    repeatNextRequest() {
      mishap = { kind: "repetition" };
    },
    goSilent() {
      mishap = { kind: "silence" };
    },
    answerWith(response, times = Number.POSITIVE_INFINITY) {
      mishap = { kind: "canned", response, left: times };
    },
    takeRequests() {
      const requests = heard;
      heard = [];
      return requests;
    },
    async end() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
