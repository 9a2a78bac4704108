import { setTimeout as sleep } from "node:timers/promises";
import type { DocumentStore } from "../../../provider/core/journal/document-store.ts";
import { openDocuments } from "../../../provider/core/journal/documents.ts";
import { bound } from "../../../provider/journals/bounded-store.ts";
import { createDocumentFiles } from "../../../provider/journals/file/document-files.ts";

const clock = {
  now: () => new Date(),
  elapsedMs: () => performance.now(),
  sleep: async (ms: number) => void (await sleep(ms)),
};

/** What such a process can be told to do in a folder, with its arguments. */
const tasks = {
  /** Adds its name to one document so many times, against others that do the same; says each time it has. */
  async add(store: DocumentStore, name: string, count: string) {
    for (let n = 1; n <= Number(count); ) {
      const { value } = await store.read("shared.json");
      if (value === undefined) throw new Error("it is gone");
      const next = await store.replace("shared.json", value.version, `${value.text} ${name}${n}`);
      if (next.value === undefined) continue;
      console.log(`${name}${n}`);
      n++;
    }
  },

  /** Makes documents that another process makes by the same names, and takes them away again; says which are its own. */
  async claim(store: DocumentStore, name: string, count: string) {
    for (let n = 1; n <= Number(count); n++) {
      const made = await store.create(`claimed/${n}.json`, name);
      if (made.value === undefined) continue;
      console.log(`claimed/${n}.json`);
      const removed = await store.remove(`claimed/${n}.json`, made.value);
      if (!removed.value) throw new Error("somebody else has removed it");
    }
  },

  /** Writes as fast as it can, and says what it has been promised. */
  async write(store: DocumentStore, name: string) {
    for (let n = 1; ; n++) {
      const path = `written/${name}-${n}.json`;
      let { value: version } = await store.create(path, "1");
      console.log(`${path} 1`);
      for (let step = 2; step <= 4; step++) {
        if (version === undefined) throw new Error("somebody else was there");
        ({ value: version } = await store.replace(path, version, `${step}`));
        console.log(`${path} ${step}`);
      }
    }
  },
};

const [task = "", folder = "", ...args] = process.argv.slice(2);
if (!(task in tasks)) throw new Error(`no such task: ${task}`);
const store = openDocuments(bound(createDocumentFiles(folder, clock)), clock);
await (
  tasks[task as keyof typeof tasks] as (store: DocumentStore, ...args: string[]) => Promise<void>
)(store, ...args);
