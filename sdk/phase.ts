import { rmSync } from "node:fs";
import * as pulumi from "@pulumi/pulumi";
import { parseEngineAddress } from "../provider/host/run/engine-address.ts";
import { writePhaseMarker } from "../provider/host/run/phase-marker.ts";

/** The engines that were answered, each of one phase of one run: a process that runs inline programs meets many. */
const answered = new WeakSet<object>();

/** What is to be taken away when this process ends: ports come again, and a later run would read it. */
const markers = new Set<string>();

/**
 * Tells the providers of this phase, once, whether it is a preview: the engine does not tell them, and gives both
 * its address. Where that is not known, nothing is said.
 */
export function announcePhase(): void {
  // The client of the engine is the only public place where the SDK says its address, for inline programs as well.
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
