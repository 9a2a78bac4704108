import type { RunIdentity } from "../../core/ports.ts";
import type { CliCommand } from "../run/cli-command.ts";
import { parseEngineAddress } from "../run/engine-address.ts";

/** The run that a plugin serves, as far as it was told. */
export interface ToldRun extends RunIdentity {
  /** Call this with what the engine says at a create or an update. It says it nowhere else. */
  tell(isPreview: boolean): void;
}

/** Follows what the engine says of the run for which it has configured a plugin. */
export function followRun(engineAddress: string, findCommand: () => CliCommand): ToldRun {
  const { phase, ...said } = findCommand();
  let known = phase;
  return {
    run: parseEngineAddress(engineAddress)?.text,
    ...said,
    phase: () => known,
    tell(isPreview) {
      known = isPreview ? "preview" : "update";
    },
  };
}
