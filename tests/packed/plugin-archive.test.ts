import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import {
  findThisPlatform,
  nameArchive,
  packPlugin,
} from "../../toolchain/package/plugin-archive.ts";
import { bundlePlugin } from "../../toolchain/package/plugin-bundle.ts";
import { checkoutDir } from "../../toolchain/project.ts";
import { beginProduct } from "../journals/store-contract.ts";
import { fakeGcs, gofakes3 } from "../journals/stores/products/go-server.ts";
import { azurite } from "../journals/stores/products/npm-server.ts";
import { postgres } from "../journals/stores/products/postgres.ts";
import { startForTest } from "../simulator/start.ts";
import { writerFor } from "../support/program-writer.ts";
import { ordered, spendingOf } from "../support/spending.ts";
import { createStack } from "../support/stack.ts";

const platform = findThisPlatform();

const begun = [postgres, azurite, gofakes3, fakeGcs].map((product) => beginProduct(product));
const stores = (await Promise.all(begun)).filter((store) => store !== undefined);
afterAll(() => Promise.all(stores.map((store) => store.end())));

it.skipIf(platform === undefined)(
  "an archive of a release installs the plugin, which buys for a YAML program without an npm project",
  async () => {
    if (platform === undefined) throw new Error("no release has an archive for this machine");
    const { version } = JSON.parse(await readFile(join(checkoutDir, "package.json"), "utf8"));
    const archive = packPlugin(await bundlePlugin(), platform);
    const { program, order } = writerFor("plugin");
    const project = ["name: fleet", "runtime: yaml", program(order("usa"))].join("\n");
    const simulator = await startForTest();
    const stack = await createStack({
      ...{ simulator, program: "", runtime: "yaml" },
      // The CLI calls npm, which loads what short runs leave out.
      env: { NODE_OPTIONS: "" },
      fill: async (folder) => {
        await writeFile(join(folder, "Pulumi.yaml"), `${project}\n`);
        await writeFile(join(folder, nameArchive(version, platform)), archive);
      },
    });
    const file = nameArchive(version, platform);
    await stack.succeed("plugin install resource proxyrental", version, "--file", file);

    expect(await stack.succeed("preview")).toContain(
      "usa: buys 5 IPv4 proxies in USA for 30 days for 7.00 USD",
    );
    // The archive has the libraries of all stores. A preview that can't write into its journal fails.
    for (const store of stores) {
      const { url, environment } = store.enter("packed");
      stack.setEnv({ ...environment, PROXYRENTAL_JOURNAL: url });
      await stack.succeed("preview");
    }
    await stack.succeed("up");
    expect(spendingOf(simulator)).toEqual(ordered("7.00"));
    expect(await readdir(stack.folder)).not.toContain("node_modules");
  },
);
