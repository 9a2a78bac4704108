import { delimiter, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

interface PulumiEnvironmentOptions {
  /** Folder with the CLI, from `ensurePulumi`. */
  readonly binDir: string;
  /** The CLI's own folder for plugins and credentials (PULUMI_HOME), so that the user's stays untouched. */
  readonly home: string;
  /** Existing folder that keeps the stacks' state. */
  readonly backendDir: string;
  /**
   * Encrypts the secrets of the state.
   * @default "passphrase"
   */
  readonly passphrase?: string;
  /**
   * More folders with programs, for instance with a plugin; searched right after `binDir`.
   * @default []
   */
  readonly pathDirs?: readonly string[];
  /**
   * Further variables, which win over all others: the product's own, above all.
   * @default {}
   */
  readonly extra?: Readonly<Record<string, string>>;
  /**
   * Where PATH and the few variables of the machine come from.
   * @default process.env
   */
  readonly callerEnv?: NodeJS.ProcessEnv;
}

// A list of what may pass, because what must not has no end: tokens of Pulumi and of the proxy
// rental account, HTTP proxies (the engine and the program talk gRPC over localhost), NODE_OPTIONS
// of a test runner or debugger.
const machineVariables = [
  ...["HOME", "USER", "LOGNAME", "SHELL", "TMPDIR", "TERM", "LANG", "LC_ALL", "TZ", "NO_COLOR"],
  ...["USERPROFILE", "LOCALAPPDATA", "APPDATA", "SystemRoot", "ComSpec", "PATHEXT", "TEMP", "TMP"],
];

/** This project's Node.js, which the language host then finds before the machine's. */
const nodeBinDir = fileURLToPath(new URL("../node_modules/.bin", import.meta.url));

/**
 * The whole environment for a stack without an account. Start the CLI with nothing else: execa
 * needs `extendEnv: false` for that.
 */
export function pulumiEnvironment(options: PulumiEnvironmentOptions): Record<string, string> {
  const { binDir, home, backendDir, pathDirs = [], callerEnv = process.env } = options;
  const machine = machineVariables.flatMap((name): [string, string][] => {
    const value = callerEnv[name];
    return value === undefined ? [] : [[name, value]];
  });
  return {
    ...Object.fromEntries(machine),
    PATH: [binDir, ...pathDirs, nodeBinDir, callerEnv.PATH ?? ""].join(delimiter),
    PULUMI_HOME: home,
    // What a provider keeps between runs stays with the stack: a simulator repeats its order numbers.
    XDG_STATE_HOME: join(home, "state"),
    PULUMI_BACKEND_URL: pathToFileURL(backendDir).href,
    PULUMI_CONFIG_PASSPHRASE: options.passphrase ?? "passphrase",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    // A missing plugin is an error at once, not a download that a closed network lets hang.
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    ...options.extra,
  };
}
