import { cp, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { it } from "vitest";
import { checkoutDir } from "../../toolchain/project.ts";
import { type Example, runExample } from "./example-life.ts";
import { makeSdk } from "./generated-sdk.ts";
import { readPublishedPrograms } from "./published-programs.ts";
import { describeWith, runTool } from "./tools.ts";

const example: Example = {
  language: "python",
  file: "__main__.py",
  proxyType: "ISP",
  price: "11.50",
};

describeWith("Python", ["python3", "go"], () => {
  it("runs examples/python-fleet: refused as in TypeScript, priced, bought once, let go", () =>
    runExample(example));

  it("makes a wheel, whose types fit the example and each program that the registry shows", async () => {
    const sdk = await makeSdk("python");
    const binDir = join(sdk, "..", "venv/bin");
    const pip = join(binDir, "pip");
    await runTool(sdk, "python3", "-m", "venv", join(sdk, "..", "venv"));
    await runTool(sdk, pip, "wheel", "--no-deps", "--wheel-dir", sdk, sdk);
    const wheel = (await readdir(sdk)).filter((name) => name.endsWith(".whl"));
    await runTool(sdk, pip, "install", ...wheel, "mypy");
    const folder = join(sdk, "..", "programs");
    await mkdir(folder);
    await cp(join(checkoutDir, "examples/python-fleet/__main__.py"), join(folder, "example.py"));
    for (const [name, text] of readPublishedPrograms("python")) {
      await writeFile(join(folder, `${name}.py`), text);
    }
    await runTool(folder, join(binDir, "mypy"), folder);
  });
});
