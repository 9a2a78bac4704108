import type { Phase, RunIdentity } from "../../core/ports.ts";
import { type CliCommand, findCliCommand } from "../run/cli-command.ts";
import type { EngineAddress } from "../run/engine-address.ts";
import { readPhaseMarker } from "../run/phase-marker.ts";

/** What a dynamic provider finds out about its run. */
interface RunSources {
  findCommand(): CliCommand;
  readMarker(engine: EngineAddress): Phase | undefined;
}

const thisMachine: RunSources = {
  findCommand: findCliCommand,
  readMarker: (engine) => readPhaseMarker(engine, new Date()),
};

/** Which run a dynamic provider serves. The engine calls it for one phase of one run only. */
export function identifyRun(
  engine: EngineAddress | undefined,
  { findCommand, readMarker }: RunSources = thisMachine,
): RunIdentity {
  const { phase, ...said } = findCommand();
  let known = phase;
  return {
    run: engine?.text,
    ...said,
    phase() {
      if (phase !== "unknown" || engine === undefined) return phase;
      // For a refresh, the engine may call before the program has said anything. What a killed run has left for this
      // port is overwritten later. For a delete, it may call after the program has ended.
      known = readMarker(engine) ?? known;
      return known;
    },
  };
}
