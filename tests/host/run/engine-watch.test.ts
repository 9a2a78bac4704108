import { once } from "node:events";
import { createServer } from "node:net";
import { expect, test } from "vitest";
import { awaitEngineGone, type EngineSight } from "../../../provider/host/run/engine-watch.ts";

const engine = { host: "127.0.0.1", port: 4000, text: "127.0.0.1:4000" };

type Reach = Awaited<ReturnType<EngineSight["reach"]>>;

interface Story {
  /** The result of each look. */
  reaches: readonly Reach[];
  /** The parent process at each look. @default always the same */
  parents?: readonly number[];
  input?: Promise<void>;
}

/** The number of looks after which the engine counts as gone. "there" if the story ends before that. */
function tell({ reaches, parents = [], input }: Story): Promise<number | "there"> {
  let looks = 0;
  return new Promise((resolve) => {
    const sight: EngineSight = {
      parent: () => parents[looks - 1] ?? 10,
      inputEnded: () => input,
      async reach() {
        const reached = reaches[looks];
        looks += 1;
        if (reached !== undefined) return reached;
        resolve("there");
        return new Promise(() => undefined);
      },
      pause: async () => undefined,
    };
    awaitEngineGone(engine, sight).then(() => resolve(looks));
  });
}

const closed = Promise.resolve();

test.each<[string, Story, number | "there"]>([
  ["refuses twice after it was reached", { reaches: ["accepted", "refused", "refused"] }, 3],
  ["closed our input, and refuses twice", { input: closed, reaches: ["refused", "refused"] }, 2],
  [
    "is no longer our parent",
    { reaches: ["accepted", "silent", "silent"], parents: [10, 1, 1] },
    3,
  ],
])("an engine that %s is judged gone", async (_what, story, looks) => {
  expect(await tell(story)).toBe(looks);
});

test.each<[string, Story]>([
  ["was never reached", { reaches: ["refused", "refused", "refused"] }],
  ["refuses once", { reaches: ["accepted", "refused", "accepted", "refused", "accepted"] }],
  ["does not answer, on a busy machine", { reaches: ["accepted", "silent", "silent", "silent"] }],
  ["refuses, does not answer, refuses", { reaches: ["accepted", "refused", "silent", "refused"] }],
  ["closed our input, and can be reached", { input: closed, reaches: ["accepted", "accepted"] }],
  [
    "looks like another parent once",
    { reaches: ["accepted", "accepted", "accepted"], parents: [10, 1, 10] },
  ],
])("an engine that %s is judged alive", async (_what, story) => {
  expect(await tell(story)).toBe("there");
});

test("while the engine holds our input, its address is not tried", async () => {
  const held = Promise.withResolvers<void>();
  let asked = 0;
  const gone = awaitEngineGone(engine, {
    parent: () => 10,
    inputEnded: () => held.promise,
    reach: async () => {
      asked += 1;
      return "refused";
    },
    pause: async () => undefined,
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(asked).toBe(0);
  held.resolve();
  await gone;
  expect(asked).toBe(2);
});

test("a real address that accepts and a real one that refuses are distinguished", {
  timeout: 10_000,
}, async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const met = once(server, "connection");
  const gone = awaitEngineGone(
    { host: "127.0.0.1", port, text: `127.0.0.1:${port}` },
    { inputEnded: () => undefined },
  );
  await met;
  server.close();
  await gone;
});
