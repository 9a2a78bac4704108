import { setTimeout as sleep } from "node:timers/promises";
import grpc from "@grpc/grpc-js";
import engineService from "@pulumi/pulumi/proto/engine_grpc_pb.js";
import engine, { type LogRequest } from "@pulumi/pulumi/proto/engine_pb.js";
import empty from "google-protobuf/google/protobuf/empty_pb.js";
import { onTestFinished } from "vitest";

/** A line as the engine received it. */
export interface LoggedLine {
  /** A "progress" line is shown only until the next line. */
  severity: "info" | "progress" | "warning" | "another";
  message: string;
  urn: string;
}

/** The part of an engine that receives a provider's log. */
export interface LogReceiver {
  readonly address: string;
  /** The lines that have arrived, oldest first. */
  readonly lines: readonly LoggedLine[];
  /** Ends at once, even if providers are connected. */
  kill(): void;
}

/**
 * Starts an engine that ends with the test.
 * @param slownessMs how long the engine needs for each line
 */
export async function startEngine(slownessMs = 0): Promise<LogReceiver> {
  const lines: LoggedLine[] = [];
  const server = new grpc.Server();
  server.addService(engineService.EngineService, {
    log: async (call: { request: LogRequest }, reply: grpc.sendUnaryData<unknown>) => {
      await sleep(slownessMs);
      const { request } = call;
      const severity = request.getEphemeral() ? "progress" : nameOf(request.getSeverity());
      lines.push({ severity, message: request.getMessage(), urn: request.getUrn() });
      reply(null, new empty.Empty());
    },
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  const kill = () => server.forceShutdown();
  onTestFinished(kill);
  return { address: `127.0.0.1:${port}`, lines, kill };
}

function nameOf(severity: number): LoggedLine["severity"] {
  if (severity === engine.LogSeverity.INFO) return "info";
  return severity === engine.LogSeverity.WARNING ? "warning" : "another";
}
