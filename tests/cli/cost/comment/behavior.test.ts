import { expect, test } from "vitest";
import { type Behavior, planSteps } from "../../../../cli/cost/comment/behavior.ts";

const old = { id: "1", body: "old" };
const newer = { id: "2", body: "newer" };

const rows: [behavior: Behavior, isSkipped: boolean, earlier: (typeof old)[], steps: string[]][] = [
  ["update", false, [], ["create"]],
  ["update", false, [old], ["update 1"]],
  ["update", false, [old, newer], ["update 2"]],
  ["update", false, [old, { id: "2", body: "news\r\nof today\n" }], []],
  ["update", true, [], []],
  ["update", true, [old], ["update 1"]],
  ["replace", false, [], ["create"]],
  ["replace", false, [old, newer], ["create", "remove 1", "remove 2"]],
  ["replace", true, [old], ["remove 1"]],
  ["hide-and-new", false, [], ["create"]],
  ["hide-and-new", false, [old, newer], ["create", "hide 1", "hide 2"]],
  ["hide-and-new", true, [old], ["hide 1"]],
  ["new", false, [old], ["create"]],
  ["new", true, [old], []],
];

test.each(rows)("%s, nothing to say: %s, with %j: %j", (behavior, isSkipped, earlier, steps) => {
  const planned = planSteps(earlier, { body: "news\nof today", behavior, isSkipped });
  expect(
    planned.map((step) => (step.kind === "create" ? "create" : `${step.kind} ${step.comment.id}`)),
  ).toEqual(steps);
});
