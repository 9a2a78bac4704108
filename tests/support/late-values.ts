import grpc from "@grpc/grpc-js";
import plugin from "@pulumi/pulumi/proto/plugin_pb.js";
import providerService from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import provider from "@pulumi/pulumi/proto/provider_pb.js";
import empty from "google-protobuf/google/protobuf/empty_pb.js";
import struct from "google-protobuf/google/protobuf/struct_pb.js";
import { listenOnFreePort } from "../../provider/host/plugin/server.ts";
import { UNKNOWN } from "../../provider/host/unknown-value.ts";

type Struct = InstanceType<typeof struct.Struct>;

/** A provider that the engine attaches to. Its resource `late:Value` returns its `value`, but not in a preview. */
export interface LateValues {
  readonly port: number;
  stop(): void;
}

const anything = { value: { $ref: "pulumi.json#/Any" } };

const schema = JSON.stringify({
  name: "late",
  version: "1.0.0",
  resources: {
    "late:index:Value": { inputProperties: anything, properties: anything, required: ["value"] },
  },
});

/** Starts one server for all stacks. That is possible because the provider stores nothing. */
export async function serveLateValues(): Promise<LateValues> {
  const server = new grpc.Server();
  server.addService(providerService.ResourceProviderService, {
    handshake: answerBy(() => new provider.ProviderHandshakeResponse()),
    attach: answerBy(() => new empty.Empty()),
    cancel: answerBy(() => new empty.Empty()),
    delete: answerBy(() => new empty.Empty()),
    getPluginInfo: answerBy(() => {
      const info = new plugin.PluginInfo();
      info.setVersion("1.0.0");
      return info;
    }),
    getSchema: answerBy(() => {
      const answer = new provider.GetSchemaResponse();
      answer.setSchema(schema);
      return answer;
    }),
    configure: answerBy(() => {
      const answer = new provider.ConfigureResponse();
      answer.setSupportspreview(true);
      return answer;
    }),
    ...{ checkConfig: answerBy(accept), diffConfig: answerBy(findNoChange) },
    ...{ check: answerBy(accept), diff: answerBy(findNoChange) },
    create: answerBy((request: InstanceType<typeof provider.CreateRequest>) => {
      const answer = new provider.CreateResponse();
      answer.setId("late");
      const unknown = () => struct.Struct.fromJavaScript({ value: UNKNOWN });
      answer.setProperties(request.getPreview() ? unknown() : request.getProperties());
      return answer;
    }),
    read: answerBy((request: InstanceType<typeof provider.ReadRequest>) => {
      const answer = new provider.ReadResponse();
      answer.setId(request.getId());
      answer.setProperties(request.getProperties());
      answer.setInputs(request.getInputs());
      return answer;
    }),
  });
  const port = await listenOnFreePort(server);
  return { port, stop: () => server.forceShutdown() };
}

function accept(request: { getNews(): Struct | undefined }) {
  const answer = new provider.CheckResponse();
  answer.setInputs(request.getNews());
  return answer;
}

function findNoChange() {
  const answer = new provider.DiffResponse();
  answer.setChanges(provider.DiffResponse.DiffChanges.DIFF_NONE);
  return answer;
}

function answerBy<Request, Answer>(
  work: (request: Request) => Answer,
): grpc.handleUnaryCall<Request, Answer> {
  return ({ request }, reply) => reply(null, work(request));
}
