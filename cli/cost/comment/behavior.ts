/** What to do about earlier comments of the same tag. `replace` deletes them, `hide-and-new` marks them as outdated. */
export const behaviors = ["update", "replace", "hide-and-new", "new"] as const;

/** See `behaviors`. */
export type Behavior = (typeof behaviors)[number];

/** A comment of this tool that a reader sees. */
export interface OwnComment {
  id: string;
  body: string;
}

/** One change of the comments. */
export type Step<Comment extends OwnComment> =
  | { kind: "create" }
  | { kind: "update" | "remove" | "hide"; comment: Comment };

/** What a comment is about to say. */
export interface News {
  body: string;
  behavior: Behavior;
  /** Whether there is nothing to say. Then no comment is made, and an earlier one does not stay as if it held. */
  isSkipped: boolean;
}

/**
 * Decides what to change. A new comment comes before an old one goes: if something fails between the two, a reader
 * has both.
 * @param earlier the comments of the same tag that a reader sees, oldest first
 */
export function planSteps<Comment extends OwnComment>(
  earlier: readonly Comment[],
  { body, behavior, isSkipped }: News,
): Step<Comment>[] {
  const create: Step<Comment>[] = isSkipped ? [] : [{ kind: "create" }];
  switch (behavior) {
    case "update": {
      const comment = earlier.at(-1);
      if (comment === undefined) return create;
      return isSameText(comment.body, body) ? [] : [{ kind: "update", comment }];
    }
    case "replace":
      return [...create, ...earlier.map((comment) => ({ kind: "remove", comment }) as const)];
    case "hide-and-new":
      return [...create, ...earlier.map((comment) => ({ kind: "hide", comment }) as const)];
    case "new":
      return create;
  }
}

/** A service may store line ends, and spaces at the end, in its own way. */
function isSameText(a: string, b: string): boolean {
  const normalise = (text: string) => text.replaceAll("\r\n", "\n").trim();
  return normalise(a) === normalise(b);
}
