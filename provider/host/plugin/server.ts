import { setTimeout as sleep } from "node:timers/promises";
import grpc from "@grpc/grpc-js";
import providerService from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import empty from "google-protobuf/google/protobuf/empty_pb.js";
import { isProxyRentalError } from "../../core/values/errors.ts";
import type { EngineLog } from "../run/engine-log.ts";
import type { CallsUnderWay } from "../run/lifetime.ts";
import { toServiceError } from "./failure.ts";
import type { PluginProvider } from "./plugin-provider.ts";

/** A plugin that answers the engine, over the connections that its server is given. */
export interface PluginServer extends CallsUnderWay {
  readonly server: grpc.Server;
  /** Whether a call about a resource waits for its answer. Calls about no resource do not count. */
  areUnderWay(): boolean;
  /** Takes no more calls. Resolves when those under way are answered, and the engine has the answers. */
  drain(): Promise<void>;
}

/** As much as the engine takes in one message. The state of a large fleet is a few megabytes. */
const MAX_MESSAGE_BYTES = 400 * 1024 * 1024;

/** How long the engine may take to receive the last answers. */
const FAREWELL_MS = 500;

/** Makes a server that answers for a provider. */
export function createPluginServer(provider: PluginProvider, log: EngineLog): PluginServer {
  const server = new grpc.Server({
    "grpc.max_receive_message_length": MAX_MESSAGE_BYTES,
    "grpc.max_send_message_length": MAX_MESSAGE_BYTES,
  });
  const underWay = new Map<Promise<void>, string>();
  const about = answerAbout(log, underWay);
  server.addService(providerService.ResourceProviderService, handlersOf(provider, about));
  return {
    server,
    areUnderWay: () => [...underWay.values()].some((urn) => urn !== ""),
    async drain() {
      if (underWay.size === 0) return;
      while (underWay.size > 0) await Promise.all(underWay.keys());
      // An answer that was given may not be sent yet. gRPC's own shutdown sends it, and then waits for the engine to
      // hang up. The engine may wait for this process to end.
      const sent = new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
      await Promise.race([sent, sleep(FAREWELL_MS)]);
    },
  };
}

/** Listens on a free port that only this machine can reach, and gives the port. */
export async function listenOnFreePort(server: grpc.Server): Promise<number> {
  const credentials = grpc.ServerCredentials.createInsecure();
  return new Promise((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", credentials, (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
}

function handlersOf(
  provider: PluginProvider,
  { one: answerBy, all: answerAllBy }: ReturnType<typeof answerAbout>,
): grpc.UntypedServiceImplementation {
  const nothing = () => new empty.Empty();
  const resource = (urn: string) => provider.resource(urn);
  return {
    handshake: answerBy(provider.handshake),
    attach: answerBy((request: Parameters<PluginProvider["attach"]>[0]) => {
      provider.attach(request);
      return nothing();
    }),
    getPluginInfo: answerBy(provider.getPluginInfo),
    getSchema: answerBy(provider.getSchema),
    checkConfig: answerBy(provider.checkConfig),
    diffConfig: answerBy(provider.diffConfig),
    configure: answerBy(provider.configure),
    invoke: answerBy(provider.invoke),
    list: answerAllBy(provider.list),
    cancel: answerBy(() => {
      provider.cancel();
      return nothing();
    }),
    check: answerBy((request: ResourceRequest<"check">) =>
      resource(request.getUrn()).check(request),
    ),
    diff: answerBy((request: ResourceRequest<"diff">) => resource(request.getUrn()).diff(request)),
    create: answerBy((request: ResourceRequest<"create">) =>
      resource(request.getUrn()).create(request),
    ),
    read: answerBy((request: ResourceRequest<"read">) => resource(request.getUrn()).read(request)),
    update: answerBy((request: ResourceRequest<"update">) =>
      resource(request.getUrn()).update(request),
    ),
    delete: answerBy(async (request: ResourceRequest<"delete">) => {
      await resource(request.getUrn()).delete(request);
      return nothing();
    }),
  };
}

type Methods = ReturnType<PluginProvider["resource"]>;

type ResourceRequest<Name extends keyof Methods> = Parameters<Methods[Name]>[0];

/** Makes handlers of methods. Whatever one throws reaches the engine as the failure of that call. */
function answerAbout(log: EngineLog, underWay: Map<Promise<void>, string>) {
  function answer<Request, Answer>(
    request: Request,
    work: (request: Request) => Answer | Promise<Answer>,
    give: (answer: Answer) => void,
    fail: (error: Partial<grpc.ServiceError>) => void,
  ): void {
    const urn = urnOf(request);
    const answered = log
      .about(urn, async () => {
        try {
          return await work(request);
        } catch (error) {
          // This is a bug of ours, and nothing that the user or the service did, so its stack is kept.
          if (error instanceof Error && !isExplained(error)) log.warn(String(error.stack));
          throw error;
        }
      })
      .then(give, (error: unknown) => fail(toServiceError(error)))
      .finally(() => underWay.delete(answered));
    underWay.set(answered, urn);
  }

  const one =
    <Request, Answer>(
      work: (request: Request) => Answer | Promise<Answer>,
    ): grpc.handleUnaryCall<Request, Answer> =>
    ({ request }, reply) =>
      answer(request, work, (given) => reply(null, given), reply);

  /** For a call that is answered by several messages. None is sent before all are known. */
  const all =
    <Request, Answer>(
      work: (request: Request) => Promise<readonly Answer[]>,
    ): grpc.handleServerStreamingCall<Request, Answer> =>
    (call) => {
      const give = (given: readonly Answer[]) => {
        for (const message of given) call.write(message);
        call.end();
      };
      answer(call.request, work, give, (error) => call.emit("error", error));
    };

  return { one, all };
}

function isExplained(error: Error): boolean {
  return (
    isProxyRentalError(error) || isProxyRentalError(error.cause) || error.name === "InitFailure"
  );
}

/** The resource that a request is about; none for requests about the whole provider. */
function urnOf(request: unknown): string {
  return isAboutResource(request) ? request.getUrn() : "";
}

function isAboutResource(request: unknown): request is { getUrn(): string } {
  return typeof request === "object" && request !== null && "getUrn" in request;
}
