/** How something was found to be. `wrong`: it does not work. `look`: somebody should look at it. */
export type Mark = "well" | "look" | "wrong" | "notAsked";

/** One thing that doctor has looked at. Also what `--json` prints. */
export interface Finding {
  /** Whether it is about this machine and its project, or about how the service behaves. */
  room: "here" | "service";
  /** A name for scripts, for instance `clock`. */
  about: string;
  mark: Mark;
  /** What was found, as a sentence. */
  text: string;
  /** What to do about it, where somebody can do something. */
  todo?: string | undefined;
}

/** A finding whose room is known from its place. */
export type Found = Omit<Finding, "room">;

/** The exit code: 0 if all is well, 2 if somebody should look at something, 1 if something does not work. */
export function exitCodeOf(findings: readonly Finding[]): 0 | 1 | 2 {
  if (findings.some(({ mark }) => mark === "wrong")) return 1;
  return findings.some(({ mark }) => mark === "look") ? 2 : 0;
}

/** Puts findings into a room. */
export function inRoom(room: Finding["room"], found: readonly Found[]): Finding[] {
  return found.map((finding) => ({ room, ...finding }));
}

/** A count and its noun: `1 call`, `2 calls`. */
export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
