import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { it } from "vitest";
import { checkoutDir } from "../../toolchain/project.ts";
import { type Example, runExample } from "./example-life.ts";
import { makeSdk } from "./generated-sdk.ts";
import { readPublishedPrograms } from "./published-programs.ts";
import { describeWith, runTool } from "./tools.ts";

const example: Example = { language: "go", file: "main.go", proxyType: "IPv4", price: "7.00" };

describeWith("Go", ["go"], () => {
  it("runs examples/go-fleet: refused as in TypeScript, priced, bought once, let go", () =>
    runExample(example));

  it("compiles the SDK and each program that the registry shows", async () => {
    const sdk = await makeSdk("go");
    const folder = join(sdk, "..", "programs");
    await cp(join(checkoutDir, "examples/go-fleet/go.mod"), join(folder, "go.mod"));
    await cp(sdk, join(folder, "sdks", "proxyrental"), { recursive: true });
    for (const [name, text] of readPublishedPrograms("go")) {
      await mkdir(join(folder, name));
      await writeFile(join(folder, name, "main.go"), text);
    }
    await runTool(folder, "go", "mod", "tidy");
    await runTool(folder, "go", "vet", "./...");
  });
});
