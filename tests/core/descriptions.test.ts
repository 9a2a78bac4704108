import { describe, expect, test } from "vitest";
import { z } from "zod";
import { autoExtensionArgsSchema } from "../../provider/core/auto-extension/args.ts";
import { autoExtensionOutputsSchema } from "../../provider/core/auto-extension/state.ts";
import { extensionArgsSchema } from "../../provider/core/extension/model/args.ts";
import { extensionOutputsSchema } from "../../provider/core/extension/model/state.ts";
import { identifying, orderArgsSchema } from "../../provider/core/order/model/args.ts";
import { orderOutputsSchema, secretOrderOutputs } from "../../provider/core/order/model/state.ts";

const published = {
  "arguments of an order": z.toJSONSchema(orderArgsSchema, { io: "input" }),
  "outputs of an order": z.toJSONSchema(orderOutputsSchema),
  "arguments of an auto-extension": z.toJSONSchema(autoExtensionArgsSchema, { io: "input" }),
  "outputs of an auto-extension": z.toJSONSchema(autoExtensionOutputsSchema),
  "arguments of an extension": z.toJSONSchema(extensionArgsSchema, { io: "input" }),
  "outputs of an extension": z.toJSONSchema(extensionOutputsSchema),
};

const isSentence = (text: unknown) => /^[A-Z`].*\.$/.test(String(text));

describe.each(Object.entries(published))("%s", (_part, { $defs = {}, ...object }) => {
  const properties = [object, ...Object.values($defs)].flatMap((type) =>
    Object.entries(z.record(z.string(), z.looseObject({})).parse(type.properties)),
  );

  test("are described in whole sentences, with the properties of their parts", () => {
    const undescribed = properties.filter(([, { description }]) => !isSentence(description));
    expect(undescribed).toEqual([]);
  });

  test("have a name and a description for each type with properties", () => {
    const nameless = properties.filter(([, property]) =>
      JSON.stringify(property).includes('"properties":'),
    );
    expect(nameless).toEqual([]);
    expect(Object.entries($defs).filter(([, { description }]) => !isSentence(description))).toEqual(
      [],
    );
  });
});

/** The names of the properties whose description contains this sentence. */
function findSaying({ shape }: z.ZodObject, sentence: string): string[] {
  const entries = Object.entries(shape as Record<string, z.ZodType>);
  return entries
    .filter(([, { description = "" }]) => description.includes(sentence))
    .map(([name]) => name);
}

test("exactly the arguments that mean buying again say so", () => {
  const saying = findSaying(orderArgsSchema, "Changing it means buying again.");
  expect(saying.toSorted()).toEqual(identifying.toSorted());
});

test("exactly the secret outputs say so", () => {
  expect(findSaying(orderOutputsSchema, "Secret.")).toEqual(secretOrderOutputs);
});
