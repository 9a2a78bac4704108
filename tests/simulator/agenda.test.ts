import fc from "fast-check";
import { expect, test } from "vitest";
import { Agenda } from "../../simulator/agenda.ts";

test("what was planned comes out by time, and only what is due", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(50)), fc.nat(60), (moments, nowMs) => {
      const agenda = new Agenda<number>();
      for (const atMs of moments) agenda.plan(atMs, atMs);
      const taken: number[] = [];
      for (let due = agenda.takeDue(nowMs); due !== undefined; due = agenda.takeDue(nowMs)) {
        taken.push(due.what);
      }
      const expected = moments.filter((atMs) => atMs <= nowMs).toSorted((a, b) => a - b);
      expect(taken).toEqual(expected);
    }),
  );
});
