import { expect, test } from "vitest";
import { answer } from "../../provider/host/program.ts";
import { startForTest } from "../simulator/start.ts";

const askBalance = (settings: Record<string, string>) =>
  answer({ config: (key) => settings[key], environment: {} }, "getBalance", {});

test("183: the functions of each inline program of a process ask the account of its own stack", async () => {
  const simulators = [
    await startForTest({ balance: "10.00" }),
    await startForTest({ balance: "20.00" }),
  ];
  for (const { baseUrl, apiKey, balance } of simulators) {
    expect(await askBalance({ baseUrl, apiKey })).toMatchObject({
      result: { balance: Number(balance()) },
    });
  }
});
