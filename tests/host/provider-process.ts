import { type ChildProcess, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import grpcStubs from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import messages from "@pulumi/pulumi/proto/provider_pb.js";
import type { ResourceKind } from "pulumi-proxyrental/provider";
import { onTestFinished } from "vitest";
import { shortRun } from "../support/short-run.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import { providerTexts } from "./provider-texts.ts";
import { type Props, propsOf, unary } from "./unary.ts";

/** A dynamic provider in its own process. The test talks to it over gRPC, as the engine does. */
export interface ProviderProcess {
  check(olds: Props, news: Props): Promise<{ inputs: Props; failures: CheckFailure[] }>;
  diff(id: string, olds: Props, news: Props): Promise<Diff>;
  create(inputs: Props): Promise<{ id: string; properties: Props }>;
  read(id: string, properties: Props): Promise<{ id: string; properties: Props; inputs?: Props }>;
  update(id: string, olds: Props, news: Props): Promise<{ properties: Props }>;
  delete(id: string, properties: Props): Promise<void>;
  /** Ends the process and returns all its output except the port. */
  printed(): Promise<string>;
}

/** A mistake in an input. */
export interface CheckFailure {
  property: string;
  reason: string;
}

/** The result of a diff. */
export interface Diff {
  changes: boolean;
  replaces: string[];
  deleteBeforeReplace: boolean;
}

const root = new URL("../..", import.meta.url).pathname;
const loadOfPulumi = createRequire(import.meta.resolve("@pulumi/pulumi"));
const { credentials } = loadOfPulumi("@grpc/grpc-js");
const { Struct } = loadOfPulumi("google-protobuf/google/protobuf/struct_pb.js");

/** The engine's mark of a secret on the wire. */
function secret(value: string): Props {
  return {
    "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
    value,
  };
}

/** Starts a provider that ends with the test. The key is marked as a secret. */
export async function startProvider(
  config: { baseUrl?: string; apiKey?: string; [key: string]: string | undefined },
  environment: Record<string, string> = {},
): Promise<ProviderProcess> {
  const { port, end } = await spawnProvider(environment);
  const { ResourceProviderClient } = grpcStubs;
  const client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
  onTestFinished(async () => {
    client.close();
    await end();
  });

  const rawConfig = Object.entries(config).map(([key, value]) => [
    `proxyrental:${key}`,
    key === "apiKey" && value !== undefined ? secret(value) : value,
  ]);
  const args = Struct.fromJavaScript(
    Object.fromEntries(rawConfig.filter(([, value]) => value !== undefined)),
  );
  const configuration = new messages.ConfigureRequest();
  configuration.setArgs(args);
  await unary((done) => client.configure(configuration, done));
  return { ...methodsOf(client), printed: end };
}

/** No two scenarios share a process. */
async function spawnProvider(environment: Record<string, string>) {
  const program = loadOfPulumi.resolve("@pulumi/pulumi/cmd/dynamic-provider/index.js");
  // Each simulator uses the same order numbers again, so each process has its own journal.
  const stateHome = await makeTemporaryFolder();
  const child: ChildProcess = spawn(process.execPath, [program, "127.0.0.1:1"], {
    cwd: root,
    env: { PATH: process.env.PATH, XDG_STATE_HOME: stateHome, ...shortRun(), ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const lines: string[] = [];
  const port = await new Promise<string>((resolve, reject) => {
    if (!child.stdout || !child.stderr) throw new Error("the pipes are missing");
    let portSeen = false;
    createInterface({ input: child.stdout }).on("line", (line) => {
      if (portSeen) lines.push(line);
      portSeen = true;
      resolve(line);
    });
    createInterface({ input: child.stderr }).on("line", (line) => lines.push(line));
    child.once("exit", () => reject(new Error(`the provider ended: ${lines.join("\n")}`)));
  });
  // All output from before the last answer has been read only when the pipes are closed.
  const closed = new Promise((resolve) => child.once("close", resolve));
  const end = async () => {
    // As the engine ends it.
    child.kill("SIGINT");
    await closed;
    return lines.join("\n");
  };
  return { port, end };
}

type Client = InstanceType<typeof grpcStubs.ResourceProviderClient>;

function methodsOf(client: Client): Omit<ProviderProcess, "printed"> {
  const struct = (value: Props) => Struct.fromJavaScript(value);
  return {
    async check(olds, news) {
      const request = new messages.CheckRequest();
      request.setOlds(struct(olds));
      request.setNews(struct(news));
      const reply = await unary<InstanceType<typeof messages.CheckResponse>>((done) =>
        client.check(request, done),
      );
      const failures = reply.getFailuresList().map((failure) => failure.toObject());
      return { inputs: propsOf(reply.getInputs()), failures };
    },
    async diff(id, olds, news) {
      const request = new messages.DiffRequest();
      request.setId(id);
      request.setOlds(struct(olds));
      request.setNews(struct(news));
      const reply = await unary<InstanceType<typeof messages.DiffResponse>>((done) =>
        client.diff(request, done),
      );
      return {
        changes: reply.getChanges() === messages.DiffResponse.DiffChanges.DIFF_SOME,
        replaces: reply.getReplacesList(),
        deleteBeforeReplace: reply.getDeletebeforereplace(),
      };
    },
    async create(inputs) {
      const request = new messages.CreateRequest();
      request.setProperties(struct(inputs));
      const reply = await unary<InstanceType<typeof messages.CreateResponse>>((done) =>
        client.create(request, done),
      );
      return { id: reply.getId(), properties: propsOf(reply.getProperties()) };
    },
    async read(id, properties) {
      const request = new messages.ReadRequest();
      request.setId(id);
      request.setProperties(struct(properties));
      const reply = await unary<InstanceType<typeof messages.ReadResponse>>((done) =>
        client.read(request, done),
      );
      const inputs = reply.getInputs();
      return {
        id: reply.getId(),
        properties: propsOf(reply.getProperties()),
        ...(inputs ? { inputs: propsOf(inputs) } : {}),
      };
    },
    async update(id, olds, news) {
      const request = new messages.UpdateRequest();
      request.setId(id);
      request.setOlds(struct(olds));
      request.setNews(struct(news));
      const reply = await unary<InstanceType<typeof messages.UpdateResponse>>((done) =>
        client.update(request, done),
      );
      return { properties: propsOf(reply.getProperties()) };
    },
    async delete(id, properties) {
      const request = new messages.DeleteRequest();
      request.setId(id);
      request.setProperties(struct(properties));
      await unary((done) => client.delete(request, done));
    },
  };
}

/** Inputs as the sdk makes them, with the owner and the text of the provider for them. */
export function inputsOf(kind: ResourceKind, args: Props): Props {
  const owner = `org/urn:pulumi:dev::fleet::pulumi-nodejs:dynamic/proxyrental:${kind}::fleet`;
  return { ...args, owner, __provider: providerTexts[kind] };
}
