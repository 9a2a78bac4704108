import { once } from "node:events";
import { serve } from "@hono/node-server";

// By its own default, this server puts quicker classes in the place of the process's Request and Response.
const other = serve({ fetch: () => new Response("hello"), port: 0, hostname: "127.0.0.1" });
await once(other, "listening");

const { startSimulator } = await import("../../simulator/index.ts");
const simulator = await startSimulator();
simulator.addFault({ endpoint: "getBalance", phase: "after", fault: { kind: "hang" } });
const leaving = AbortSignal.timeout(500);
const call = `${simulator.baseUrl}/client/api/v1/${simulator.apiKey}/balance`;
const said = await fetch(call, { signal: leaving }).then(
  ({ status }) => `answered ${status}`,
  () => `no answer, ${simulator.faultsHit()} fault`,
);
console.log(said);
await simulator.stop();
other.close();
