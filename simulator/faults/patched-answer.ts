import type { AnswerPatch } from "./fault.ts";

type Fields = Readonly<Record<string, unknown>>;

export function patchAnswer(answer: Fields, patch: AnswerPatch): object {
  return typeof patch === "function" ? patch(answer) : mergePatch(answer, patch);
}

/** RFC 7396. */
function mergePatch(target: Fields, patch: Fields): Fields {
  const merged = new Map(Object.entries(target));
  for (const [field, value] of Object.entries(patch)) {
    const before = merged.get(field);
    if (value === null) merged.delete(field);
    else
      merged.set(
        field,
        isFields(value) ? mergePatch(isFields(before) ? before : {}, value) : value,
      );
  }
  return Object.fromEntries(merged);
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
