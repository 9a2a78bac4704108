/** Writes the code of the package into `dist`, where the compiler has written its types. `npm run build` does both. */
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { checkoutDir } from "../project.ts";
import { bundlePackage } from "./bundle.ts";
import { pruneDeclarations } from "./declarations.ts";
import { writeNotices } from "./notices.ts";
import { copyPage } from "./page.ts";
import { readPublishedPackage } from "./published-package.ts";
import { writeRequireEntries } from "./require-entries.ts";

const inCheckout = (path: string) => join(checkoutDir, path);

const { imported, programs, policyPack, libraries } = await readPublishedPackage();
const dist = inCheckout("dist");

await pruneDeclarations(
  dist,
  imported.map(({ types }) => inCheckout(types)),
);
const code = [...imported.map((entry) => entry.default), ...programs, policyPack];
const bundled = await bundlePackage(dist, code.map(inCheckout), libraries);
await Promise.all(programs.map((path) => chmod(inCheckout(path), 0o755)));
const charts = await copyPage(join(dist, "simulator"));
await writeFile(
  join(dist, "THIRD-PARTY-NOTICES.txt"),
  await writeNotices(inCheckout("node_modules"), [...bundled, ...charts]),
);
await writeRequireEntries(imported);
