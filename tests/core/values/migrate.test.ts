import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type Migration, migrate, newestVersion } from "../../../provider/core/values/migrate.ts";
import { parseState } from "../../../provider/core/values/parse-state.ts";

const migration: Migration = {
  versionIn: "stateVersion",
  steps: [
    ({ size, ...rest }) => ({ ...rest, quantity: size }),
    (document) => ({ ...document, unit: "proxies" }),
  ],
};

const schema = z.object({
  stateVersion: z.literal(newestVersion(migration)),
  quantity: z.number(),
  unit: z.string(),
});

test.each([
  ["the oldest", { stateVersion: 1, size: 5 }, true],
  ["one in between", { stateVersion: 2, quantity: 5 }, true],
  ["the newest", { stateVersion: 3, quantity: 5, unit: "proxies" }, false],
])("%s version is read as the newest", (_name, recorded, migrated) => {
  const document = { stateVersion: 3, quantity: 5, unit: "proxies" };
  expect(migrate(recorded, migration)).toEqual({ document, migrated });
  expect(parseState(schema, recorded, "outputs", migration)).toEqual(document);
});

describe("a document without a known version", () => {
  test.each([
    ["a later one", { stateVersion: 4, quantity: 5, unit: "proxies" }],
    ["none", { quantity: 5, unit: "proxies" }],
    ["zero", { stateVersion: 0, size: 5 }],
    ["a text", { stateVersion: "1", size: 5 }],
    ["no document", "5"],
    ["a list", [1]],
    ["nothing", undefined],
  ])("is refused and not changed: %s", (_name, recorded) => {
    expect(migrate(recorded, migration)).toEqual({ document: recorded, migrated: false });
    expect(() => parseState(schema, recorded, "outputs", migration)).toThrow("STATE_UNREADABLE");
  });
});
