import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import type { Readable } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { execa } from "execa";
import { expect, inject, onTestFinished } from "vitest";
import type { Simulator } from "../../simulator/index.ts";
import { pulumiEnvironment } from "../../toolchain/environment.ts";
import { makeProject } from "../../toolchain/project.ts";
import { attachPlugin } from "./attached-plugin.ts";
import { keyServiceProvider } from "./key-service.ts";
import { copyNewStack, copySettings } from "./new-stack.ts";
import { killTree } from "./process-tree.ts";
import { type Host, programFiles } from "./program-files.ts";
import { findLeaks, readTree, secretsOf } from "./secrecy.ts";
import { shortRun } from "./short-run.ts";
import { type Deployment, type Plan, readDeployment, readPlan } from "./stack-documents.ts";

/** The exit code of every command that fails. */
const failedExitCode = 255;

/** The time after which a command counts as hanging. It is long, because the machine may be busy. */
const commandTimeoutMs = 300_000;

export interface StackOptions {
  /** The text of the program; see `program`. */
  readonly program: string;
  /** The account. Its key and URL are in the environment. None of its secrets may appear in the output. */
  readonly simulator: Simulator;
  /** The address of the service. @default the simulator */
  readonly baseUrl?: string;
  /** More variables. A variable with an empty text counts as not set. */
  readonly env?: Readonly<Record<string, string>>;
  /** The time of this machine's clock when a command starts. @default the real time */
  readonly machineClock?: () => Date;
  /** More lines for Pulumi.yaml. */
  readonly projectLines?: readonly string[];
  /** The host of the package that runs the program's resources. @default "dynamic" */
  readonly host?: Host;
  /** The language of the program. @default "nodejs" */
  readonly runtime?: "nodejs" | "yaml";
  /**
   * If true, the engine starts the plugin with each command. If false, it does so only for commands that the test may
   * end early. All other commands attach to a plugin in this process; see `attachPlugin`.
   * @default false, but a project that `fill` makes brings its own plugin
   */
  readonly spawned?: boolean;
  /** The same stack on another machine. The new one uses its backend, with a home and a checkout of its own. */
  readonly elsewhere?: Pick<Stack, "folder" | "backendDir">;
  /** More folders with programs, for instance with the host of a language. @default [] */
  readonly pathDirs?: readonly string[];
  /** Makes the project in the folder. It is used instead of `program`. */
  readonly fill?: (folder: string) => Promise<void>;
}

/** The output of a command, both streams together. */
export interface Answer {
  readonly exitCode: number;
  readonly text: string;
  readonly stdout: string;
}

/** A command that runs. */
export interface RunningCommand {
  /** The CLI's own process. It leads a process group. */
  readonly pid: number;
  readonly ended: Promise<Answer>;
  /** Waits for this text in the output. It must come before the command ends. */
  says(text: string): Promise<void>;
  /** Sends SIGKILL to the CLI and to all processes that it has started. */
  kill(): Promise<void>;
  /** Sends the same signal as Ctrl-C in a terminal. */
  interrupt(): void;
}

/** A Pulumi project with one stack, `dev`, in a separate folder. The real CLI runs it. */
export interface Stack {
  /** The project's folder. */
  readonly folder: string;
  /** The folder of all journals, unless the environment names another one. */
  readonly journalDir: string;
  /** The folder in which the backend keeps the stack. */
  readonly backendDir: string;
  /** The results of all commands up, preview, refresh and destroy so far, oldest first. */
  readonly outcomes: readonly (Answer & { readonly tookMs: number })[];
  /** Starts a command that the test may end early. */
  start(command: string, ...args: string[]): RunningCommand;
  /** Runs any command. It may succeed or fail. */
  run(command: string, ...args: string[]): Promise<Answer>;
  /** Runs a command that must succeed. Returns its output. */
  succeed(command: string, ...args: string[]): Promise<string>;
  /** Runs a command that must fail with the usual exit code. Returns its output. */
  fail(command: string, ...args: string[]): Promise<string>;
  /** Runs a script with `bash -e`. `pulumi` is the CLI, and these folders come before it on PATH. */
  shell(
    script: string,
    env: Readonly<Record<string, string>>,
    ...pathDirs: string[]
  ): Promise<Answer>;
  /** Runs `pulumi preview --json` and reads its output. */
  plan(...args: string[]): Promise<Plan>;
  /** The state as the engine stores it in its backend. */
  state(): Promise<Deployment>;
  /** Its whole text. */
  stateText(): Promise<string>;
  rewrite(program: string): Promise<void>;
  /** Changes the environment of later commands. */
  setEnv(env: Readonly<Record<string, string>>): void;
}

/** Makes a stack that ends with the test. At the end all its output and files are searched for secrets. */
export async function createStack(options: StackOptions): Promise<Stack> {
  const { simulator, host, runtime, fill, elsewhere, spawned = fill !== undefined } = options;
  const attaches = !spawned && (host === "plugin" || runtime === "yaml");
  const root = await realpath(await mkdtemp(join(tmpdir(), "proxyrental-engine-")));
  const folder = join(root, "project");
  const home = join(root, "home");
  const backendDir = elsewhere?.backendDir ?? join(root, "backend");
  for (const dir of [folder, home]) await mkdir(dir);
  await mkdir(backendDir, { recursive: true });
  await (fill ?? ((target) => fillProject(target, options)))(folder);
  const isNative = await runsNatively(folder);

  const said: [string, string][] = [];
  const outcomes: (Answer & { tookMs: number })[] = [];
  let env: Record<string, string> = { ...options.env };

  const running = new Set<RunningCommand>();
  let commands = 0;

  onTestFinished(async ({ task }) => {
    task.meta.commands = (task.meta.commands ?? 0) + commands;
    for (const command of running) await command.kill();
    const kept = await readTree(root);
    await rm(root, { recursive: true, force: true });
    expect(findLeaks(secretsOf(simulator), [...said, ...kept])).toEqual([]);
  });

  const environment = (extra: Readonly<Record<string, string>> = {}) =>
    pulumiEnvironment({
      binDir: inject("pulumiBinDir"),
      home,
      backendDir,
      pathDirs: options.pathDirs ?? [],
      extra: withoutEmpty({
        PROXYRENTAL_BASE_URL: options.baseUrl ?? simulator.baseUrl,
        PROXYRENTAL_API_KEY: simulator.apiKey,
        ...goOptions,
        ...nodeOptions(isNative, options.machineClock?.()),
        VAULT_SERVER_URL: inject("keyServiceUrl"),
        PULUMI_STACK: "dev",
        ...env,
        ...extra,
      }),
    });

  async function shell(
    script: string,
    extra: Readonly<Record<string, string>>,
    ...pathDirs: string[]
  ): Promise<Answer> {
    const complete = environment(extra);
    commands += script.match(/\bpulumi [a-z]/g)?.length ?? 0;
    const { all, stdout, exitCode } = await execa("bash", ["-e", "-c", script], {
      cwd: folder,
      env: { ...complete, PATH: [...pathDirs, complete.PATH].join(delimiter) },
      extendEnv: false,
      reject: false,
      all: true,
      stdin: "ignore",
      timeout: commandTimeoutMs,
    });
    const text = stripVTControlCharacters(all);
    said.push([script, text]);
    return { exitCode: exitCode ?? -1, text, stdout };
  }

  /** Runs a command. If it needs a plugin, the plugin runs in this process. */
  async function runAttached(command: string, args: readonly string[]): Promise<Answer> {
    const machineTime = options.machineClock?.();
    const plugin = await attachPlugin({ environment: environment(), project: folder, machineTime });
    const variables = {
      PULUMI_DEBUG_PROVIDERS: `proxyrental:${plugin.port},late:${inject("lateValuesPort")}`,
    };
    const { pid, ended } = launch({ detached: false, variables }, command, args);
    plugin.serve(pid);
    return ended.finally(plugin.end);
  }

  function launch(
    { detached, variables }: LaunchOptions,
    command: string,
    args: readonly string[],
  ): RunningCommand {
    commands += 1;
    const words = [...command.split(" "), ...args, "--non-interactive", "--color", "never"];
    const cli = execa(join(inject("pulumiBinDir"), "pulumi"), words, {
      cwd: folder,
      env: environment(variables),
      extendEnv: false,
      reject: false,
      all: true,
      stdin: "ignore",
      detached,
    });
    const { pid } = cli;
    const beganMs = performance.now();
    if (pid === undefined) throw new Error("pulumi could not be started");
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      void killTree(pid);
    }, commandTimeoutMs);
    const ended = cli.then(({ all, stdout, exitCode }): Answer => {
      clearTimeout(timer);
      running.delete(under);
      const text = stripVTControlCharacters(all);
      // With this flag the output has secrets on purpose.
      if (!words.includes("--show-secrets")) said.push([`pulumi ${command}`, text]);
      if (timedOut) throw new Error(`pulumi ${words.join(" ")} did not end in time:\n${text}`);
      const answer = { exitCode: exitCode ?? -1, text, stdout };
      const [verb = ""] = words;
      if (changing.has(verb) || verb === "preview")
        outcomes.push({ ...answer, tookMs: performance.now() - beganMs });
      return answer;
    });
    const under: RunningCommand = {
      pid,
      ended,
      says: (text) => awaitText(cli.all, text),
      kill: () => killTree(pid),
      interrupt: () => process.kill(-pid, "SIGINT"),
    };
    running.add(under);
    return under;
  }

  const run = async (command: string, ...args: string[]) =>
    attaches ? runAttached(command, args) : launch({ detached: false }, command, args).ended;

  async function expectExit(wanted: number, command: string, args: string[]): Promise<Answer> {
    const answer = await run(command, ...args);
    if (answer.exitCode === wanted) return answer;
    throw new Error(
      `pulumi ${command} ended with ${answer.exitCode} instead of ${wanted}:\n${answer.text}`,
    );
  }

  if (elsewhere !== undefined) await copySettings(elsewhere.folder, folder);
  else if (fill === undefined) await copyNewStack(inject("newStackDir"), { folder, backendDir });
  else await expectExit(0, "stack init dev --secrets-provider", [keyServiceProvider]);
  return {
    folder,
    journalDir: join(home, "state", "pulumi-proxyrental", "journal"),
    backendDir,
    outcomes,
    start: (command, ...args) => launch({ detached: true }, complete(command), args),
    run,
    succeed: async (command, ...args) => (await expectExit(0, complete(command), args)).text,
    fail: async (command, ...args) =>
      (await expectExit(failedExitCode, complete(command), args)).text,
    shell,
    plan: async (...args) => readPlan((await expectExit(0, "preview --json", args)).stdout),
    state: async () => readDeployment(await readStateFile(backendDir)),
    stateText: () => readStateFile(backendDir),
    rewrite: async (text) => {
      for (const [file, content] of Object.entries(programFiles({ ...options, program: text }))) {
        await writeFile(join(folder, file), content);
      }
    },
    setEnv: (more) => {
      env = { ...env, ...more };
    },
  };
}

/** Reads the only stack of the only project of a backend. */
async function readStateFile(backendDir: string): Promise<string> {
  const projects = join(backendDir, ".pulumi", "stacks");
  const [project = ""] = await readdir(projects);
  return readFile(join(projects, project, "dev.json"), "utf8");
}

/** How a command is started. */
interface LaunchOptions {
  /** If true, the CLI leads its own process group. The group goes on if the test itself is ended. */
  readonly detached: boolean;
  readonly variables?: Readonly<Record<string, string>>;
}

const changing: ReadonlySet<string> = new Set(["up", "refresh", "destroy"]);

/** Adds the options that a command needs to run without a person. */
function complete(command: string): string {
  const [verb = ""] = command.split(" ");
  if (verb === "preview") return `${command} --suppress-progress`;
  if (changing.has(verb)) {
    return `${command} --yes --skip-preview --suppress-progress`;
  }
  return command;
}

/** Makes the project of a user who has installed the package: the package and the program share one @pulumi/pulumi. */
async function fillProject(folder: string, options: StackOptions): Promise<void> {
  await makeProject(folder, programFiles(options));
}

/** A usual command of the CLI ends before it needs a garbage collection. A command that grows larger still collects. */
const goOptions = { GOGC: "off", GOMEMLIMIT: "512MiB" };

/** Whether the project says that Node.js itself runs its program. */
async function runsNatively(folder: string): Promise<boolean> {
  return (await readFile(join(folder, "Pulumi.yaml"), "utf8")).includes("typescript: false");
}

function nodeOptions(isNative: boolean, machineTime: Date | undefined): Record<string, string> {
  const more = [
    ...(isNative ? ["./native-types.cjs"] : []),
    ...(machineTime === undefined ? [] : ["./machine-clock.cjs"]),
  ];
  return {
    ...shortRun(...more),
    ...(machineTime && { TEST_MACHINE_TIME: machineTime.toISOString() }),
  };
}

/** Waits for a text in a stream. */
function awaitText(stream: Readable, wanted: string): Promise<void> {
  let text = "";
  return new Promise((resolve, reject) => {
    stream.on("data", (part) => {
      text += part;
      if (text.includes(wanted)) resolve();
    });
    stream.once("close", () => reject(new Error(`"${wanted}" was never said:\n${text}`)));
  });
}

function withoutEmpty(env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
}
