import { rmSync } from "node:fs";
import * as pulumi from "@pulumi/pulumi";
import { parseEngineAddress } from "../provider/host/run/engine-address.ts";
import { writePhaseMarker } from "../provider/host/run/phase-marker.ts";

/**
 * The engines whose phase was announced. Each is of one phase of one run, and a process that runs inline programs
 * meets many.
 */
const answered = new WeakSet<object>();

/** The markers to remove when this process ends: ports are used again, and a later run would read them. */
const markers = new Set<string>();

/**
 * Tells the providers of this phase, once, whether it is a preview. The engine does not tell them, but it gives both
 * sides its address. If that is not known, nothing is told.
 */
export function announcePhase(): void {
  // Only the client of the engine tells the engine's address publicly, for inline programs too.
  const client: unknown = pulumi.runtime.getEngine();
  if (!isClient(client) || answered.has(client)) return;
  answered.add(client);
  const engine = parseEngineAddress(client.getChannel().getTarget());
  if (engine === undefined) return;
  const phase = pulumi.runtime.isDryRun() ? "preview" : "update";
  const marker = writePhaseMarker(engine, phase, new Date());
  if (marker === undefined) return;
  if (markers.size === 0) process.once("exit", removeMarkers);
  markers.add(marker);
}

function removeMarkers(): void {
  for (const marker of markers) rmSync(marker, { force: true });
}

function isClient(client: unknown): client is { getChannel(): { getTarget(): string } } {
  return typeof client === "object" && client !== null && "getChannel" in client;
}
