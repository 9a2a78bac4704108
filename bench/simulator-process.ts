/**
 * The service in its own process, so that its work takes no time from the process that measures. Its first message
 * gives the address. It answers each later message with the calls since the last one.
 */
import { getEachMessage, sendMessage } from "execa";
import { startSimulator } from "../simulator/index.ts";

const [latencyMs = "0", pageCap = "100"] = process.argv.slice(2);

const simulator = await startSimulator({
  latencyMs: Number(latencyMs),
  pageCap: Number(pageCap),
  // The account has enough money for any number of orders.
  balance: "100000000.00",
});
await sendMessage({ baseUrl: simulator.baseUrl, apiKey: simulator.apiKey });
for await (const _question of getEachMessage()) {
  await sendMessage(simulator.requestCounts());
  simulator.resetRequestCounts();
}
await simulator.stop();
