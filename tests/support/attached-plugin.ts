import { createServer, type Socket } from "node:net";
import grpc from "@grpc/grpc-js";
import type { Clock } from "../../provider/core/ports.ts";
import { openEngineLog } from "../../provider/host/plugin/engine-log.ts";
import { createPluginProvider } from "../../provider/host/plugin/plugin-provider.ts";
import { createPluginServer } from "../../provider/host/plugin/server.ts";
import { type CliCommand, findCliCommand } from "../../provider/host/run/cli-command.ts";
import { systemClock } from "../../provider/host/system.ts";

/** What a plugin's own process would find around it. */
export interface PluginSurroundings {
  readonly environment: Readonly<Record<string, string>>;
  /** Folder of the program. */
  readonly project: string;
  /** What the machine's clock says when the command begins. @default the real time */
  readonly machineTime: Date | undefined;
}

/** The plugin for one command of the CLI, in this process instead of one of its own. */
export interface AttachedPlugin {
  /** Where the engine attaches instead of starting a plugin. */
  readonly port: number;
  /** To be called with the CLI's process as soon as there is one. */
  serve(cli: number): void;
  /** To be called when the command has ended. */
  end(): Promise<void>;
}

/**
 * Serves one command. The engine makes a connection where it would start a process, and hangs up where it would end
 * one: so each connection has a provider of its own, with an account, settings and a log that no other one has.
 */
export async function attachPlugin(surroundings: PluginSurroundings): Promise<AttachedPlugin> {
  const served = new Set<Promise<void>>();
  const open = new Set<Socket>();
  let cli = 0;
  const door = createServer((socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
    served.add(serveConnection(socket, surroundings, () => findCliCommand(cli)));
  });
  await new Promise<void>((resolve) => door.listen(0, "127.0.0.1", resolve));
  const address = door.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    port: address.port,
    serve(pid) {
      cli = pid;
    },
    async end() {
      door.close();
      for (const socket of open) socket.destroy();
      await Promise.all(served);
    },
  };
}

/** As a plugin's process does from its beginning to its end. */
async function serveConnection(
  socket: Socket,
  { environment, project, machineTime }: PluginSurroundings,
  findCommand: () => CliCommand,
): Promise<void> {
  const log = openEngineLog();
  const cancellation = new AbortController();
  const provider = createPluginProvider({
    // The engine says it to whom it attaches.
    engineAddress: "",
    ...{ environment, project, findCommand, log, cancellation },
    clock: clockFrom(machineTime),
  });
  const { server, areUnderWay, drain } = createPluginServer(provider, log);
  server.createConnectionInjector(grpc.ServerCredentials.createInsecure()).injectConnection(socket);
  await new Promise<void>((resolve) => socket.once("close", () => resolve()));
  const isOrderly = !areUnderWay();
  cancellation.abort();
  await drain();
  if (isOrderly) await provider.endRun();
  log.close();
  server.forceShutdown();
}

function clockFrom(machineTime: Date | undefined): Clock {
  if (machineTime === undefined) return systemClock;
  const aheadMs = machineTime.getTime() - Date.now();
  return { ...systemClock, now: () => new Date(Date.now() + aheadMs) };
}
