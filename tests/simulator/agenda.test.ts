import fc from "fast-check";
import { expect, test } from "vitest";
import { Agenda } from "../../simulator/account/agenda.ts";

test("planned steps come out by time, equal times in the order of planning, and only due ones", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(50)), fc.nat(60), (moments, nowMs) => {
      const agenda = new Agenda<{ atMs: number; turn: number }>();
      const planned = moments.map((atMs, turn) => ({ atMs, turn }));
      for (const one of planned) agenda.plan(one.atMs, one);
      const taken: typeof planned = [];
      for (let due = agenda.takeDue(nowMs); due !== undefined; due = agenda.takeDue(nowMs)) {
        taken.push(due.what);
      }
      const due = planned.filter(({ atMs }) => atMs <= nowMs);
      const expected = due.toSorted((a, b) => a.atMs - b.atMs || a.turn - b.turn);
      expect(taken).toEqual(expected);
    }),
  );
});
