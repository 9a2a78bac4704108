import type { Terminal } from "../../terminal.ts";
import { type News, type OwnComment, planSteps } from "./behavior.ts";
import type { Forge } from "./forge.ts";
import { type GithubTarget, openGithub } from "./github.ts";
import { type GitlabTarget, openGitlab } from "./gitlab.ts";

/** A comment to be posted. */
interface Posting extends Omit<News, "body"> {
  tag: string;
  /** Writes the comment, not longer than this. */
  write(maxLength: number): string;
}

/** Posts a comment, and returns what was done, in one sentence. */
export async function postComment(
  target: GithubTarget | GitlabTarget,
  posting: Posting,
  terminal: Terminal,
): Promise<string> {
  return target.kind === "github"
    ? postTo(await openGithub(target), posting, terminal)
    : postTo(await openGitlab(target), posting, terminal);
}

async function postTo<Comment extends OwnComment>(
  forge: Forge<Comment>,
  { tag, write, behavior, isSkipped }: Posting,
  terminal: Terminal,
): Promise<string> {
  const done: string[] = [];
  try {
    const earlier =
      behavior === "new"
        ? []
        : await forge.findOwn(tag, (page) =>
            terminal.showProgress(`Reading the comments of ${forge.place}, page ${page}`),
          );
    const body = write(forge.maxLength);
    for (const step of planSteps(earlier, { body, behavior, isSkipped })) {
      switch (step.kind) {
        case "create": {
          const url = await forge.create(body);
          done.push(url === undefined ? "made" : `made (${url})`);
          break;
        }
        case "update":
          await forge.update(step.comment, body);
          done.push("updated");
          break;
        case "remove":
          await forge.remove(step.comment);
          done.push("deleted");
          break;
        case "hide":
          await forge.hide(step.comment);
          done.push("hidden");
      }
    }
    return `Comments on ${forge.place}: ${describeDone(done, isSkipped)}.`;
  } finally {
    await forge.close();
  }
}

function describeDone(done: readonly string[], isSkipped: boolean): string {
  if (done.length === 0) {
    return isSkipped ? "none, since nothing changes" : "the earlier one says the same";
  }
  return [...Map.groupBy(done, (what) => what)]
    .map(([what, all]) => `${all.length} ${what}`)
    .join(", ");
}
