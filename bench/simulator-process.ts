/**
 * The service, in a process of its own, so that answering does not take time from whoever measures.
 * Its first message says where it is; every later one answers a question with the requests since the last.
 */
import { getEachMessage, sendMessage } from "execa";
import { startSimulator } from "../simulator/index.ts";

const [latencyMs = "0", pageCap = "100"] = process.argv.slice(2);

const simulator = await startSimulator({
  latencyMs: Number(latencyMs),
  pageCap: Number(pageCap),
  // Whatever the number of orders, money is not what is measured.
  balance: "100000000.00",
});
await sendMessage({ baseUrl: simulator.baseUrl, apiKey: simulator.apiKey });
for await (const _question of getEachMessage()) {
  await sendMessage(simulator.requestCounts());
  simulator.resetRequestCounts();
}
await simulator.stop();
