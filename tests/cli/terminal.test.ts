import { expect, test } from "vitest";
import { createTerminal } from "../../cli/terminal.ts";

const KEY = "key-of-the-account";

/** A terminal, and all that it was given to show, in its order. */
function openTerminal({ isTTY }: { isTTY: boolean }) {
  const shown: string[] = [];
  const sink = { isTTY, write: (text: string) => shown.push(text) };
  const terminal = createTerminal({
    env: { PROXYRENTAL_API_KEY: KEY },
    stdout: sink,
    stderr: sink,
  });
  return { terminal, shown };
}

const CLEAR = "\r\u001b[2K";

test("progress is shown on one line, and the next output takes it away", () => {
  const { terminal, shown } = openTerminal({ isTTY: true });
  terminal.showProgress("1 of 2");
  terminal.showProgress("2 of 2");
  terminal.print("done");
  terminal.print("and over");
  expect(shown).toEqual([`${CLEAR}1 of 2`, `${CLEAR}2 of 2`, CLEAR, "done\n", "and over\n"]);
});

test("an error takes progress away too", () => {
  const { terminal, shown } = openTerminal({ isTTY: true });
  terminal.showProgress("1 of 2");
  terminal.writeError("error: no\n");
  expect(shown).toEqual([`${CLEAR}1 of 2`, CLEAR, "error: no\n"]);
});

test("a pipe gets no progress", () => {
  const { terminal, shown } = openTerminal({ isTTY: false });
  terminal.showProgress("1 of 2");
  terminal.print("done");
  expect(shown).toEqual(["done\n"]);
});

test("progress never shows the key", () => {
  const { terminal, shown } = openTerminal({ isTTY: true });
  terminal.showProgress(`asking ${KEY}`);
  expect(shown.join("")).not.toContain(KEY);
});
