import { expect, it } from "vitest";
import { findPort } from "../journals/stores/products/product.ts";
import { startForTest } from "../simulator/start.ts";
import { hosts } from "../support/program-files.ts";
import { writerFor } from "../support/program-writer.ts";
import { ordered, spendingOf } from "../support/spending.ts";
import { createStack } from "../support/stack.ts";

it.each(hosts)(
  "%s host: while the journal is out of reach nothing is bought, a preview that would buy fails, and all else goes on",
  async (host) => {
    const simulator = await startForTest();
    const { on, order, program } = writerFor(host);
    const one = program(order("usa"));
    const stack = await createStack({ ...on, simulator, program: one });
    await stack.succeed("up");
    const url = `postgres://nobody@127.0.0.1:${await findPort()}/none`;
    await stack.succeed("config set", "proxyrental:journal", url);
    await stack.rewrite(program(order("usa"), order("more")));
    for (const command of ["preview", "up --skip-preview"]) {
      expect(await stack.fail(command)).toContain(`JOURNAL_UNAVAILABLE: the journal in ${url}`);
    }
    await stack.rewrite(one);
    expect(await stack.succeed("up", "--refresh")).toContain("2 unchanged");
    // A destroy has the configuration of the last `up`, unless that was in the environment.
    stack.setEnv({ PROXYRENTAL_JOURNAL: url });
    await stack.succeed("destroy");
    expect(spendingOf(simulator)).toEqual(ordered("7.00"));
  },
);
