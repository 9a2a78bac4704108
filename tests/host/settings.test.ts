import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readSettings, settingSpecs } from "../../provider/host/settings.ts";
import { checkoutDir } from "../../toolchain/project.ts";

const needed = { baseUrl: "https://proxies.example", apiKey: "k3y" };

function read(config: Record<string, string>, environment: Record<string, string> = {}) {
  return readSettings({ config: (key) => config[key], environment });
}

test("two settings suffice, and the rest has its defaults", () => {
  expect(read(needed, { XDG_STATE_HOME: "/home/a/state" })).toEqual({
    ...needed,
    maxSpend: undefined,
    goneOrders: new Set(),
    foreignOrders: new Set(),
    lookBackMinutes: 30,
    journalDir: join("/home/a/state", "pulumi-proxyrental", "journal"),
    showBalance: true,
    onDeleteFailure: "fail",
    timeoutMs: 30_000,
    settlingMs: 60_000,
  });
});

test.each([{}, { XDG_STATE_HOME: "" }, { XDG_STATE_HOME: "not/absolute" }])(
  "the journal is kept in the user's state folder: %j",
  (environment) => {
    const folder = join(homedir(), ".local", "state", "pulumi-proxyrental", "journal");
    expect(read(needed, environment).journalDir).toBe(folder);
  },
);

test.each([
  [
    "baseUrl",
    "PROXYRENTAL_BASE_URL",
    "http://127.0.0.1:8080/api",
    "baseUrl",
    "http://127.0.0.1:8080/api",
  ],
  ["apiKey", "PROXYRENTAL_API_KEY", "a/b c", "apiKey", "a/b c"],
  ["maxSpend", "PROXYRENTAL_MAX_SPEND", "12.50", "maxSpend", 12.5],
  ["maxSpend", "PROXYRENTAL_MAX_SPEND", "0", "maxSpend", 0],
  ["maxSpend", "PROXYRENTAL_MAX_SPEND", "", "maxSpend", undefined],
  [
    "goneOrders",
    "PROXYRENTAL_GONE_ORDERS",
    "7000, 7001,,",
    "goneOrders",
    new Set(["7000", "7001"]),
  ],
  ["goneOrders", "PROXYRENTAL_GONE_ORDERS", "", "goneOrders", new Set()],
  ["showBalance", "PROXYRENTAL_SHOW_BALANCE", "false", "showBalance", false],
  ["onDeleteFailure", "PROXYRENTAL_ON_DELETE_FAILURE", "abandon", "onDeleteFailure", "abandon"],
  ["timeoutSeconds", "PROXYRENTAL_TIMEOUT_SECONDS", "1.5", "timeoutMs", 1_500],
  ["settlingSeconds", "PROXYRENTAL_SETTLING_SECONDS", "2", "settlingMs", 2_000],
  [
    "foreignOrders",
    "PROXYRENTAL_FOREIGN_ORDERS",
    "7000,7001",
    "foreignOrders",
    new Set(["7000", "7001"]),
  ],
  ["lookBackMinutes", "PROXYRENTAL_LOOK_BACK_MINUTES", "0", "lookBackMinutes", 0],
  ["journalDir", "PROXYRENTAL_JOURNAL_DIR", "/var/journal", "journalDir", "/var/journal"],
])("%s may come from the stack or from %s: %j", (key, variable, text, setting, value) => {
  expect(read({ ...needed, [key]: text })).toHaveProperty(setting, value);
  const { [key as keyof typeof needed]: _left, ...others } = needed;
  expect(read(others, { [variable]: text })).toHaveProperty(setting, value);
});

test("the stack's configuration goes before the environment", () => {
  const environment = { PROXYRENTAL_BASE_URL: "https://elsewhere.example" };
  expect(read(needed, environment).baseUrl).toBe(needed.baseUrl);
});

describe("a wrong setting is named with what is accepted", () => {
  test.each([
    [{ baseUrl: "" }, "proxyrental:baseUrl is missing: set it to the service's http(s) URL"],
    [{ baseUrl: "proxies.example" }, "proxyrental:baseUrl is not accepted"],
    [{ baseUrl: "file:///etc" }, "proxyrental:baseUrl is not accepted"],
    [{ apiKey: "" }, "`pulumi config set --secret proxyrental:apiKey …` or in PROXYRENTAL_API_KEY"],
    [
      { maxSpend: "much" },
      "proxyrental:maxSpend is not accepted: set it to an amount in account currency",
    ],
    [{ maxSpend: "-1" }, "proxyrental:maxSpend is not accepted"],
    [{ maxSpend: "Infinity" }, "proxyrental:maxSpend is not accepted"],
    [{ maxSpend: "NaN" }, "proxyrental:maxSpend is not accepted"],
    [{ showBalance: "no" }, "proxyrental:showBalance is not accepted: set it to true or false"],
    [
      { onDeleteFailure: "ignore" },
      "proxyrental:onDeleteFailure is not accepted: set it to fail or abandon",
    ],
    [
      { timeoutSeconds: "0" },
      "proxyrental:timeoutSeconds is not accepted: set it to seconds from 1 to 600",
    ],
    [{ settlingSeconds: "0" }, "proxyrental:settlingSeconds is not accepted"],
    [{ lookBackMinutes: "-1" }, "set it to minutes from 0 (off) to 10080"],
    [{ journalDir: "journal" }, "set it to an absolute path of a folder"],
    [{ timeoutSeconds: "601" }, "proxyrental:timeoutSeconds is not accepted"],
  ])("%j", (config, message) => {
    expect(() => read({ ...needed, ...config })).toThrow(message);
    expect(() => read({ ...needed, ...config })).toThrow("CONFIGURATION_INVALID");
  });

  test("together with all others, and the key is never repeated", () => {
    const wrong = () => read({ apiKey: "k3y", maxSpend: "k3y", timeoutSeconds: "x" });
    expect(wrong).toThrow(
      /baseUrl is missing: .*; proxyrental:maxSpend .*; proxyrental:timeoutSeconds/,
    );
    expect(wrong).not.toThrow("k3y");
  });
});

test("the README's table names each setting, and says the same of it", async () => {
  const readme = await readFile(join(checkoutDir, "README.md"), "utf8");
  const section = readme.split("\n## Configuration\n")[1]?.split("\n## ")[0] ?? "";
  const rows = section
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) => line.split("|").map((cell) => cell.trim()))
    .map(([, name, variable, meaning = "", byDefault]) => {
      const sentence = `${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}.`;
      const last = byDefault === "required" ? "Required." : `Default: ${byDefault}.`;
      return `${name} in ${variable}: ${sentence} ${last}`;
    });
  const told = Object.entries(settingSpecs).map(([key, { variable, isSecret, description }]) => {
    const secrecy = isSecret ? " (secret)" : "";
    return `\`proxyrental:${key}\`${secrecy} in \`${variable}\`: ${description}`;
  });
  expect(rows.toSorted()).toEqual(told.toSorted());
});
