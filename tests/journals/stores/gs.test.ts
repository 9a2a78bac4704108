import { writeFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { parseJournalUrl } from "../../../provider/journals/journal-url.ts";
import { machineTime } from "../../../provider/journals/machine-time.ts";
import { openRawStore } from "../../../provider/journals/open-documents.ts";
import { makeFolder, troubleOf } from "../file/folders.ts";
import { declareContract, describeProduct, done } from "../store-contract.ts";
import { beginListener } from "./listener.ts";
import { fakeGcs } from "./products/go-server.ts";
import {
  beginScene,
  declareClock,
  declareHttpTrouble,
  declareTrouble,
  expectRefusal,
  httpAnswer,
} from "./trouble.ts";

const json = "Content-Type: application/json";

await describeProduct(fakeGcs, (bench) => {
  declareContract(bench);
  declareClock(bench);
  declareTrouble(bench);
  declareHttpTrouble(bench, {
    refusal: (status, code) =>
      httpAnswer(status, JSON.stringify({ error: { message: code } }), [json]),
    emptyList: httpAnswer("200 OK", '{"kind":"storage#objects"}', [json]),
    methods: ["POST", "POST", "GET", "GET", "POST"],
  });

  test("a listing of several pages is whole", async () => {
    const { store, other, meddler } = await beginScene(bench);
    done(await other.create("b.json", "x"));
    const name = `${store.place.replace("gs://journal/", "")}/a.json`;
    const page = JSON.stringify({
      ...{ kind: "storage#objects", items: [{ name, size: "100" }], nextPageToken: "next" },
    });
    meddler.answerWith(httpAnswer("200 OK", page, [json]), 1);
    expect((await store.list("")).value).toEqual(["a.json", "b.json"]);
  });

  test("a bucket that is not there is named", async () => {
    const { url, environment } = bench.product().enter("none");
    const store = await bench.openAs({
      ...{ url: url.replace("gs://journal/", "gs://nobody/"), environment },
    });
    await expectRefusal(bench, store, /there is no bucket nobody: .*\(HTTP 404\)/);
  });

  test("Google's words for what is not there: a document is none, a bucket is trouble", async () => {
    const { store, meddler } = await beginScene(bench);
    meddler.answerWith(httpAnswer("404 Not Found", "No such object: my-bucket/a.json"), 1);
    expect((await store.read("a.json")).value).toBeUndefined();
    meddler.answerWith(httpAnswer("404 Not Found", "The specified bucket does not exist."), 1);
    expect((await troubleOf(store.read("a.json"))).message).toContain("there is no bucket journal");
  });

  test.each([
    ["a path at which there is nothing", "/nowhere/passw0rd.json"],
    ["the key itself", '{"type":"service_account","private_key":"passw0rd"}'],
    ["the key in another form", Buffer.from("{passw0rd}").toString("base64")],
  ])("credentials that are %s are refused, and not shown", async (_what, given) => {
    const { url } = bench.product().enter("no-key");
    const environment = { GOOGLE_APPLICATION_CREDENTIALS: given };
    const store = await bench.openAs({ url, environment });
    await expectRefusal(
      bench,
      store,
      "GOOGLE_APPLICATION_CREDENTIALS is not the path of a file that can be read",
    );
    expect((await troubleOf(store.read("a.json"))).message).not.toContain(given);
    expect((await troubleOf(store.read("a.json"))).message).not.toContain("passw0rd");
  });

  test.each([
    ["is no JSON", "passw0rd"],
    ["is JSON with a key that is not quoted", '{"private_key": passw0rd}'],
    ["is JSON without a key", "{}"],
    ["is null", "null"],
    [
      "has a broken key",
      JSON.stringify({
        ...{ type: "service_account", client_email: "a@b.c" },
        private_key: "-----BEGIN PRIVATE KEY-----\npassw0rd\n-----END PRIVATE KEY-----\n",
      }),
    ],
  ])("a file with credentials that %s is refused, and not shown", async (_what, content) => {
    const file = join(makeFolder(), "key.json");
    await writeFile(file, content);
    const { url } = bench.product().enter("no-key");
    const environment = { GOOGLE_APPLICATION_CREDENTIALS: file };
    const store = await bench.openAs({ url, environment });
    await expectRefusal(
      bench,
      store,
      "the file with the credentials of Google is not that of a key",
    );
    expect((await troubleOf(store.read("a.json"))).message).not.toContain("passw0rd");
  });

  test.each<[what: string, kind: string, answer: (response: ServerResponse) => unknown]>([
    ["can't be asked", "unanswered", ({ socket }) => socket?.destroy()],
    ["says that it is too much", "busy", (response) => response.writeHead(429).end()],
    ["has broken down", "unanswered", (response) => response.writeHead(503).end("down")],
    ["lets nobody in", "refused", (response) => response.writeHead(401).end()],
  ])("a server for logins that %s gives an answer of its kind: %s", async (_what, kind, answer) => {
    const address = await beginListener((_request, response) => void answer(response));
    const file = join(makeFolder(), "federated.json");
    const credential_source = {
      url: `${address}/token`,
      format: { type: "json", subject_token_field_name: "token" },
    };
    const federated = { type: "external_account", audience: "a", subject_token_type: "jwt" };
    const token_url = "https://sts.googleapis.com/v1/token";
    await writeFile(file, JSON.stringify({ ...federated, credential_source, token_url }));
    vi.unstubAllEnvs();
    vi.stubEnv("GOOGLE_APPLICATION_CREDENTIALS", file);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { url } = bench.product().enter("federated");
    const store = await openRawStore(parseJournalUrl(url), machineTime);
    await expect(store.read("a.json", 20_000)).rejects.toMatchObject({ kind });
  });

  test.each(["", "http://user:passw0rd@127.0.0.1:1", "http://127.0.0.1:1/?passw0rd"])(
    "a server for tests that is named %j is refused, and the variable is named",
    async (given) => {
      const { url } = bench.product().enter("emulated");
      const opening = bench.openAs({ url, environment: { STORAGE_EMULATOR_HOST: given } });
      await expect(opening).rejects.toThrow("(the variable STORAGE_EMULATOR_HOST: it is ");
      await expect(opening).rejects.not.toThrow("passw0rd");
    },
  );
});
