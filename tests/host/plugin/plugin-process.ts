import { join } from "node:path";
import grpc from "@grpc/grpc-js";
import stubs from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import messages from "@pulumi/pulumi/proto/provider_pb.js";
import empty from "google-protobuf/google/protobuf/empty_pb.js";
import { onTestFinished } from "vitest";
import type { Simulator } from "../../../simulator/index.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";
import { type Props, propsOf, unary } from "../unary.ts";
import { type LoggedLine, startEngine } from "./engine.ts";
import { type PluginResource, toPluginResource, toStruct } from "./plugin-resource.ts";
import { type Spawned, spawnPlugin } from "./spawned.ts";

/** A mistake in an input or a setting. */
export interface CheckFailure {
  property: string;
  reason: string;
}

/** The plugin as the engine talks to it. Properties are in the wire's form, with the marks of secrets. */
export interface PluginProcess extends Omit<Spawned, "port"> {
  /** The folder of its program. If another process gets the same folder, both share a journal. */
  readonly folder: string;
  readonly journalDir: string;
  /** The lines that the plugin has sent to the engine. */
  readonly logged: readonly LoggedLine[];
  checkConfig(config: Props): Promise<CheckFailure[]>;
  configure(config: Props): Promise<void>;
  /** The calls that the engine may make for one resource. */
  resource(kind: string, name?: string): PluginResource;
  /** Calls a function by its short name, for instance `getBalance`. */
  invoke(name: string, args: Props): Promise<{ result: Props; failures: CheckFailure[] }>;
  /** Lists a kind of resource, a page at a time. */
  list(kind: string, query?: Props, page?: ListPage): Promise<Listed>;
  cancel(): Promise<void>;
  /** Ends the plugin as the engine does, and waits until it has ended. */
  stop(): Promise<void>;
}

/** Which part of a list is asked for. */
interface ListPage {
  limit?: number;
  pageSize?: number;
  /** What the page before it has given. */
  continuation?: string;
}

/** What a plugin answers to a list. */
export interface Listed {
  found: { id: string; name: string }[];
  /** Where the next page begins; "" if there is none. */
  continuation: string;
  /** Whether the query is not known yet. */
  computed: boolean;
}

/** How a plugin is started. */
interface PluginOptions {
  environment?: Readonly<Record<string, string>>;
  /** @default a new one */
  folder?: string;
}

/** The engine's mark of a secret on the wire. */
export function secret(value: unknown): Props {
  return { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", value };
}

/** The configuration that the engine sends for an account of a simulator. */
export function configOf({ baseUrl, apiKey }: Simulator): Props {
  return { baseUrl, apiKey: secret(apiKey) };
}

/** Starts the built plugin with its own engine. Both end with the test. */
export async function startPlugin({
  environment = {},
  folder,
}: PluginOptions = {}): Promise<PluginProcess> {
  const home = folder ?? (await makeTemporaryFolder());
  const engine = await startEngine();
  const spawned = spawnPlugin({
    engineAddress: engine.address,
    folder: home,
    environment: { XDG_STATE_HOME: home, ...environment },
  });
  const client = new stubs.ResourceProviderClient(
    `127.0.0.1:${await spawned.port}`,
    grpc.credentials.createInsecure(),
    { "grpc.max_receive_message_length": -1 },
  );
  onTestFinished(() => client.close());
  return {
    ...spawned,
    folder: home,
    journalDir: join(home, "pulumi-proxyrental", "journal"),
    logged: engine.lines,

    async checkConfig(config) {
      const request = new messages.CheckRequest();
      request.setNews(toStruct(config));
      const reply = await unary<InstanceType<typeof messages.CheckResponse>>((done) =>
        client.checkConfig(request, done),
      );
      return reply.getFailuresList().map((failure) => failure.toObject());
    },

    async configure(config) {
      const request = new messages.ConfigureRequest();
      request.setAcceptsecrets(true);
      request.setArgs(toStruct(config));
      await unary((done) => client.configure(request, done));
    },

    resource: (kind, name = "fleet") =>
      toPluginResource(client, `urn:pulumi:dev::fleet::proxyrental:index:${kind}::${name}`),

    async invoke(name, args) {
      const request = new messages.InvokeRequest();
      request.setTok(`proxyrental:index:${name}`);
      request.setArgs(toStruct(args));
      const reply = await unary<InstanceType<typeof messages.InvokeResponse>>((done) =>
        client.invoke(request, done),
      );
      const failures = reply.getFailuresList().map((failure) => failure.toObject());
      return { result: propsOf(reply.getReturn()), failures };
    },

    async list(kind, query = {}, { limit = 0, pageSize = 0, continuation = "" } = {}) {
      const request = new messages.ListRequest();
      request.setToken(`proxyrental:index:${kind}`);
      request.setQuery(toStruct(query));
      request.setLimit(limit);
      request.setPageSize(pageSize);
      request.setContinuationToken(continuation);
      const listed: Listed = { found: [], continuation: "", computed: false };
      for await (const answer of client.list(request)) {
        const { result, continuation: next, computed } = answer.toObject();
        if (result) listed.found.push(result);
        if (next) listed.continuation = next.continuationToken;
        if (computed) listed.computed = true;
      }
      return listed;
    },

    async cancel() {
      await unary((done) => client.cancel(new empty.Empty(), done));
    },

    async stop() {
      spawned.signal("SIGINT");
      await spawned.ended;
    },
  };
}
