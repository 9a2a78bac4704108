import { expect, test } from "vitest";
import { chooseAxis } from "../../simulator/page/balance-axis.js";
import { drawBalanceLine } from "../../simulator/page/balance-line.js";
import { groupMarks } from "../../simulator/page/mark-groups.js";
import { listMovements } from "../../simulator/page/movements.js";

const noon = "2026-03-01T12:00:00.000+00:00";
const later = "2026-03-02T12:00:00.000+00:00";

function charge(
  price: string,
  balanceAfter: string,
  at = noon,
  rest: Partial<Charge> = {},
): Charge {
  return {
    ...{ at, kind: "order", origin: "api", orderNumber: "1", price, balanceAfter },
    ...{ proxyType: "IPv4", country: "USA", quantity: 1, rentPeriodDays: 30 },
    ...rest,
  };
}
type Charge = Parameters<typeof listMovements>[0]["entries"][number];

function payment(amount: string, balanceAfter: string, at = noon) {
  return { at, amount, balanceAfter };
}

test.each([
  ["nothing", [], [], []],
  [
    "charges in their order",
    [charge("1.00", "9.00"), charge("2.00", "7.00")],
    [],
    ["9.00", "7.00"],
  ],
  [
    "a payment before a charge of a later day",
    [charge("1.00", "19.00", later)],
    [payment("10.00", "20.00")],
    ["20.00", "19.00"],
  ],
  [
    "a payment between two charges of the same moment",
    [charge("1.10", "8.90"), charge("2.00", "16.90")],
    [payment("10.00", "18.90")],
    ["8.90", "18.90", "16.90"],
  ],
  [
    "a payment before both",
    [charge("1.00", "19.00"), charge("2.00", "17.00")],
    [payment("10.00", "20.00")],
    ["20.00", "19.00", "17.00"],
  ],
  [
    "a charge between two payments",
    [charge("1.00", "19.00")],
    [payment("10.00", "20.00"), payment("-19.00", "0.00")],
    ["20.00", "19.00", "0.00"],
  ],
])(
  "%s: each movement begins with the balance after the one before it",
  (_name, entries, payments, balances) => {
    const movements = listMovements({ opening: "10.00", entries, payments });
    expect(movements.map(({ balanceAfter }) => balanceAfter)).toEqual(balances);
    expect(movements.map(({ number }) => number)).toEqual(balances.map((_, index) => index + 1));
  },
);

test("the cause of a charge gives its kind; the ledger's kind counts only for the account's own charges", () => {
  const entries = [
    charge("1.00", "9.00"),
    charge("1.00", "8.00", noon, { kind: "extension" }),
    charge("1.00", "7.00", noon, { kind: "extension", origin: "automatic" }),
    charge("1.00", "6.00", noon, { origin: "foreign" }),
  ];
  const movements = listMovements({
    opening: "10.00",
    entries,
    payments: [payment("1.00", "7.00", later)],
  });
  expect(movements.map(({ kind }) => kind)).toEqual([
    "order",
    "extension",
    "automatic",
    "foreign",
    "payment",
  ]);
});

test("the line goes from the opening balance to now, with one step per moment", () => {
  const entries = [charge("1.00", "9.00"), charge("2.00", "7.00"), charge("3.00", "4.00", later)];
  const movements = listMovements({ opening: "10.00", entries, payments: [] });
  const line = drawBalanceLine("10.00", movements, Date.parse("2026-03-11T12:00:00Z"));
  expect(line.map(({ balance }) => balance)).toEqual([10, 7, 4, 4]);
  expect(line.map(({ movements: together }) => together.length)).toEqual([0, 2, 1, 0]);
  expect(line.map(({ atMs }) => atMs)).toEqual(
    line.map(({ atMs }) => atMs).toSorted((one, other) => one - other),
  );
  expect(line.at(-1)?.atMs).toBe(Date.parse("2026-03-11T12:00:00Z"));
});

test("a line without movements is one day long", () => {
  const line = drawBalanceLine("10.00", [], 86_400_000);
  expect(line.map(({ atMs, balance }) => [atMs, balance])).toEqual([
    [0, 10],
    [86_400_000, 10],
  ]);
});

test.each([
  ["no balance", null, null, [0, 1]],
  ["a balance that never moved", 1000, 1000, [0, 1150]],
  ["nothing at all", 0, 0, [0, 1]],
  ["large movements", 400, 1000, [0, 1150]],
  ["small movements", 993, 1000, [991, 1001.05]],
  ["an overdraft", -20, 80, [-35, 95]],
])("the axis for %s", (_name, least, most, range) => {
  const [from, to] = chooseAxis(least, most);
  expect([from, Math.round(to * 100) / 100]).toEqual(range);
});

test("marks are one group where they would cover each other, and only there", () => {
  const [movement] = listMovements({
    opening: "10.00",
    entries: [charge("1.00", "9.00")],
    payments: [],
  });
  if (movement === undefined) throw new Error("A charge is a movement");
  const place = (x: number, y: number) => ({ x, y, atMs: x, movement });
  const groups = groupMarks([place(0, 0), place(3, 3), place(3, 30), place(60, 30), place(66, 30)]);
  expect(groups.map((group) => group.map(({ x, y }) => [x, y]))).toEqual([
    [
      [0, 0],
      [3, 3],
    ],
    [[3, 30]],
    [
      [60, 30],
      [66, 30],
    ],
  ]);
  expect(groupMarks([place(0, 0), place(15, 0)], 2)).toHaveLength(1);
});
