import { AsyncLocalStorage } from "node:async_hooks";
import grpc from "@grpc/grpc-js";
import engineService from "@pulumi/pulumi/proto/engine_grpc_pb.js";
import engine from "@pulumi/pulumi/proto/engine_pb.js";
import type { Log } from "../../core/ports.ts";

/** The engine's own log. It shows a line about a resource at that resource. */
export interface EngineLog extends Log {
  /** Tells the address of the engine. Lines before that go to stderr. */
  connect(address: string): void;
  /** Does some work about a resource. When this ends, its lines have arrived. */
  about<Result>(urn: string, work: () => Promise<Result>): Promise<Result>;
  close(): void;
}

type Severity = (typeof engine.LogSeverity)[keyof typeof engine.LogSeverity];

/** Opens the log of one plugin process. */
export function openEngineLog(): EngineLog {
  const urns = new AsyncLocalStorage<string>();
  const underWay = new Set<Promise<void>>();
  let client: InstanceType<typeof engineService.EngineClient> | undefined;

  function say(severity: Severity, message: string, ephemeral = false): void {
    if (client === undefined) {
      process.stderr.write(`${message}\n`);
      return;
    }
    const sent = send(client, { severity, message, urn: urns.getStore() ?? "", ephemeral });
    underWay.add(sent);
    sent.finally(() => underWay.delete(sent));
  }

  return {
    info: (message) => say(engine.LogSeverity.INFO, message),
    progress: (message) => say(engine.LogSeverity.INFO, message, true),
    warn: (message) => say(engine.LogSeverity.WARNING, message),

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

/** A line that does not arrive must not fail the work that it is about. */
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
    client.log(request, () => resolve());
  });
}
