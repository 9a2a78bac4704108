import { createServer, type Socket } from "node:net";
import grpc from "@grpc/grpc-js";
import type { Clock } from "../../provider/core/ports.ts";
import { createPluginProvider } from "../../provider/host/plugin/plugin-provider.ts";
import { createPluginServer } from "../../provider/host/plugin/server.ts";
import { type CliCommand, findCliCommand } from "../../provider/host/run/cli-command.ts";
import { openEngineLog } from "../../provider/host/run/engine-log.ts";
import { machineTime } from "../../provider/journals/machine-time.ts";

/** The environment that a separate process of the plugin would have. */
export interface PluginSurroundings {
  readonly environment: Readonly<Record<string, string>>;
  /** The folder of the program. */
  readonly project: string;
  /** The time of the machine's clock when the command begins. @default the real time */
  readonly machineTime: Date | undefined;
}

/** The plugin for one command of the CLI. It runs in this process, and not in a separate one. */
export interface AttachedPlugin {
  /** The port that the engine attaches to. It then starts no plugin. */
  readonly port: number;
  /** Must be called with the CLI's process as soon as the process exists. */
  serve(cli: number): void;
  /** Must be called when the command has ended. */
  end(): Promise<void>;
}

/**
 * Serves one command. The engine makes a connection when it would otherwise start a process, and closes it when it
 * would end the process. So each connection has its own provider, with its own account, settings and log.
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

/** Does the same as a plugin's process, from beginning to end. */
async function serveConnection(
  socket: Socket,
  { environment, project, machineTime }: PluginSurroundings,
  findCommand: () => CliCommand,
): Promise<void> {
  // The engine does not wait for a plugin that it has not started.
  const log = openEngineLog({ endsLast: false });
  const cancellation = new AbortController();
  const provider = createPluginProvider({
    // When the engine attaches to a plugin, it tells its address in a later call.
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

function clockFrom(time: Date | undefined): Clock {
  if (time === undefined) return machineTime;
  const aheadMs = time.getTime() - Date.now();
  return { ...machineTime, now: () => new Date(Date.now() + aheadMs) };
}
