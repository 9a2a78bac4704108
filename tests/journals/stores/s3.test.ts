import { writeFile } from "node:fs/promises";
import type { IncomingHttpHeaders } from "node:http";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { probeStore } from "../../../provider/core/journal/probe-store.ts";
import { parseJournalUrl } from "../../../provider/journals/journal-url.ts";
import { machineTime } from "../../../provider/journals/machine-time.ts";
import { createS3Store } from "../../../provider/journals/s3/s3-store.ts";
import { makeFolder } from "../file/folders.ts";
import { type Bench, declareContract, describeProduct, done } from "../store-contract.ts";
import { beginListener } from "./listener.ts";
import { gofakes3 } from "./products/go-server.ts";
import { s3rver } from "./products/npm-server.ts";
import type { RunningProduct } from "./products/product.ts";
import {
  declareClock,
  declareHttpTrouble,
  declareTrouble,
  expectRefusal,
  httpAnswer,
} from "./trouble.ts";

const xml = "Content-Type: application/xml";

await describeProduct(gofakes3, (bench) => {
  declareContract(bench);
  declareClock(bench);
  declareTrouble(bench);
  declareHttpTrouble(bench, {
    refusal: (status, code) =>
      httpAnswer(status, `<Error><Code>${code}</Code><Message>No.</Message></Error>`, [xml]),
    emptyList: httpAnswer(
      "200 OK",
      "<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>",
      [xml],
    ),
    methods: ["PUT", "PUT", "GET", "GET", "PUT"],
  });
  declareBadEntries(bench);

  test("a listing of several pages is whole", async () => {
    const store = await bench.open("long");
    const names = Array.from({ length: 1_003 }, (_, index) => `${index}.json`);
    const left = names.values();
    const write = async () => {
      for (const name of left) done(await store.create(name, "x"));
    };
    await Promise.all(Array.from({ length: 16 }, write));
    expect((await store.list("")).value).toEqual(names.toSorted());
  });

  test("its versions are hashes: A, B and A again is for it the same as A", async () => {
    const { url, environment } = bench.product().enter("hashes");
    for (const [variable, value] of Object.entries(environment)) vi.stubEnv(variable, value);
    const location = parseJournalUrl(url);
    if (location.kind !== "s3") throw new Error("it is no bucket");
    const store = await createS3Store(location);
    onTestFinished(() => store.close());
    const { signal } = new AbortController();
    const { value: first = "" } = await store.create("a", "A", signal);
    const { value: second = "" } = await store.replace("a", first, "B", signal);
    expect((await store.replace("a", second, "A", signal)).value).toBe(first);
    // Which is why a document has a nonce: see the contract.
    expect((await store.replace("a", first, "C", signal)).value).toBeDefined();
  });
});

/** What a user may have said wrongly. */
function declareBadEntries(bench: Bench<RunningProduct>): void {
  const noKey = {
    ...{ AWS_CONFIG_FILE: "/nowhere/config", AWS_SHARED_CREDENTIALS_FILE: "/nowhere/credentials" },
    ...{ AWS_ACCESS_KEY_ID: "", AWS_SECRET_ACCESS_KEY: "", AWS_EC2_METADATA_DISABLED: "true" },
  };

  test("a bucket that is not there is named", async () => {
    const { url, environment } = bench.product().enter("none");
    const elsewhere = url.replace("s3://journal/", "s3://nobody/");
    const store = await bench.openAs({ url: elsewhere, environment });
    await expectRefusal(bench, store, /NoSuchBucket: .*\(HTTP 404\)/);
  });

  test("without a key it is refused at once", async () => {
    const { url } = bench.product().enter("no-key");
    const store = await bench.openAs({ url, environment: noKey });
    const begunMs = performance.now();
    await expectRefusal(bench, store, /from any providers: set AWS_ACCESS_KEY_ID /);
    expect(performance.now() - begunMs).toBeLessThan(5_000);
  });

  test("a profile of the URL that gives no key is named", async () => {
    const { url } = bench.product().enter("no-key");
    const store = await bench.openAs({ url: `${url}&profile=nobody`, environment: noKey });
    await expectRefusal(
      bench,
      store,
      /the profile nobody of the journal's URL gives none; correct/,
    );
  });

  test("a profile of the environment that gives no key is named", async () => {
    const { url } = bench.product().enter("no-key");
    const environment = { ...noKey, AWS_PROFILE: "nobody" };
    const store = await bench.openAs({ url, environment });
    await expectRefusal(bench, store, /the profile of AWS_PROFILE gives none; correct/);
  });

  test("a word of the environment that the library does not know ends no process", async () => {
    const { url, environment } = bench.product().enter("mode");
    const store = await bench.openAs({
      ...{ url, environment: { ...environment, AWS_DEFAULTS_MODE: "garbage" } },
    });
    done(await store.create("a.json", "one"));
  });

  test.each([{}, { AWS_ENDPOINT_URL: "http://127.0.0.1:1" }])(
    "without a region it is refused, and %j names none",
    async (endpoint) => {
      const environment = { ...noKey, ...endpoint };
      const store = await bench.openAs({ url: "s3://journal/tests", environment });
      await expectRefusal(bench, store, "Region is missing: add ?region=REGION, or set AWS_REGION");
    },
  );

  test.each([
    ["a request names the region of the profile", "team", "fr-par"],
    ["and `us-east-1`, if the profile has none", "plain", "us-east-1"],
  ])("where the URL has an endpoint, %s", async (_what, profile, region) => {
    const { store, heard } = await openWith(profile, true);
    await expect(store.read("a.json")).rejects.toThrow();
    expect(heard[0]?.authorization).toContain(`/${region}/s3/`);
  });

  test("the key of a profile is not sent to the endpoint of another one", async () => {
    const { store, heard } = await openWith("team", false);
    await expect(store.read("a.json")).rejects.toThrow();
    expect(heard).toEqual([]);
    const own = await openWith("default", false);
    await expect(own.store.read("a.json")).rejects.toThrow();
    expect(own.heard).not.toEqual([]);
  });

  /** A server that only listens; it is the endpoint of the default profile, and perhaps that of the URL. */
  async function openWith(profile: string, isNamed: boolean) {
    const heard: IncomingHttpHeaders[] = [];
    const endpoint = await beginListener(({ headers }, response) => {
      heard.push(headers);
      response.writeHead(403).end();
    });
    const key = "aws_access_key_id = a\naws_secret_access_key = b\n";
    const file = join(makeFolder(), "config");
    await writeFile(
      file,
      `[default]\nendpoint_url = ${endpoint}\nregion = eu-west-1\n${key}[profile team]\nregion = fr-par\n${key}[profile plain]\n${key}`,
    );
    const named = isNamed ? `&endpoint=${endpoint}` : "";
    const store = await bench.openAs({
      url: `s3://journal/tests?use_path_style=true&profile=${profile}${named}`,
      environment: { ...noKey, AWS_CONFIG_FILE: file },
    });
    return { store, heard };
  }
}

await describeProduct(s3rver, ({ open }) => {
  test("it lets every writer win, and is found unfit", async () => {
    const store = await open("ignores");
    const { isFit, findings } = await probeStore(store, machineTime, { id: "p", rounds: 2 });
    expect(isFit).toBe(false);
    expect(findings.flatMap(({ trouble }) => trouble ?? [])).toEqual([
      "it was made a second time",
      "it was replaced by whoever knew an old version",
      "it was removed by whoever knew an old version",
      ...["make", "replace"].map(() => "16 of 16 were told that they had, in round 1 of 2"),
    ]);
  });

  test("one that refuses requests of another time is asked again by its own", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 60 * 60 * 1000 });
    onTestFinished(() => void vi.useRealTimers());
    const store = await open("another-time");
    const { at } = await store.create("a.json", "one");
    expect(at.getTime() - Date.now()).toBeGreaterThan(59 * 60 * 1000);
    done(await store.create("b.json", "one"));
  });
});
