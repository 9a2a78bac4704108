import type stubs from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import messages from "@pulumi/pulumi/proto/provider_pb.js";
import struct from "google-protobuf/google/protobuf/struct_pb.js";
import { type Props, propsOf, unary } from "../unary.ts";
import type { CheckFailure } from "./plugin-process.ts";

type Client = InstanceType<typeof stubs.ResourceProviderClient>;

/** The data that the engine keeps of a resource. */
export interface Saved {
  id: string;
  inputs: Props;
  properties: Props;
}

/** Options of a change. */
interface Manner {
  preview?: boolean;
  /** The time in `customTimeouts`. @default none */
  timeoutSeconds?: number;
}

/** The result of a diff. */
export interface Diff {
  changes: boolean;
  /** The changed properties by name, each with its kind in the protocol's words. */
  details: Record<string, string>;
  replaces: string[];
  deleteBeforeReplace: boolean;
}

/** The calls of the engine for one resource. */
export interface PluginResource {
  readonly urn: string;
  check(olds: Props, news: Props): Promise<{ inputs: Props; failures: CheckFailure[] }>;
  diff(saved: Saved, inputs: Props): Promise<Diff>;
  create(inputs: Props, manner?: Manner): Promise<Saved>;
  /** Without inputs and state this imports the resource. If the resource is gone, the id in the answer is empty. */
  read(saved: { id: string } & Partial<Saved>): Promise<Saved>;
  update(saved: Saved, inputs: Props, manner?: Manner): Promise<Saved>;
  delete(saved: Saved): Promise<void>;
}

function kindOf(kind: number | undefined): string {
  const names = Object.entries(messages.PropertyDiff.Kind);
  return names.find(([, one]) => one === kind)?.[0] ?? "UNKNOWN";
}

/** The methods for the resource with this URN. */
export function toPluginResource(client: Client, urn: string): PluginResource {
  return {
    urn,

    async check(olds, news) {
      const request = new messages.CheckRequest();
      request.setUrn(urn);
      request.setOlds(toStruct(olds));
      request.setNews(toStruct(news));
      const reply = await unary<InstanceType<typeof messages.CheckResponse>>((done) =>
        client.check(request, done),
      );
      const failures = reply.getFailuresList().map((failure) => failure.toObject());
      return { inputs: propsOf(reply.getInputs()), failures };
    },

    async diff(saved, inputs) {
      const request = new messages.DiffRequest();
      request.setUrn(urn);
      request.setId(saved.id);
      request.setOlds(toStruct(saved.properties));
      request.setOldInputs(toStruct(saved.inputs));
      request.setNews(toStruct(inputs));
      const reply = await unary<InstanceType<typeof messages.DiffResponse>>((done) =>
        client.diff(request, done),
      );
      const map = reply.getDetaileddiffMap();
      const details = Array.from(map.keys(), (name) => [name, kindOf(map.get(name)?.getKind())]);
      return {
        changes: reply.getChanges() === messages.DiffResponse.DiffChanges.DIFF_SOME,
        details: Object.fromEntries(details),
        replaces: reply.getReplacesList(),
        deleteBeforeReplace: reply.getDeletebeforereplace(),
      };
    },

    async create(inputs, { preview = false, timeoutSeconds = 0 } = {}) {
      const request = new messages.CreateRequest();
      request.setUrn(urn);
      request.setProperties(toStruct(inputs));
      request.setPreview(preview);
      request.setTimeout(timeoutSeconds);
      const reply = await unary<InstanceType<typeof messages.CreateResponse>>((done) =>
        client.create(request, done),
      );
      return { id: reply.getId(), inputs, properties: propsOf(reply.getProperties()) };
    },

    async read({ id, inputs = {}, properties = {} }) {
      const request = new messages.ReadRequest();
      request.setUrn(urn);
      request.setId(id);
      request.setInputs(toStruct(inputs));
      request.setProperties(toStruct(properties));
      const reply = await unary<InstanceType<typeof messages.ReadResponse>>((done) =>
        client.read(request, done),
      );
      return {
        id: reply.getId(),
        inputs: propsOf(reply.getInputs()),
        properties: propsOf(reply.getProperties()),
      };
    },

    async update(saved, inputs, { preview = false, timeoutSeconds = 0 } = {}) {
      const request = new messages.UpdateRequest();
      request.setUrn(urn);
      request.setId(saved.id);
      request.setOlds(toStruct(saved.properties));
      request.setOldInputs(toStruct(saved.inputs));
      request.setNews(toStruct(inputs));
      request.setPreview(preview);
      request.setTimeout(timeoutSeconds);
      const reply = await unary<InstanceType<typeof messages.UpdateResponse>>((done) =>
        client.update(request, done),
      );
      return { id: saved.id, inputs, properties: propsOf(reply.getProperties()) };
    },

    async delete(saved) {
      const request = new messages.DeleteRequest();
      request.setUrn(urn);
      request.setId(saved.id);
      request.setProperties(toStruct(saved.properties));
      await unary((done) => client.delete(request, done));
    },
  };
}

type Json = Parameters<typeof struct.Struct.fromJavaScript>[0];

/** Properties in the form that a message carries. */
export function toStruct(props: Props): InstanceType<typeof struct.Struct> {
  return struct.Struct.fromJavaScript(props as Json);
}
