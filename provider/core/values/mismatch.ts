import { z } from "zod";
import { messageOf } from "./message-of.ts";

/** Why a text or a document can't be read, in a few words: a schema would list all that is wrong, over many lines. */
export function explainMismatch(error: unknown): string {
  const [first] = error instanceof z.ZodError ? error.issues : [];
  const text = first === undefined ? messageOf(error) : `${first.path.join(".")}: ${first.message}`;
  return text.replaceAll(/\s+/g, " ");
}
