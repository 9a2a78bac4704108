import type { DocumentStore } from "../core/journal/document-store.ts";
import { remember } from "../core/values/remember.ts";

/** The documents below a folder of a store, which is opened when it is first asked for something. */
export function documentsWithin(
  place: string,
  folder: string,
  open: () => Promise<DocumentStore>,
): DocumentStore {
  const opened = remember(open);
  const inFolder = (name: string) => `${folder}/${name}`;
  return {
    place,
    read: async (name) => (await opened()).read(inFolder(name)),
    create: async (name, text) => (await opened()).create(inFolder(name), text),
    replace: async (name, version, text) => (await opened()).replace(inFolder(name), version, text),
    remove: async (name, version) => (await opened()).remove(inFolder(name), version),
    async list(prefix) {
      const { value, at } = await (await opened()).list(inFolder(prefix));
      return { value: value.map((name) => name.slice(folder.length + 1)), at };
    },
    erase: async (name) => (await opened()).erase(inFolder(name)),
    close: async () => (await opened()).close(),
  };
}
