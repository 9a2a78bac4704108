import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { createClient } from "../../provider/client/index.ts";
import { toOrderRequest } from "../../provider/core/order/model/args.ts";
import type { CheckedOrder } from "../../provider/core/order/model/state.ts";
import type { Intent } from "../../provider/core/records/intent.ts";
import { journalFolder } from "../../provider/journals/file/folders.ts";
import { ownerOf } from "../core/support/orders-under-test.ts";
import { USUAL_DEADLINE_MS } from "../support/deadlines.ts";
import { type CoreScene, createCoreScene } from "./core-scene.ts";
import { expectInvariants } from "./invariants.ts";

const recorded = fileURLToPath(
  import.meta.resolve("../core/records/releases/0.1.0/journal/open/accepted-1.2.json"),
);

const HOUR_MS = 3_600_000;

/** What is asked for a usual order, which is the same in every release. */
async function requestFor(name: string) {
  const scene = await createCoreScene({ program: { [name]: {} } });
  const checked = (await scene.preview()).checked.get(name) as CheckedOrder;
  return { request: toOrderRequest(checked), requestId: checked.requestId };
}

/** A run with release 0.1.0 that is killed when its order is paid, and the file that it leaves. */
async function buyAndDie({ simulator, journalDir, clock }: CoreScene, name: string) {
  const { baseUrl, apiKey } = simulator;
  const { request, requestId } = await requestFor(name);
  const client = createClient({ baseUrl, apiKey, timeoutMs: USUAL_DEADLINE_MS });
  const sentAt = clock.now().toISOString();
  const { orderNumber } = await client.createOrder(request);
  await client.close();
  const { history, ...intent } = JSON.parse(await readFile(recorded, "utf8")) as Intent;
  const text = JSON.stringify({
    ...{ ...intent, owner: ownerOf(name), requestId },
    purchase: { kind: "order", request, ordersBefore: [] },
    ...{ orderNumber, orderIds: [], sentAt, answerBy: sentAt },
    history: history.map((phase) => ({ ...phase, at: sentAt })),
  });
  const open = join(journalFolder(journalDir, baseUrl), "open");
  await mkdir(open, { recursive: true });
  await writeFile(join(open, "accepted-1.2.json"), text);
}

test.each([
  ["has begun the journal before", 1, ["7.35", "7.00"]],
  ["has not begun the journal before", 0, ["7.00", "7.35"]],
])(
  "141: an order that a killed run of release 0.1.0 has paid is taken over: this release %s",
  async (_when, runsBefore, charges) => {
    const other = { other: { country: "DEU" } };
    const scene = await createCoreScene({ program: other });
    for (let run = 0; run < runsBefore; run++) expect((await scene.up()).failed).toBe(false);
    await buyAndDie(scene, "fleet");
    await scene.clock.sleep(2 * HOUR_MS);
    scene.rewrite({ ...other, fleet: {} });
    await scene.up();
    const ofFleet = scene.simulator.orders().filter(({ country }) => country === "USA");
    expect(ofFleet).toHaveLength(1);
    await expectInvariants(scene, { charges });
  },
);
