import { expect, test } from "vitest";
import { readSettings } from "../../provider/host/settings.ts";
import { openSystemAccount } from "../../provider/host/system.ts";

/** The journal that a process opens with these variables of its environment. Nothing is read or written yet. */
function openJournal(more: Record<string, string>) {
  const environment = {
    PROXYRENTAL_BASE_URL: "http://service.test/api",
    PROXYRENTAL_API_KEY: "key-of-a-test",
    ...more,
  };
  const settings = readSettings({ config: () => undefined, environment });
  return openSystemAccount(settings, { project: "/project" }).journal;
}

test.each([
  ["on this machine", { PROXYRENTAL_JOURNAL_DIR: "/journal" }],
  ["in a database", { PROXYRENTAL_JOURNAL: "postgres://user@database.test/db" }],
])("a journal %s is opened for the scope that is set", (_where, place) => {
  expect(openJournal(place)).toMatchObject({ scope: "" });
  const scoped = openJournal({ ...place, PROXYRENTAL_JOURNAL_SCOPE: "staging" });
  expect(scoped).toMatchObject({ scope: "staging" });
});
