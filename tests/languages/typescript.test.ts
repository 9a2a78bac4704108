import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { it } from "vitest";
import { checkoutDir } from "../../toolchain/project.ts";
import { makeSdk } from "./generated-sdk.ts";
import { readPublishedPrograms } from "./published-programs.ts";
import { describeWith, runTool } from "./tools.ts";

describeWith("TypeScript", ["go"], () => {
  it("compiles the SDK of the plugin and each program that the registry shows", async () => {
    const sdk = await makeSdk("nodejs");
    const folder = join(sdk, "..", "programs");
    const { name } = JSON.parse(await readFile(join(sdk, "package.json"), "utf8"));
    await mkdir(folder);
    for (const [file, text] of readPublishedPrograms("typescript")) {
      await writeFile(join(folder, `${file}.ts`), text);
    }
    await symlink(join(checkoutDir, "node_modules"), join(sdk, "..", "node_modules"));
    const config = {
      compilerOptions: {
        ...{ strict: true, noEmit: true, target: "es2022", module: "preserve", types: ["node"] },
        ...{ skipLibCheck: true, rootDir: "." },
        paths: {
          [name]: ["./nodejs/index.ts"],
          "pulumi-proxyrental": [join(checkoutDir, "dist/sdk/index.d.ts")],
        },
      },
      include: ["programs", "nodejs"],
    };
    await writeFile(join(sdk, "..", "tsconfig.json"), JSON.stringify(config));
    await runTool(sdk, "tsc", "--project", join(sdk, ".."));
  });
});
