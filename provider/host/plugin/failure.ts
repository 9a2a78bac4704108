import grpc from "@grpc/grpc-js";
import provider from "@pulumi/pulumi/proto/provider_pb.js";
import rpcStatus from "@pulumi/pulumi/proto/status_pb.js";
import protobufAny from "google-protobuf/google/protobuf/any_pb.js";
import { messageOf } from "../../core/values/message-of.ts";
import type { SavedFailure } from "../resources/hosted-resource.ts";
import { writeStruct } from "./struct.ts";

/** A failure after which the engine must still save the resource. */
export class InitFailure extends Error {
  override readonly name = "InitFailure";
  readonly metadata: grpc.Metadata;

  constructor(failure: SavedFailure, inputs: object, secret: ReadonlySet<string>) {
    super(failure.message, { cause: failure });
    const detail = new provider.ErrorResourceInitFailed();
    detail.setId(failure.id);
    detail.setProperties(writeStruct(failure.state, secret));
    detail.setInputs(writeStruct(inputs, secret));
    detail.setReasonsList([failure.message]);
    const packed = new protobufAny.Any();
    packed.pack(detail.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
    const status = new rpcStatus.Status();
    status.setCode(grpc.status.UNKNOWN);
    status.setMessage(failure.message);
    status.addDetails(packed);
    this.metadata = new grpc.Metadata();
    // gRPC carries the details of an error here, and the engine looks for them here.
    this.metadata.add("grpc-status-details-bin", Buffer.from(status.serializeBinary()));
  }
}

/** What the engine is told of an error: its message, which the engine shows at the resource. */
export function toServiceError(error: unknown): Partial<grpc.ServiceError> {
  const message = messageOf(error);
  const code = grpc.status.UNKNOWN;
  if (error instanceof InitFailure) return { code, details: message, metadata: error.metadata };
  return { code, details: message };
}
