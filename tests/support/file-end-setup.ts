import { afterAll } from "vitest";
import { endFile } from "./file-end.ts";

// Vitest loads this once more for each test file, and what it imports once for all files of a worker.
afterAll(endFile);
