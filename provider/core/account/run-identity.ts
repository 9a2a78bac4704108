/** What the engine does with what it is told now: show it, or carry it out. */
export type Phase = "preview" | "update" | "unknown";

/** Which run of the engine this process serves. */
export interface RunIdentity {
  /** The same for all provider processes of one phase of one run, and for no other; undefined where no engine said it. */
  readonly run: string | undefined;
  /** What a person has typed; undefined where it can't be seen. An `up` shows a preview first, unless it skips it. */
  readonly command: "preview" | "up" | "other" | undefined;
  /** Names the CLI's process: the same in the preview and in the update of one `pulumi up`. @default not known */
  readonly commandId?: string | undefined;
  /** `unknown`: nobody has told yet. Asked anew each time, since a plugin learns it late. */
  phase(): Phase;
}

/** For a process of which no engine has said anything. */
export const unknownRun: RunIdentity = {
  run: undefined,
  command: undefined,
  phase: () => "unknown",
};
