import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { styleText } from "node:util";
import Big from "big.js";
import { execa } from "execa";
import { z } from "zod";
import { pulumiEnvironment } from "../toolchain/environment.ts";
import { checkoutDir, makeProject } from "../toolchain/project.ts";

const PROGRAM = "examples/fleet/index.ts";

/** A stack of the example program, without a Pulumi account. The demo runs it with the real CLI. */
export interface DemoStack {
  /** Runs an operation of the CLI and shows its output. Throws an error if the operation ends in another way. */
  run(command: string[], expected?: "success" | "refusal"): Promise<void>;
  /** Shows the stack's outputs. */
  showOutputs(): Promise<void>;
  /** The outputs for the users of the proxies. They contain passwords, so they must not be shown. */
  usableProxies(): Promise<UsableProxies>;
  /** The sum that the next `up` would spend, from the quotes in the plan. */
  plannedSpend(): Promise<Big>;
  /** Replaces a piece of text in the program. */
  editProgram(search: string, replacement: string): Promise<void>;
  writeFile(name: string, text: string): Promise<string>;
  remove(): Promise<void>;
}

const previewSchema = z.object({
  steps: z.array(
    z.object({ op: z.string(), newState: z.looseObject({ type: z.string() }).optional() }),
  ),
});

const usableSchema = z.object({
  urls: z.array(z.array(z.string())),
  socks5Proxies: z.array(
    z.array(z.object({ uri: z.string(), username: z.string(), password: z.string() })),
  ),
});

/** The names are those of the example's outputs. There is one entry for each order. */
export type UsableProxies = z.infer<typeof usableSchema>;

const orderSchema = z.object({
  inputs: z.object({ quote: z.object({ effect: z.string(), price: z.number().optional() }) }),
});

/** Makes the stack in its own folder. `connection` has what a user would export: URL and key. */
export async function makeDemoStack(
  dir: string,
  binDir: string,
  connection: Record<string, string>,
): Promise<DemoStack> {
  const projectDir = join(dir, "project");
  const backendDir = join(dir, "backend");
  await mkdir(backendDir, { recursive: true });
  await makeProject(projectDir, {
    "Pulumi.yaml": await readFile(join(checkoutDir, "Pulumi.yaml"), "utf8"),
    [PROGRAM]: await readFile(join(checkoutDir, PROGRAM), "utf8"),
  });
  const env = pulumiEnvironment({ binDir, home: join(dir, "home"), backendDir, extra: connection });
  const options = { cwd: projectDir, env, extendEnv: false } as const;
  // In a terminal the CLI draws a tree and updates it. Without a terminal it writes line by line.
  const interactive = process.stdin.isTTY && process.stdout.isTTY;
  const plain = interactive ? [] : ["--non-interactive", "--suppress-progress"];
  const show = (command: string[], flags: string[]) => {
    console.log(styleText("dim", `$ pulumi ${command.join(" ")}`));
    return execa("pulumi", [...command, ...flags], {
      ...options,
      stdio: [interactive ? "inherit" : "ignore", "inherit", "inherit"],
      reject: false,
    });
  };
  await execa("pulumi", ["stack", "init", "demo"], options);

  return {
    async run(command, expected = "success") {
      const { failed } = await show(command, ["--suppress-outputs", ...plain]);
      if (failed === (expected === "refusal")) return;
      throw new Error(`pulumi ${command[0]}: a ${expected} was expected`);
    },

    async showOutputs() {
      await show(["stack", "output"], []);
    },

    async usableProxies() {
      const command = ["stack", "output", "--show-secrets", "--json"];
      // Without `reject: false`, execa's error would show the command's output, which can contain passwords.
      const { failed, stdout } = await execa("pulumi", command, { ...options, reject: false });
      if (failed) throw new Error("pulumi stack output: the outputs can't be read");
      return usableSchema.parse(JSON.parse(stdout));
    },

    async plannedSpend() {
      const { stdout } = await execa("pulumi", ["preview", "--json"], options);
      return (
        previewSchema
          .parse(JSON.parse(stdout))
          // A refresh step repeats the recorded state, which includes the quotes of past purchases.
          .steps.filter((step) => step.op !== "refresh")
          .map((step) => step.newState)
          .filter((state) => state?.type.endsWith(":ProxyOrder"))
          .map((state) => orderSchema.parse(state).inputs.quote)
          .filter((quote) => quote.effect === "buy" || quote.effect === "replace")
          .reduce((sum, quote) => sum.plus(quote.price ?? 0), new Big(0))
      );
    },

    async editProgram(search, replacement) {
      const path = join(projectDir, PROGRAM);
      const text = await readFile(path, "utf8");
      if (!text.includes(search)) throw new Error(`the example program has no ${search}`);
      await writeFile(path, text.replace(search, replacement));
    },

    async writeFile(name, text) {
      const path = join(dir, name);
      await writeFile(path, text);
      return path;
    },

    remove: () => rm(dir, { recursive: true, force: true }),
  };
}
