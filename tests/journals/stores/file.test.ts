import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { troubleOf } from "../file/folders.ts";
import { declareContract, describeProduct } from "../store-contract.ts";
import { files } from "./products/files.ts";

await describeProduct(files, (bench) => {
  declareContract(bench);

  test("where a file stands in the folder's place it is unavailable", async () => {
    const { product, open } = bench;
    const store = await open("taken");
    await writeFile(fileURLToPath(product().enter("taken").url), "");
    const { reason, message } = await troubleOf(store.create("a.json", "one"));
    expect(reason).toBe("unavailable");
    expect(message).toMatch(/^the journal in \S+ can't be used \([^\n]+\)$/);
  });
});
