import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { after } from "../../../support/program.ts";
import { playOnBoth, type Scene, type WriteProgram } from "./both-hosts.ts";

/** The file is in the folder of the project. At the end of the scene it is searched for secrets, like all others. */
const recorded = { PROXYRENTAL_CALLS: "calls.jsonl", PROXYRENTAL_CALLS_BODIES: "true" };

/** Each request that the service has seen stands in the record once, with its end. */
async function expectAllRecorded({ simulator, stack }: Scene): Promise<void> {
  const text = await readFile(join(stack.folder, recorded.PROXYRENTAL_CALLS), "utf8");
  const lines = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const counts = Object.entries(Object.groupBy(lines, ({ endpoint }) => endpoint));
  const seen = Object.entries(simulator.requestCounts()).filter(([, count]) => count > 0);
  expect(new Map(counts.map(([name, calls = []]) => [name, calls.length]))).toEqual(new Map(seen));
  for (const line of lines) {
    expect(line).toMatchObject({ attempt: 1, httpStatus: 200, outcome: "ok" });
    expect(line).toHaveProperty("answer.success", true);
  }
  expect(text).toContain('"password":"<LOGIN>"');
  expect(new Set(lines.map(({ process }) => process)).size).toBeGreaterThan(1);
}

it("orders of all types are priced, bought, found unchanged and let go, on both hosts alike", async () => {
  const phone = { proxyType: "MOBILE", mobileOperator: "tmobile", rotationTime: 600, quantity: 1 };
  const fleet: WriteProgram = ({ program, order }) =>
    program(
      order("usa", { promoCode: "SPRING10" }),
      order("six", { proxyType: "IPv6", protocol: "HTTP", rentPeriodDays: 90 }, after("usa")),
      order("isp", { proxyType: "ISP", quantity: 2 }, after("six")),
      order("phone", phone, after("isp")),
    );
  const inTypeScript = "as people use it whose program stays when its resources move";
  const options = { program: fleet, spawned: true, inTypeScript, env: recorded };
  await playOnBoth(options, async (scene) => {
    const { succeed } = scene;
    const { lines, spending } = await succeed("preview");
    // Each is said at its resource and in the last words, which have a heading, a sum and the balance.
    expect(lines.filter((line) => line.includes("buys"))).toHaveLength(8);
    expect(lines).toHaveLength(11);
    expect(spending.charges).toEqual([]);
    await succeed("up");
    const again = await succeed("up", "--refresh");
    expect(again.steps.map(({ op }) => op)).toContain("same");
    expect((await succeed("destroy")).spending.charges).toHaveLength(4);
    await expectAllRecorded(scene);
  });
});
