import messages from "@pulumi/pulumi/proto/provider_pb.js";
import status from "@pulumi/pulumi/proto/status_pb.js";

/** Properties as the engine and the provider exchange them. */
export type Props = Record<string, unknown>;

/** A create or update that failed after the resource came to be: the engine saves what it carries. */
export class InitFailure extends Error {
  readonly id: string;
  readonly properties: Props;
  readonly inputs: Props;
  readonly reasons: string[];

  constructor(message: string, detail: Uint8Array) {
    super(message);
    const failed = messages.ErrorResourceInitFailed.deserializeBinary(detail);
    this.id = failed.getId();
    this.properties = propsOf(failed.getProperties());
    this.inputs = propsOf(failed.getInputs());
    this.reasons = failed.getReasonsList();
  }
}

/** The failure with which a create or update saves its resource all the same. */
export async function initFailureOf(call: Promise<unknown>): Promise<InitFailure> {
  const error = await call.then(
    () => new Error("it did not fail"),
    (reason: unknown) => reason,
  );
  if (error instanceof InitFailure) return error;
  throw error;
}

/** What a message carries; nothing where it carries none. */
export function propsOf(struct: { toJavaScript(): object } | undefined): Props {
  return { ...struct?.toJavaScript() };
}

interface RpcError extends Error {
  details: string;
  metadata: { get(name: string): (string | Buffer)[] };
}

/** Makes one call as a promise. */
export function unary<Reply>(
  call: (done: (error: RpcError | null, reply: Reply) => void) => unknown,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    call((error, reply) => (error ? reject(explain(error)) : resolve(reply)));
  });
}

/** As the engine does, looks into an error for a resource that came to be all the same. */
function explain(error: RpcError): Error {
  const [packed] = error.metadata.get("grpc-status-details-bin");
  if (!(packed instanceof Buffer)) return new Error(error.details);
  const [detail] = status.Status.deserializeBinary(packed).getDetailsList();
  if (detail === undefined) return new Error(error.details);
  return new InitFailure(error.details, detail.getValue_asU8());
}
