import { describe, expect, test } from "vitest";
import { findKnown, findTakenOver } from "../../../provider/core/journal/known-purchases.ts";
import { seenFrom } from "../../../provider/core/journal/scoped-names.ts";
import { begunAt, changeIntent } from "../../../provider/core/records/intent.ts";
import { orderIntent } from "../records/intents.ts";

const at = begunAt(orderIntent());

const later = "2026-03-09T00:00:00.000Z";

const sent = (id: string, more: Parameters<typeof orderIntent>[0] = {}) =>
  orderIntent({ id, ...more });

const known = { requestId: orderIntent().requestId, orderNumber: "8000", at };

describe("a purchase that a state knows", () => {
  test.each([
    [
      "is that of its moment, and not one with its number",
      [sent("a", { orderNumber: "8000", requestId: "r" }), sent("b")],
      "b",
    ],
    [
      "is the one of its moment with its number",
      [sent("a"), sent("b", { orderNumber: "8000" })],
      "b",
    ],
    [
      "is the one of its moment also if it was recorded by another number",
      [sent("a", { orderNumber: "7999" })],
      "a",
    ],
    [
      "is the one of its number, if none is of its moment",
      [sent("a", { orderNumber: "8000", requestId: "r" })],
      "a",
    ],
    [
      "is not one that was told the number of an older order",
      [sent("a", { orderNumber: "8000", requestId: "r", isNumberTaken: true })],
      undefined,
    ],
  ])("%s", (_what, intents, expected) => {
    expect(findKnown(intents, known, "/project")?.id).toBe(expected);
  });

  test.each([
    ["the request that this checkout has made last", {}, "/project", "a"],
    ["not what another checkout has made", {}, "/elsewhere", undefined],
    ["not what is closed", { phase: "closed" } as const, "/project", undefined],
  ])("of another moment is %s", (_what, more, project, expected) => {
    expect(findKnown([sent("a", more)], { ...known, at: later }, project)?.id).toBe(expected);
  });

  test("is told by its listed ids among those of its moment", () => {
    const judged = sent("b", { orderNumber: "9000" });
    const listed = { ...known, orderIds: ["9000"] };
    expect(findKnown([sent("a"), judged], listed, "/project")?.id).toBe("b");
  });

  test.each([
    ["the moment of any phase for a purchase of release 0.1.0", undefined, "a"],
    ["the moment at which it was begun for others", 1, "b"],
  ])("has %s", (_what, sequence, expected) => {
    const answered = changeIntent(
      sent("a"),
      { phase: "placed", orderNumber: "7999" },
      new Date(later),
    );
    const first = { ...answered, ...(sequence !== undefined && { sequence }) };
    const second = sent("b", { orderNumber: "8000", requestId: "r" });
    const found = findKnown([first, second], { ...known, at: later }, "/elsewhere");
    expect(found?.id).toBe(expected);
  });

  test("is its own scope's, if another scope has made its own at the same moment", () => {
    const both = [sent("a", { scopes: ["test"] }), sent("b", { scopes: ["staging"] })];
    expect(findKnown(seenFrom("staging", both), known, "/project")?.id).toBe("b");
    expect(findKnown(seenFrom("test", both), known, "/project")?.id).toBe("a");
    expect(findKnown(seenFrom("production", both.slice(0, 1)), known, "/project")?.id).toBe("a");
  });
});

test("an order is taken over by its number or its listed id, and only if it is not the resource's own", () => {
  const intents = [
    sent("number", { orderNumber: "8000" }),
    sent("listed", { orderNumber: "7000", orderIds: ["9000"] }),
    sent("other", { orderNumber: "8000", isNumberTaken: true }),
  ];
  const ids = (...[held]: Parameters<typeof hold>) =>
    findTakenOver(intents, hold(held)).map(({ id }) => id);
  const hold = (more: object) => ({ orderNumber: "8000", orderIds: [], purchases: [], ...more });
  expect(ids({})).toEqual(["number"]);
  expect(ids({ orderNumber: "9000", orderIds: ["9000"] })).toEqual(["listed"]);
  expect(ids({ purchases: [known] })).toEqual([]);
  const topUp = { ...known, orderNumber: "7000", orderIds: ["9000"] };
  expect(ids({ orderIds: ["8000", "9000"], purchases: [topUp] })).toEqual(["number"]);
});
