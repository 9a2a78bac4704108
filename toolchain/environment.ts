import { delimiter, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

interface PulumiEnvironmentOptions {
  /** Folder with the CLI, from `ensurePulumi`. */
  readonly binDir: string;
  /** The CLI's own folder for plugins and credentials (PULUMI_HOME). The user's own folder stays as it is. */
  readonly home: string;
  /** An existing folder for the stacks' state. */
  readonly backendDir: string;
  /**
   * Encrypts the secrets of the state.
   * @default "passphrase"
   */
  readonly passphrase?: string;
  /**
   * More folders with programs, for instance with a plugin. They are searched right after `binDir`.
   * @default []
   */
  readonly pathDirs?: readonly string[];
  /**
   * More variables, above all the product's own. They win over all others.
   * @default {}
   */
  readonly extra?: Readonly<Record<string, string>>;
  /**
   * The environment that PATH and the few variables of the machine are taken from.
   * @default process.env
   */
  readonly callerEnv?: NodeJS.ProcessEnv;
}

// This is a list of the variables that may pass, because nobody can list all that must not: tokens of Pulumi and of
// the proxy rental account, HTTP proxies (the engine and the program talk gRPC over localhost), NODE_OPTIONS of a
// test runner or debugger.
const machineVariables = [
  ...["HOME", "USER", "LOGNAME", "SHELL", "TMPDIR", "TERM", "LANG", "LC_ALL", "TZ", "NO_COLOR"],
  ...["USERPROFILE", "LOCALAPPDATA", "APPDATA", "SystemRoot", "ComSpec", "PATHEXT", "TEMP", "TMP"],
];

/** The folder of this project's Node.js. The language host finds it before the machine's Node.js. */
const nodeBinDir = fileURLToPath(new URL("../node_modules/.bin", import.meta.url));

/**
 * The whole environment for a stack without an account. Start the CLI with these variables only: with execa, set
 * `extendEnv: false`.
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
    // A provider's files stay with the stack: each simulator uses the same order numbers again.
    XDG_STATE_HOME: join(home, "state"),
    PULUMI_BACKEND_URL: pathToFileURL(backendDir).href,
    PULUMI_CONFIG_PASSPHRASE: options.passphrase ?? "passphrase",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    // A missing plugin is an error at once. Otherwise the engine would download it, and that hangs in a closed network.
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    ...options.extra,
  };
}
