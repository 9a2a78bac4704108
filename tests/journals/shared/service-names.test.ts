import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { documentsWithin } from "../../../provider/journals/documents-within.ts";
import { isServiceFolder } from "../../../provider/journals/file/folders.ts";
import { openServices, openSharedJournal } from "../../../provider/journals/open-journal.ts";
import type { Simulator } from "../../../simulator/index.ts";
import { startForTest } from "../../simulator/start.ts";
import { type AccountRun, beginAccountRun } from "../../support/account.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";
import { openStore } from "../open-store.ts";
import { planOrder } from "./shared-run.ts";

/** A place in which each name of the service has a journal. Each run is on a machine of its own. */
async function makePlace() {
  const simulator = await startForTest();
  const clock = createVirtualClock();
  const documents = await openStore(pathToFileURL(await makeTemporaryFolder()).href, clock);
  const asked = { listings: 0 };
  const place = {
    place: "place",
    documentsOf: (service: string) => documentsWithin("place", service, async () => documents),
    async listServices() {
      asked.listings += 1;
      const { value } = await documents.list("");
      const services = value.map((name) => name.slice(0, name.indexOf("/")));
      return [...new Set(services.filter(isServiceFolder))];
    },
  };
  const beginAs = async (host: string, listServices = place.listServices): Promise<AccountRun> => {
    const baseUrl = simulator.baseUrl.replace("127.0.0.1", host);
    const named: Simulator = { ...simulator, baseUrl };
    return beginAccountRun({
      ...{ simulator: named, clock, journalDir: await makeTemporaryFolder() },
      openJournal: (at, own) =>
        openSharedJournal(
          { ...openServices({ ...place, listServices }, at.baseUrl, own), isProbed: false },
          at,
          own,
        ),
    });
  };
  return { simulator, beginAs, asked };
}

test("160: on a shared journal, what a killed run has paid is not bought again under another name of the service", async () => {
  const { simulator, beginAs } = await makePlace();
  const killed = await beginAs("127.0.0.1");
  const { orderNumber } = await killed.orders.create(await planOrder(killed, "fleet"));
  await killed.account.journal.putAway();
  const later = await beginAs("0.0.0.0");
  await expect(planOrder(later, "fleet")).rejects.toThrow(`as order ${orderNumber}`);
  expect(simulator.orders()).toHaveLength(1);
});

test("160: which names there are is asked once a run, and if that fails, it is told and stops nothing", async () => {
  const { simulator, beginAs, asked } = await makePlace();
  const run = await beginAs("127.0.0.1");
  for (const name of ["a", "b"]) await run.orders.create(await planOrder(run, name));
  expect(asked.listings).toBe(1);
  const blind = await beginAs("127.0.0.1", () => Promise.reject(new Error("no listing")));
  await blind.orders.create(await planOrder(blind, "c"));
  expect(simulator.orders()).toHaveLength(3);
  const told = blind.lines.filter((line) => line.includes("no listing"));
  expect(told).toHaveLength(1);
});

test("187: on a shared journal, what may have left under another name of the service is not said to be another account's", async () => {
  const { simulator, beginAs } = await makePlace();
  const killed = await beginAs("127.0.0.1");
  const planned = await planOrder(killed, "fleet");
  const death = Promise.withResolvers<void>();
  simulator.addFault({
    ...{ endpoint: "createOrder", calls: [1], phase: "after" },
    fault: { kind: "act", run: () => death.resolve() },
  });
  simulator.addFault({
    ...{ endpoint: "createOrder", calls: [1], phase: "after" },
    fault: { kind: "hang" },
  });
  killed.orders.create(planned).catch(() => undefined);
  await death.promise;
  const said = await planOrder(await beginAs("0.0.0.0"), "fleet").then(String, String);
  expect(said).toContain("kept under another name of the service");
  expect(said).not.toContain("another API key");
  expect(simulator.orders()).toHaveLength(1);
});
