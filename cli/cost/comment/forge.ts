import type { OwnComment } from "./behavior.ts";

/** A service on which requests are reviewed, as far as comments are concerned. */
export interface Forge<Comment extends OwnComment = OwnComment> {
  /** "pull request 7" */
  place: string;
  /** The longest body that it takes, in characters. */
  maxLength: number;
  /** The comments of a tag that this token has made and a reader sees, oldest first. */
  findOwn(tag: string, onPage: (page: number) => void): Promise<Comment[]>;
  /** @returns where the comment is, if the service says so */
  create(body: string): Promise<string | undefined>;
  update(comment: Comment, body: string): Promise<void>;
  remove(comment: Comment): Promise<void>;
  /** Marks a comment as outdated. */
  hide(comment: Comment): Promise<void>;
  close(): Promise<void>;
}
