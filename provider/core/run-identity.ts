/** Which run of the engine this process serves, as far as its host can tell. */
export interface RunIdentity {
  /** The same for all provider processes of one phase of one run, and for no other; undefined where nobody said it. */
  readonly run: string | undefined;
  /** The command that the CLI was given; undefined where it can't be seen. */
  readonly command?: "preview" | "up" | "other" | undefined;
  /** Names the CLI's process: the same in the preview and in the update of one `pulumi up`. */
  readonly commandId?: string | undefined;
  /** `preview`: nothing will be applied; `update`: it will be. Asked anew each time: a plugin learns it late. */
  phase(): "preview" | "update" | "unknown";
}

/** Of a process about which no engine has said anything. */
export const unknownRun: RunIdentity = { run: undefined, phase: () => "unknown" };
