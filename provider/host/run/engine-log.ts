import { AsyncLocalStorage } from "node:async_hooks";
import grpc from "@grpc/grpc-js";
import engineService from "@pulumi/pulumi/proto/engine_grpc_pb.js";
import engine from "@pulumi/pulumi/proto/engine_pb.js";
import type { Log } from "../../core/ports.ts";
import { urnOf } from "../../core/values/owner.ts";

/** The engine's own log. It shows a line about a resource at that resource. */
export interface EngineLog extends Log {
  /** Tells the address of the engine. Lines before that go to stderr. */
  connect(address: string): void;
  /** Does some work about a resource. When this ends, its lines have arrived. */
  about<Result>(urn: string, work: () => Promise<Result>): Promise<Result>;
  /** Says what was not said yet, and then the last words of the run, if any. When this ends, they have arrived. */
  conclude(words: string | undefined): Promise<void>;
  close(): void;
}

/**
 * Whether the engine waits at its end until this process has said its last words. It does so only for a process that it
 * has started, and on Windows it does not tell its end at all.
 * @param engineAddress what the engine has given to this process when it started it.
 */
export function waitsForUs(engineAddress: string | undefined): boolean {
  return Boolean(engineAddress) && process.platform !== "win32";
}

/**
 * So long a remark waits until the engine has shown the step that it is about. If there is no terminal, the engine
 * repeats the last line of a resource with each step, so an earlier remark would be there twice.
 */
const REMARK_AFTER_MS = 250;

/** Something that is said of a resource. */
interface Remark {
  owner: string;
  message: string;
}

type Severity = (typeof engine.LogSeverity)[keyof typeof engine.LogSeverity];

/**
 * Opens the log of one provider process.
 * @param endsLast whether the engine waits for the last words of this process. If so, remarks need not stay: the last
 * words repeat them. A remark that stays would stand before or after the last words, as chance has it.
 */
export function openEngineLog({ endsLast }: { endsLast: boolean }): EngineLog {
  const urns = new AsyncLocalStorage<string>();
  const underWay = new Set<Promise<void>>();
  const waiting: Remark[] = [];
  let timer: NodeJS.Timeout | undefined;
  let client: InstanceType<typeof engineService.EngineClient> | undefined;

  function say(line: Pick<Line, "severity" | "message"> & Partial<Line>): void {
    if (client === undefined) {
      process.stderr.write(`${line.message}\n`);
      return;
    }
    const sent = send(client, { urn: urns.getStore() ?? "", ephemeral: false, ...line });
    underWay.add(sent);
    sent.finally(() => underWay.delete(sent));
  }

  const { INFO, WARNING } = engine.LogSeverity;

  function sayRemark({ owner, message }: Remark): void {
    say({ severity: INFO, message, urn: urnOf(owner), ephemeral: endsLast });
  }

  function sayWaiting(): void {
    clearTimeout(timer);
    timer = undefined;
    for (const remark of waiting.splice(0)) sayRemark(remark);
  }

  return {
    endsLast,
    info: (message) => say({ severity: INFO, message }),
    progress: (message) => say({ severity: INFO, message, ephemeral: true }),
    remark(owner, message) {
      if (!endsLast) return sayRemark({ owner, message });
      waiting.push({ owner, message });
      timer ??= setTimeout(sayWaiting, REMARK_AFTER_MS).unref();
    },
    warn: (message) => say({ severity: WARNING, message }),

    connect(address) {
      if (address === "") return;
      const former = client;
      // Lines to the former engine are still on their way.
      Promise.all(underWay).then(() => former?.close());
      client = new engineService.EngineClient(address, grpc.credentials.createInsecure());
    },

    about: (urn, work) =>
      urns.run(urn, async () => {
        try {
          return await work();
        } finally {
          await Promise.all(underWay);
        }
      }),

    async conclude(words) {
      sayWaiting();
      if (words !== undefined) say({ severity: INFO, message: words, urn: "" });
      await Promise.all(underWay);
    },

    close: () => client?.close(),
  };
}

/** One line for people. */
interface Line {
  severity: Severity;
  message: string;
  /** The resource that it is about; "" for none. */
  urn: string;
  /** Whether the engine shows it only until the next one. */
  ephemeral: boolean;
}

/** How long an engine may take for a line. One that takes longer must not hold up what is said. */
const SAID_WITHIN_MS = 10_000;

/** A line that does not arrive is printed. It must not fail the work that it is about. */
function send(
  client: InstanceType<typeof engineService.EngineClient>,
  { severity, message, urn, ephemeral }: Line,
): Promise<void> {
  const request = new engine.LogRequest();
  request.setSeverity(severity);
  request.setMessage(message);
  request.setUrn(urn);
  request.setEphemeral(ephemeral);
  return new Promise((resolve) => {
    const deadline = Date.now() + SAID_WITHIN_MS;
    client.log(request, new grpc.Metadata(), { deadline }, (error) => {
      if (error !== null) process.stderr.write(`${message}\n`);
      resolve();
    });
  });
}
