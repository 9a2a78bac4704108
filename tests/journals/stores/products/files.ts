import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Product } from "./product.ts";

export const files: Product = {
  name: "files",
  async begin() {
    const root = await mkdtemp(join(tmpdir(), "proxyrental-documents-"));
    return {
      enter: (journal) => ({ url: pathToFileURL(join(root, journal)).href, environment: {} }),
      secrets: [],
      end: () => rm(root, { recursive: true, force: true }),
    };
  },
};
