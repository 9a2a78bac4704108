import { createServer, type Socket } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { machineTime } from "../../../provider/journals/machine-time.ts";
import { openSharedJournal } from "../../../provider/journals/open-journal.ts";
import { startForTest } from "../../simulator/start.ts";
import { beginAccountRun } from "../../support/account.ts";
import { spendingOf } from "../../support/spending.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";
import { openStore } from "../open-store.ts";
import { planOrder } from "./shared-run.ts";

/** What one call to the store may take. */
const DEADLINE_MS = 2_000;

/** Accepts every connection, and never answers. */
async function beginSilentServer(): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => undefined));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("it has no port");
  return address.port;
}

test("with a store that never answers, a preview of 50 orders ends after one deadline, and so does an attempt to buy", async () => {
  const simulator = await startForTest();
  const port = await beginSilentServer();
  vi.stubEnv("AWS_ACCESS_KEY_ID", "id");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "secret");
  onTestFinished(() => void vi.unstubAllEnvs());
  const url = `s3://journal/silent?region=eu-central-1&endpoint=http://127.0.0.1:${port}`;
  const documents = await openStore(url, machineTime, { deadlineMs: DEADLINE_MS });
  onTestFinished(() => documents.close());
  const run = beginAccountRun({
    ...{ simulator, clock: machineTime, journalDir: await makeTemporaryFolder() },
    openJournal: (place, own) => openSharedJournal({ documents, isProbed: true }, place, own),
  });

  const beganMs = performance.now();
  for (let index = 0; index < 50; index++) {
    await expect(planOrder(run, `order-${index}`)).rejects.toThrow("JOURNAL_UNAVAILABLE");
  }
  const tookMs = performance.now() - beganMs;
  process.stderr.write(`50 orders with a silent store: ${Math.round(tookMs)} ms\n`);
  expect(tookMs).toBeLessThan(2 * DEADLINE_MS);
  expect((await run.account.service.getBalance()).balance).toBe(1000);
  expect(spendingOf(simulator)).toMatchObject({ charges: [], orderCalls: 0 });
}, 180_000);
