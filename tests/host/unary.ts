import messages from "@pulumi/pulumi/proto/provider_pb.js";
import status from "@pulumi/pulumi/proto/status_pb.js";

/** Properties as the engine and the provider exchange them. */
export type Props = Record<string, unknown>;

/** A failed create or update whose resource exists. The engine saves the data in this error. */
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

/** The error with which a create or update fails and still saves its resource. */
export async function initFailureOf(call: Promise<unknown>): Promise<InitFailure> {
  const error = await call.then(
    () => new Error("it did not fail"),
    (reason: unknown) => reason,
  );
  if (error instanceof InitFailure) return error;
  throw error;
}

/** The properties of a message. Without properties, an empty object. */
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

/** Looks into an error for a resource that exists in spite of the failure, as the engine does. */
function explain(error: RpcError): Error {
  const [packed] = error.metadata.get("grpc-status-details-bin");
  if (!(packed instanceof Buffer)) return new Error(error.details);
  const [detail] = status.Status.deserializeBinary(packed).getDetailsList();
  if (detail === undefined) return new Error(error.details);
  return new InitFailure(error.details, detail.getValue_asU8());
}
