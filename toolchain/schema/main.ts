import { writeFile } from "node:fs/promises";
import { renderSchema, schemaPath } from "./schema-file.ts";

await writeFile(schemaPath, renderSchema());
