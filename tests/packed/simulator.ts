import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { InstalledPackage } from "../../toolchain/installed-package.ts";

/** The client and the simulator, which a program imports and a command starts. */
export function describeSimulator(installed: InstalledPackage): void {
  it("gives an ESM program the client and the simulator as subpaths", async () => {
    const { folder, run } = installed;
    await writeFile(
      join(folder, "rent.mjs"),
      `
import { createClient } from "pulumi-proxyrental/client";
import { startSimulator } from "pulumi-proxyrental/simulator";

const simulator = await startSimulator({ balance: "12.34" });
const client = createClient({ baseUrl: simulator.baseUrl, apiKey: simulator.apiKey });
console.log(JSON.stringify(await client.getBalance()));
await client.close();
await simulator.stop();
`,
    );
    expect(JSON.parse(await run("node", "rent.mjs"))).toEqual({ balance: 12.34, currency: "USD" });
  });

  it("has the simulator's page, with all its files", async () => {
    const { folder, run } = installed;
    await writeFile(
      join(folder, "page.mjs"),
      `
import { startSimulator } from "pulumi-proxyrental/simulator";

const simulator = await startSimulator({ control: true });
const page = await (await fetch(simulator.controlUrl + "/")).text();
const parts = Array.from(page.matchAll(/(?:src|href)="([^"]+)"/g), ([, path]) => path);
const statuses = parts.map(async (path) => (await fetch(simulator.controlUrl + path)).status);
console.log(JSON.stringify({ parts, statuses: [...new Set(await Promise.all(statuses))] }));
await simulator.stop();
`,
    );
    expect(JSON.parse(await run("node", "page.mjs"))).toEqual({
      parts: expect.arrayContaining(["/assets/uplot.css", "/page/base.css", "/page/main.js"]),
      statuses: [200],
    });
  });

  it("starts the simulator by its command, with its page and its API", async () => {
    const child = spawn(join(installed.folder, "node_modules", ".bin", "pulumi-proxyrental"), [
      "simulator",
    ]);
    onTestFinished(() => void child.kill("SIGKILL"));
    let said = "";
    for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
      said += String(chunk);
      if (said.includes("Ctrl-C")) break;
    }
    const read = (pattern: RegExp) => pattern.exec(said)?.[1] ?? "";
    const control = read(/Control API and page at (.+)/);
    const base = read(/export PROXYRENTAL_BASE_URL=(.+)/);
    const key = read(/export PROXYRENTAL_API_KEY=(.+)/);
    expect(await (await fetch(`${control}/`)).text()).toContain("<h1>");
    expect(await (await fetch(`${control}/assets/uplot.js`)).text()).toContain("uPlot");
    const balance = await fetch(`${base}/client/api/v1/${key}/balance`);
    expect(await balance.json()).toMatchObject({ success: true, balance: 1000 });
  });
}
