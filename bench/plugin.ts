import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import grpc from "@grpc/grpc-js";
import engineService from "@pulumi/pulumi/proto/engine_grpc_pb.js";
import providerStubs from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import messages from "@pulumi/pulumi/proto/provider_pb.js";
import { execaNode } from "execa";
import empty from "google-protobuf/google/protobuf/empty_pb.js";
import { type PluginResource, toPluginResource } from "../tests/host/plugin/plugin-resource.ts";
import { unary } from "../tests/host/unary.ts";
import { nodeOptions } from "../toolchain/package/plugin-archive.ts";
import { probed, readUsage, type Usage } from "./memory-probe.ts";

/** The built plugin in a process of its own, called as the engine calls it. */
export interface Plugin {
  order(name: string): PluginResource;
  readUsage(): Promise<Usage>;
  /** Ends the plugin as the engine does, and waits until it has ended. */
  stop(): Promise<void>;
}

const script = "dist/provider/host/plugin/main.js";

interface PluginOptions {
  packageDir: string;
  /** Where its journal is. */
  folder: string;
  env: Readonly<Record<string, string>>;
}

export async function startPlugin({ packageDir, folder, env }: PluginOptions): Promise<Plugin> {
  await mkdir(folder, { recursive: true });
  const engine = await startEngine();
  const child = execaNode(join(packageDir, script), [engine.address], {
    cwd: folder,
    env: { XDG_STATE_HOME: folder, ...env },
    nodeOptions: [...nodeOptions, ...probed],
    reject: false,
  });
  const [port] = await once(createInterface({ input: child.stdout }), "line");
  const client = new providerStubs.ResourceProviderClient(
    `127.0.0.1:${port}`,
    grpc.credentials.createInsecure(),
  );
  const request = new messages.ConfigureRequest();
  request.setAcceptsecrets(true);
  await unary((done) => client.configure(request, done));
  return {
    order: (name) =>
      toPluginResource(client, `urn:pulumi:bench::bench::proxyrental:index:ProxyOrder::${name}`),
    readUsage: () => readUsage(child),
    async stop() {
      client.close();
      child.kill("SIGINT");
      await child;
      engine.stop();
    },
  };
}

/** The part of an engine that a provider writes its lines to. */
async function startEngine(): Promise<{ address: string; stop(): void }> {
  const server = new grpc.Server();
  server.addService(engineService.EngineService, {
    log: (_call: unknown, reply: grpc.sendUnaryData<unknown>) => reply(null, new empty.Empty()),
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  return { address: `127.0.0.1:${port}`, stop: () => server.forceShutdown() };
}
