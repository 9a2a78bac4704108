import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { callSpecs } from "../../provider/host/calls/call-settings.ts";
import {
  environmentVariables,
  type SettingKey,
  settingKeys,
  settingVariables,
} from "../../provider/host/setting-names.ts";
import { readSettings, type Settings, settingSpecs } from "../../provider/host/settings.ts";
import { namedRows, readPage, rowsUnder } from "../support/docs.ts";

const needed = { baseUrl: "https://proxies.example", apiKey: "k3y-of-an-account" };

function read(config: Record<string, string>, environment: Record<string, string> = {}) {
  return readSettings({ config: (key) => config[key], environment });
}

/** A meaning of the page as the beginning of a sentence. */
function capitalise(meaning: string): string {
  return `${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}`;
}

test("two settings are enough, and the others have defaults", () => {
  expect(read(needed, { XDG_STATE_HOME: "/home/a/state" })).toEqual({
    ...needed,
    maxSpend: undefined,
    monthlyBudget: undefined,
    goneOrders: new Set(),
    foreignOrders: new Set(),
    lookBackMinutes: 30,
    journalDir: join("/home/a/state", "pulumi-proxyrental", "journal"),
    sharedJournal: undefined,
    isJournalAtRisk: false,
    journalScope: "",
    previewBindsMs: 7_200_000,
    showBalance: true,
    onDeleteFailure: "fail",
    timeoutMs: 30_000,
    settlingMs: 60_000,
    calls: undefined,
  });
});

test.each([
  [{}, { CI: "true" }, true],
  [{}, { CI: "1" }, true],
  [{}, { CI: "false" }, false],
  [{}, { CI: "" }, false],
  [{ journal: "s3://bucket/prefix?region=eu-central-1" }, { CI: "true" }, false],
  [{ journal: "file:///mnt/kept" }, { CI: "true" }, false],
  [{ journalDir: "/mnt/kept" }, { CI: "true" }, false],
])("with %j and %j, whether the journal is at risk is %j", (config, environment, isAtRisk) => {
  expect(read({ ...needed, ...config }, environment).isJournalAtRisk).toBe(isAtRisk);
});

test.each([{}, { XDG_STATE_HOME: "" }, { XDG_STATE_HOME: "not/absolute" }])(
  "the journal is in the user's state folder: %j",
  (environment) => {
    const folder = join(homedir(), ".local", "state", "pulumi-proxyrental", "journal");
    expect(read(needed, environment).journalDir).toBe(folder);
  },
);

/** For each setting: a text, its name in the provider, and the value that the provider reads. */
const readings: Record<SettingKey, [text: string, setting: keyof Settings, value: unknown][]> = {
  baseUrl: [["http://127.0.0.1:8080/api", "baseUrl", "http://127.0.0.1:8080/api"]],
  apiKey: [["a/b c d e", "apiKey", "a/b c d e"]],
  maxSpend: [
    ["12.50", "maxSpend", 12.5],
    ["0", "maxSpend", 0],
  ],
  monthlyBudget: [
    ["500", "monthlyBudget", 500],
    ["0", "monthlyBudget", 0],
  ],
  goneOrders: [
    ["7000, 7001,,", "goneOrders", new Set(["7000", "7001"])],
    [",", "goneOrders", new Set()],
  ],
  foreignOrders: [["7000,7001", "foreignOrders", new Set(["7000", "7001"])]],
  lookBackMinutes: [["0", "lookBackMinutes", 0]],
  journal: [
    ["file:///var/journal", "journalDir", "/var/journal"],
    [
      "gs://bucket/fleet",
      "sharedJournal",
      { kind: "gs", bucket: "bucket", prefix: "fleet/", place: "gs://bucket/fleet" },
    ],
  ],
  journalDir: [["/var/journal", "journalDir", "/var/journal"]],
  journalScope: [["backend/one", "journalScope", "backend/one"]],
  previewBindsMinutes: [["30", "previewBindsMs", 1_800_000]],
  settlingSeconds: [["2", "settlingMs", 2_000]],
  showBalance: [["false", "showBalance", false]],
  onDeleteFailure: [["abandon", "onDeleteFailure", "abandon"]],
  timeoutSeconds: [["1.5", "timeoutMs", 1_500]],
};

const everyReading = settingKeys.flatMap((key) =>
  readings[key].map((reading) => [key, settingVariables[key], ...reading] as const),
);

test.each(everyReading)(
  "%s is read from the stack or from %s: %j",
  (key, variable, text, setting, value) => {
    expect(read({ ...needed, [key]: text })).toHaveProperty(setting, value);
    const { [key as keyof typeof needed]: _left, ...others } = needed;
    expect(read(others, { [variable]: text })).toHaveProperty(setting, value);
  },
);

test("the stack's configuration is used before the environment", () => {
  const environment = { PROXYRENTAL_BASE_URL: "https://elsewhere.example" };
  expect(read(needed, environment).baseUrl).toBe(needed.baseUrl);
});

describe("the error for a wrong setting says what is accepted", () => {
  test.each([
    [{ baseUrl: "" }, "proxyrental:baseUrl is empty: set it to the service's URL, like https://"],
    ...["proxies.example", "localhost:8080", "127.0.0.1:8080/api", "file:///etc"].map(
      (baseUrl): [Record<string, string>, string] => [
        { baseUrl },
        "proxyrental:baseUrl is not accepted (it does not begin with https:// or http://): set it to the service's URL, like https://api.example.com with `pulumi config set proxyrental:baseUrl …`",
      ],
    ),
    [{ baseUrl: "https://" }, "proxyrental:baseUrl is not accepted: set it to the service's URL"],
    ...["https://me:s3cret@a.example", "https://me@a.example", "https://a.example?key=s3cret"].map(
      (baseUrl): [Record<string, string>, string] => [
        { baseUrl },
        "proxyrental:baseUrl is not accepted (it has a user name, a password, a query or a fragment): set it to",
      ],
    ),
    [
      { apiKey: "k3y" },
      "proxyrental:apiKey is not accepted (a key has at least 8 characters): set it to the account's API key with `pulumi config set --secret proxyrental:apiKey …`",
    ],
    [{ apiKey: "" }, "`pulumi config set --secret proxyrental:apiKey …` or in PROXYRENTAL_API_KEY"],
    [
      { maxSpend: "much" },
      "proxyrental:maxSpend is not accepted: set it to an amount in account currency",
    ],
    [{ maxSpend: "-1" }, "proxyrental:maxSpend is not accepted"],
    [{ maxSpend: "Infinity" }, "proxyrental:maxSpend is not accepted"],
    [{ maxSpend: "NaN" }, "proxyrental:maxSpend is not accepted"],
    ...[" ", "\n", "10 ", "0x10", "1e3", "-0", "+1", "1,5", "1_000", "1.", ".5", "10 USD", "١"].map(
      (maxSpend): [Record<string, string>, string] => [
        { maxSpend },
        "proxyrental:maxSpend is not accepted",
      ],
    ),
    ...["much", "-1", " ", "1e3", "500 USD"].map(
      (monthlyBudget): [Record<string, string>, string] => [
        { monthlyBudget },
        "proxyrental:monthlyBudget is not accepted: set it to an amount in account currency, at least 0",
      ],
    ),
    [{ maxSpend: "9".repeat(400) }, "proxyrental:maxSpend is not accepted"],
    [{ lookBackMinutes: " " }, "proxyrental:lookBackMinutes is not accepted"],
    [{ timeoutSeconds: "0x10" }, "proxyrental:timeoutSeconds is not accepted"],
    [{ settlingSeconds: "1e1" }, "proxyrental:settlingSeconds is not accepted"],
    [{ showBalance: "no" }, "proxyrental:showBalance is not accepted: set it to true or false"],
    [
      { onDeleteFailure: "ignore" },
      "proxyrental:onDeleteFailure is not accepted: set it to fail or abandon",
    ],
    [
      { timeoutSeconds: "0" },
      "proxyrental:timeoutSeconds is not accepted: set it to seconds from 1 to 600",
    ],
    [{ previewBindsMinutes: "0" }, "set it to minutes from 1 to 10080"],
    [{ journalScope: "a b" }, "set it to up to 100 letters, digits and _./-"],
    [{ journal: "ftp://host/folder" }, "proxyrental:journal is not accepted"],
    [
      { journal: "file:///a", journalDir: "/b" },
      "proxyrental:journal and proxyrental:journalDir are both set: set one of them",
    ],
    [{ settlingSeconds: "0" }, "proxyrental:settlingSeconds is not accepted"],
    [{ lookBackMinutes: "-1" }, "set it to minutes from 0 (off) to 10080"],
    [
      { journalDir: "journal" },
      "proxyrental:journalDir is not accepted: set it to an absolute path of a folder",
    ],
    [{ timeoutSeconds: "601" }, "proxyrental:timeoutSeconds is not accepted"],
  ])("%j", (config, message) => {
    expect(() => read({ ...needed, ...config })).toThrow(message);
    expect(() => read({ ...needed, ...config })).toThrow("CONFIGURATION_INVALID");
  });

  test("by the variable's name where that is wrong", () => {
    const wrong = () => read(needed, { PROXYRENTAL_MAX_SPEND: "much" });
    expect(wrong).toThrow(
      "CONFIGURATION_INVALID: PROXYRENTAL_MAX_SPEND is not accepted: set it to an amount in account currency, at least 0 with `pulumi config set proxyrental:maxSpend …` or in PROXYRENTAL_MAX_SPEND. Nothing was bought.",
    );
  });

  test("by the names of both where two contradict each other, and each is set elsewhere", () => {
    const wrong = () => read({ ...needed, journalDir: "/b" }, { PROXYRENTAL_JOURNAL: "file:///a" });
    expect(wrong).toThrow(
      "PROXYRENTAL_JOURNAL and proxyrental:journalDir are both set: set one of them",
    );
  });

  test("and once what a refresh does not see, where one is missing", () => {
    const wrong = () => read({});
    const hint = "leave the refresh out once";
    expect(wrong).toThrow(/baseUrl is missing: .*; proxyrental:apiKey is missing: /);
    expect(wrong).toThrow(hint);
    expect(wrong).not.toThrow(/once.*once/);
    expect(() => read({ ...needed, maxSpend: "much" })).not.toThrow(hint);
  });

  test("together with all others, without the key", () => {
    const wrong = () =>
      read({ apiKey: "k3y-of-mine", maxSpend: "k3y-of-mine", timeoutSeconds: "x" });
    expect(wrong).toThrow(
      /baseUrl is missing: .*; proxyrental:maxSpend .*; proxyrental:timeoutSeconds/,
    );
    expect(wrong).not.toThrow("k3y-of");
  });
});

describe("an empty setting limits nothing, so it is refused", () => {
  test.each(settingKeys)("in the stack, because it would hide the environment's: %s", (key) => {
    const environment = { [settingVariables[key]]: "10" };
    const wrong = () => read({ ...needed, [key]: "" }, environment);
    expect(wrong).toThrow(`CONFIGURATION_INVALID: proxyrental:${key} is empty: set it to`);
  });

  test.each(
    settingKeys.filter(
      (key) => !["baseUrl", "apiKey", "goneOrders", "foreignOrders"].includes(key),
    ),
  )("in the environment, by the variable's name: %s", (key) => {
    const variable = settingVariables[key];
    const wrong = () => read(needed, { [variable]: "" });
    expect(wrong).toThrow(`CONFIGURATION_INVALID: ${variable} is empty: set it to`);
  });

  test.each(["goneOrders", "foreignOrders"])(
    "but an empty variable may mean that there are no %s",
    (key) => {
      const variable = settingVariables[key as SettingKey];
      expect(read(needed, { [variable]: "" })).toHaveProperty(key, new Set());
    },
  );

  test("a variable that the stack's configuration replaces is not read", () => {
    expect(read({ ...needed, maxSpend: "3" }, { PROXYRENTAL_MAX_SPEND: "" }).maxSpend).toBe(3);
  });
});

describe("a misspelled variable limits nothing, so it is refused", () => {
  test.each([
    "PROXYRENTAL_MAXSPEND",
    "PROXYRENTAL_MAX_SPENT",
    "PROXYRENTAL_MONTHLY_BUDGETS",
    "PROXYRENTAL_",
    "proxyrental_max_spend",
    "Proxyrental_Max_Spend",
  ])("%s", (name) => {
    const wrong = () => read(needed, { [name]: "k3y" });
    expect(wrong).toThrow(`CONFIGURATION_INVALID: ${name} is not read; accepted: `);
    expect(wrong).toThrow("PROXYRENTAL_MAX_SPEND, PROXYRENTAL_MONTHLY_BUDGET");
    expect(wrong).not.toThrow("k3y");
  });

  test("but not another package's, or one for this package's own tests", () => {
    const environment = {
      PROXYRENTAL_TOOLCHAIN_SKIP: "path",
      PROXY_RENTAL_MAX: "1",
      MY_PROXYRENTAL_MAX_SPEND: "1",
    };
    expect(read(needed, environment)).toEqual(read(needed));
  });

  test("but not Windows' second spelling of the same variable", () => {
    const environment = { PROXYRENTAL_MAX_SPEND: "3", Proxyrental_Max_Spend: "3" };
    expect(read(needed, environment).maxSpend).toBe(3);
  });
});

describe("a record of calls", () => {
  const calls = (environment: Record<string, string>) => read(needed, environment).calls;

  test.each<[Record<string, string>, object | undefined]>([
    [{}, undefined],
    [{ PROXYRENTAL_CALLS: "" }, undefined],
    [{ PROXYRENTAL_CALLS: "/a/b.jsonl" }, { file: "/a/b.jsonl", bodies: false }],
    [{ PROXYRENTAL_CALLS: "b.jsonl" }, { file: resolve("b.jsonl"), bodies: false }],
    [
      { PROXYRENTAL_CALLS: "/b", PROXYRENTAL_CALLS_BODIES: "true" },
      { file: "/b", bodies: true },
    ],
    [
      { PROXYRENTAL_CALLS: "/b", PROXYRENTAL_CALLS_BODIES: "false" },
      { file: "/b", bodies: false },
    ],
    [
      { PROXYRENTAL_CALLS: "/b", PROXYRENTAL_CALLS_BODIES: "" },
      { file: "/b", bodies: false },
    ],
    [{ PROXYRENTAL_CALLS_BODIES: "true" }, undefined],
  ])("of %j", (environment, wanted) => {
    expect(calls(environment)).toEqual(wanted);
  });

  test.each(["yes", "TRUE", "1", " true"])("with bodies %j is refused", (bodies) => {
    const wrong = () => calls({ PROXYRENTAL_CALLS: "/b", PROXYRENTAL_CALLS_BODIES: bodies });
    expect(wrong).toThrow(
      "CONFIGURATION_INVALID: PROXYRENTAL_CALLS_BODIES is not accepted: set it to true or false",
    );
  });

  test("is no setting of a stack, so it can't end up in a state", () => {
    expect(read({ ...needed, calls: "/b" }).calls).toBeUndefined();
    expect(settingKeys).not.toContain("calls");
  });

  test.each(["PROXYRENTAL_CALL", "PROXYRENTAL_CALLS_BODY", "proxyrental_calls"])(
    "that is misspelled is refused: %s",
    (name) => {
      const accepted = "PROXYRENTAL_TIMEOUT_SECONDS, PROXYRENTAL_CALLS, PROXYRENTAL_CALLS_BODIES";
      expect(() => calls({ [name]: "/b" })).toThrow(`${name} is not read; accepted: `);
      expect(() => calls({ [name]: "/b" })).toThrow(accepted);
    },
  );

  test("has its rows in the page's second table", () => {
    const rows = rowsUnder("docs/configuration.md", "only in the environment").map(
      ([variable, meaning = "", byDefault]) =>
        `${variable}: ${capitalise(meaning)}. Default: ${byDefault}.`,
    );
    const told = Object.entries(environmentVariables).map(
      ([key, variable]) => `\`${variable}\`: ${callSpecs[key as keyof typeof callSpecs]}`,
    );
    expect(rows).toEqual(told);
  });
});

test("the page's table has each setting, with the same text", () => {
  const page = readPage("docs/configuration.md");
  const ofStacks = namedRows(page).filter(([name = ""]) => name.startsWith("`proxyrental:"));
  const rows = ofStacks.map(([name, variable, meaning = "", byDefault]) => {
    const sentence = `${capitalise(meaning)}.`;
    const last = byDefault === "required" ? "Required." : `Default: ${byDefault}.`;
    return `${name} in ${variable}: ${sentence} ${last}`;
  });
  const told = Object.entries(settingSpecs).map(([key, { isSecret, description }]) => {
    const variable = settingVariables[key as SettingKey];
    const secrecy = isSecret ? " (secret)" : "";
    return `\`proxyrental:${key}\`${secrecy} in \`${variable}\`: ${description}`;
  });
  expect(rows.toSorted()).toEqual(told.toSorted());
});
