import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseAutoExtensionState } from "../../../provider/core/auto-extension/state.ts";
import { parseExtensionState } from "../../../provider/core/extension/model/state.ts";
import { parseOrderState } from "../../../provider/core/order/model/state.ts";
import { parseIntent } from "../../../provider/core/records/intent.ts";
import { recordedStates } from "../../support/releases.ts";

const releases = new URL("releases/", import.meta.url);

const read = (path: string) => readFileSync(new URL(path, releases), "utf8");

const journalOf = (folder: string) =>
  readdirSync(new URL(folder, releases)).map((name) => read(`${folder}/${name}`));

const parsers = {
  ProxyOrder: parseOrderState,
  IpAutoExtend: parseAutoExtensionState,
  IpExtension: parseExtensionState,
};

describe.each(["dynamic", "plugin"])("a stack of release 0.1.0 on the %s host", (host) => {
  const states = recordedStates(read(`0.1.0/${host}/deployment.json`));

  test.each(states)("has a state of $name that this release reads", ({ kind, outputs }) => {
    expect(parsers[kind](outputs)).toMatchObject({ owner: outputs.owner });
  });

  test("has purchases that this release reads, each paid and known to the state", () => {
    const intents = journalOf(`0.1.0/${host}/journal/done`).map((text) =>
      parseIntent(JSON.parse(text)),
    );
    expect(intents).toHaveLength(4);
    for (const intent of intents) {
      expect(intent).toMatchObject({ version: 2, phase: "confirmed" });
      expect(intent.history.map(({ phase }) => phase)).toEqual([
        ...["sending", "placed", "returned", "confirmed"],
      ]);
    }
  });
});

test.each([
  ["open/sending-1.1.json", { phase: "sending" }],
  ["open/accepted-1.2.json", { phase: "placed", orderNumber: "8001" }],
  ["open/returned-1.3.json", { phase: "returned", orderNumber: "8002" }],
  ["open/unresolved-1.2.json", { phase: "unknown", candidates: ["8004", "8005"] }],
  ["done/confirmed-1.json", { phase: "confirmed", orderNumber: "8003" }],
  ["done/notSent-1.json", { phase: "closed", closedBecause: "notPlaced" }],
  ["done/rejected-1.json", { phase: "closed", closedBecause: "rejected" }],
  ["done/resolved-1.json", { phase: "closed", closedBecause: "resolved" }],
])(
  "a purchase that release 0.1.0 wrote as %s means the same in today's words",
  (path, expected) => {
    const text = read(`0.1.0/journal/${path}`);
    const intent = parseIntent(JSON.parse(text));
    expect(intent).toMatchObject({ ...expected, version: 2 });
    const { version, phase, closedBecause, history, ...rest } = JSON.parse(text);
    expect(intent).toMatchObject(rest);
  },
);

test("a purchase that a later release wrote is refused", () => {
  const later = { ...JSON.parse(read("0.1.0/journal/open/sending-1.1.json")), version: 3 };
  expect(() => parseIntent(later)).toThrow("version");
});
