import { z } from "zod";
import { documentedAnswers } from "./documented-answers.ts";
import { countOf, type Found } from "./findings.ts";
import type { Exchange } from "./raw-calls.ts";

/** One way in which answers differ from the document. */
interface Difference {
  kind: "missing" | "unknown" | "other";
  endpoint: string;
  /** The field, for instance `data.content[].dateEnd`. */
  field: string;
}

/** How many differences are named. */
const MAX_NAMED = 20;

/** Compares every answer with the service's document. */
export function compareWithDocument(exchanges: readonly Exchange[]): Found[] {
  const unreadable = exchanges.flatMap(({ error }): Found[] =>
    error?.code === "SERVICE_ANSWER_UNREADABLE"
      ? [
          {
            about: "fields",
            mark: "wrong",
            text: `The provider can't work with an answer: ${error.message}.`,
          },
        ]
      : [],
  );
  const answered = exchanges.filter(({ answer }) => answer !== undefined);
  const differences = answered.flatMap(({ endpoint, body }) => {
    const { error } = documentedAnswers[endpoint].safeParse(body);
    return (error?.issues ?? []).flatMap((issue) =>
      toDifferences(issue, body).map((difference) => ({ endpoint, ...difference })),
    );
  });
  const different = Map.groupBy(
    differences,
    ({ kind, endpoint, field }) => `${kind} ${endpoint} ${field}`,
  );
  const found = [...different.values()].slice(0, MAX_NAMED).flatMap(describe);
  const more = different.size - found.length;
  if (more > 0) {
    found.push({
      about: "fields",
      mark: "look",
      text: `Answers differ from the document in ${more} more fields.`,
    });
  }
  if (found.length > 0 || unreadable.length > 0)
    return [...new Map(unreadable.map((one) => [one.text, one])).values(), ...found];
  return [
    {
      about: "fields",
      mark: "well",
      text: `The ${countOf(answered.length, "answer")} had every field of the document, and no other.`,
    },
  ];
}

function toDifferences(issue: z.core.$ZodIssue, body: unknown): Omit<Difference, "endpoint">[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({ kind: "unknown", field: nameField([...issue.path, key]) }));
  }
  const value = findValue(body, issue.path);
  return [{ kind: value === undefined ? "missing" : "other", field: nameField(issue.path) }];
}

const anything = z.record(z.string(), z.unknown());

function findValue(body: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce((value, key) => {
    if (Array.isArray(value)) return value[Number(key)];
    return anything.safeParse(value).data?.[String(key)];
  }, body);
}

/** What stands under any country or locale is one field. */
const MAPS = new Set(["mobileOperators", "descriptionsByLocale"]);

function nameField(path: readonly PropertyKey[]): string {
  return path
    .map((key, index) => {
      if (typeof key === "number") return "[]";
      if (MAPS.has(String(path[index - 1]))) return ".*";
      return `${index === 0 ? "" : "."}${String(key)}`;
    })
    .join("");
}

function describe([first, ...others]: readonly Difference[]): Found[] {
  if (first === undefined) return [];
  const { kind, endpoint, field } = first;
  const times = others.length === 0 ? "" : ` (${others.length + 1} times)`;
  const said = {
    missing: `${endpoint} does not answer ${field}, which the document has${times}.`,
    unknown: `${endpoint} answers ${field}, which the document has not${times}. The provider does not read it.`,
    other: `${endpoint} answers ${field} in another form than the document's${times}.`,
  };
  return [{ about: "fields", mark: "look", text: said[kind] }];
}
