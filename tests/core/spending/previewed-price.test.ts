import { describe, expect, test } from "vitest";
import type { RunIdentity } from "../../../provider/core/ports.ts";
import { beginRun, failureOf } from "../support/orders-under-test.ts";

/** A command that is typed once for each number. */
function command(name: "preview" | "up", number: number): RunIdentity {
  const phase = () => (name === "preview" ? "preview" : "update");
  return { run: undefined, command: name, commandId: String(number), phase };
}

describe("67: a resource that the newest preview did not contain", () => {
  test("is not bought by an update without a preview, and is bought after one", async () => {
    const first = beginRun({ run: command("preview", 1) });
    const { service } = first;
    await first.plan("shown");
    const up = beginRun({ service, run: command("up", 2) });
    const refusal = await failureOf(up.buy("added"));
    expect(refusal.code).toBe("NOT_PLANNED");
    expect(refusal.message).toContain("showed no purchase for added, and now 5 would be bought");
    expect(service.orders).toEqual([]);
    const second = beginRun({ service, run: command("preview", 3) });
    await second.plan("shown");
    await second.plan("added");
    await beginRun({ service, run: command("up", 4) }).buy("added");
    expect(service.orders).toHaveLength(1);
  });

  test("is bought if the stack was never previewed, or if what the preview showed was bought since", async () => {
    const first = beginRun({ run: command("up", 1) });
    const { service } = first;
    await first.buy("early");
    await beginRun({ service, run: command("preview", 2) }).plan("shown");
    await beginRun({ service, run: command("up", 3) }).buy("shown");
    await beginRun({ service, run: command("up", 4) }).buy("added");
    expect(service.orders).toHaveLength(3);
  });
});
