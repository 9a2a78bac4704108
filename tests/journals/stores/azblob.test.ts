import { BlobServiceClient, ContainerSASPermissions } from "@azure/storage-blob";
import { expect, test } from "vitest";
import { probeStore } from "../../../provider/core/journal/probe-store.ts";
import { machineTime } from "../../../provider/journals/machine-time.ts";
import { troubleOf } from "../file/folders.ts";
import { type Bench, declareContract, describeProduct, done, textOf } from "../store-contract.ts";
import { azurite } from "./products/npm-server.ts";
import type { Entry, RunningProduct } from "./products/product.ts";
import {
  beginScene,
  declareClock,
  declareHttpTrouble,
  declareTrouble,
  expectRefusal,
  httpAnswer,
} from "./trouble.ts";

const xml = "Content-Type: application/xml";

/** A page of a listing. */
function page(blobs: string, marker: string): string {
  return `<EnumerationResults ContainerName="journal"><Blobs>${blobs}</Blobs><NextMarker>${marker}</NextMarker></EnumerationResults>`;
}

await describeProduct(azurite, (bench) => {
  declareContract(bench);
  declareClock(bench);
  declareTrouble(bench);
  declareHttpTrouble(bench, {
    refusal: (status, code) =>
      httpAnswer(status, `<Error><Code>${code}</Code><Message>No.</Message></Error>`, [
        ...[xml, `x-ms-error-code: ${code}`],
      ]),
    emptyList: httpAnswer("200 OK", page("", ""), [xml]),
    methods: ["PUT", "PUT", "GET", "GET", "PUT"],
  });
  declareRights(bench);

  test("a listing of several pages is whole", async () => {
    const { store, other, meddler } = await beginScene(bench);
    done(await other.create("b.json", "x"));
    const [, journal] = /(tests\/\S+)$/.exec(store.place) ?? [];
    const properties = "<Properties><Content-Length>100</Content-Length></Properties>";
    const blob = `<Blob><Name>${journal}/a.json</Name>${properties}</Blob>`;
    meddler.answerWith(httpAnswer("200 OK", page(blob, `${journal}/a.json`), [xml]), 1);
    expect((await store.list("")).value).toEqual(["a.json", "b.json"]);
  });
});

function declareRights(bench: Bench<RunningProduct>): void {
  const { product, open, openAs } = bench;

  /** Enters by what a connection string may say. */
  function enterBy(journal: string, change: (connection: string) => string): Entry {
    const { url, environment } = product().enter(journal);
    const { AZURE_STORAGE_CONNECTION_STRING: connection = "" } = environment;
    return { url, environment: { AZURE_STORAGE_CONNECTION_STRING: change(connection) } };
  }

  function openService(): BlobServiceClient {
    const { AZURE_STORAGE_CONNECTION_STRING: connection = "" } = product().enter("").environment;
    return BlobServiceClient.fromConnectionString(connection);
  }

  /** A token of some rights. */
  async function makeToken(rights: string): Promise<string> {
    const address = await openService()
      .getContainerClient("journal")
      .generateSasUrl({
        permissions: ContainerSASPermissions.parse(rights),
        expiresOn: new Date(Date.now() + 60 * 60 * 1000),
      });
    return new URL(address).search.slice(1);
  }

  /** Enters with a token of some rights. */
  async function enterWith(journal: string, rights: string) {
    const token = await makeToken(rights);
    const { url } = openService();
    const entry = enterBy(journal, () => `BlobEndpoint=${url};SharedAccessSignature=${token}`);
    return { entry, signature: new URLSearchParams(token).get("sig") ?? "" };
  }

  /** Enters by a URL that says where the emulator is. */
  function enterAt(journal: string, environment: Entry["environment"]): Entry {
    const { url } = product().enter(journal);
    const place = `storage_account=devstoreaccount1&domain=127.0.0.1:${product().port}&protocol=http`;
    return { url: `${url}?${place}`, environment };
  }

  test("a key or a token of the environment enters the account that the URL names", async () => {
    const [key = ""] = product().secrets;
    const store = await openAs(enterAt("by-url", { AZURE_STORAGE_KEY: key }));
    done(await store.create("a.json", "one"));
    expect(await textOf(await open("by-url"), "a.json")).toBe("one");
    const token = await makeToken("rl");
    const reader = await openAs(enterAt("by-url", { AZURE_STORAGE_SAS_TOKEN: token }));
    expect(await textOf(reader, "a.json")).toBe("one");
    const { message } = await troubleOf(reader.create("b.json", "two"));
    expect(message).toMatch(/\(Authorization\w+: [^\n]+ \(HTTP 403\)\)$/);
  });

  test("a connection string enters the account that it names, also if the URL names that too", async () => {
    const { url, environment } = product().enter("same-account");
    const named = `${url}?storage_account=devstoreaccount1`;
    done(await (await openAs({ url: named, environment })).create("a.json", "one"));
    expect(await textOf(await open("same-account"), "a.json")).toBe("one");
  });

  test("a connection string that is none is named by its variable", async () => {
    const opening = openAs(enterBy("no-connection", () => "nothing"));
    await expect(opening).rejects.toThrow(
      "(the variable AZURE_STORAGE_CONNECTION_STRING: it names no storage account)",
    );
  });

  test("a connection string that the library reads as another place opens none", async () => {
    const elsewhere = (given: string) => given.replace(/BlobEndpoint=[^;]*/, "$&/deeper");
    const opening = openAs(enterBy("other-place", elsewhere));
    await expect(opening).rejects.toThrow(
      "(the BlobEndpoint of AZURE_STORAGE_CONNECTION_STRING names no account",
    );
  });

  test("who may read, create, write and list has a journal; the probe leaves its documents there", async () => {
    const { entry } = await enterWith("some-rights", "rcwl");
    const store = await openAs(entry);
    const { isFit, leftBehind } = await probeStore(store, machineTime, { id: "p", rounds: 1 });
    expect(isFit).toBe(true);
    expect(leftBehind).toContain("probe/p/twice.json");
  });

  test("who may only read is refused what is written, and reads", async () => {
    done(await (await open("read-only")).create("b.json", "one"));
    const { entry, signature } = await enterWith("read-only", "rl");
    const store = await openAs(entry);
    expect(await textOf(store, "b.json")).toBe("one");
    const { reason, message } = await troubleOf(store.create("a.json", "one"));
    expect(reason).toBe("unavailable");
    expect(message).toMatch(/\(Authorization\w+: [^\n]+ \(HTTP 403\)\)$/);
    for (const secret of [signature, encodeURIComponent(signature)]) {
      expect(message).not.toContain(secret);
    }
  });

  test("a container that is not there is named", async () => {
    const { url, environment } = product().enter("none");
    const store = await openAs({
      ...{ url: url.replace("azblob://journal/", "azblob://nobody/"), environment },
    });
    await expectRefusal(bench, store, /ContainerNotFound: .*\(HTTP 404\)/);
  });

  test("a key that is wrong is refused, and not repeated", async () => {
    const other = Buffer.from("another key altogether").toString("base64");
    const entry = enterBy("key", (given) => given.replace(/(AccountKey=)[^;]+/, `$1${other}`));
    const store = await openAs(entry);
    await expectRefusal(bench, store, /Auth\w+: .*\(HTTP 403\)/);
    expect((await troubleOf(store.read("a.json"))).message).not.toContain(other);
  });

  test("a connection string that is none is refused, and not repeated", async () => {
    const { reason, message } = await troubleOf(openAs(enterBy("string", () => "AccountKey=xyz")));
    expect(reason).toBe("unavailable");
    expect(message).toMatch(/^the journal in azblob:\/\/\S+ can't be used \([^\n]+\)$/);
    expect(message).not.toContain("xyz");
  });

  test("where nobody is logged in it is refused, with what may be done", async () => {
    const { url } = product().enter("login");
    // Of all ways to be logged in, the one that asks nobody.
    const environment = { AZURE_TOKEN_CREDENTIALS: "EnvironmentCredential" };
    const store = await openAs({ url: `${url}?storage_account=team`, environment });
    await expectRefusal(
      bench,
      store,
      /Set AZURE_STORAGE_KEY or AZURE_STORAGE_SAS_TOKEN, or log in,/,
    );
  });

  test("without an account it is refused", async () => {
    const { message } = await troubleOf(openAs(enterBy("account", () => "")));
    expect(message).toContain("no storage account is named; add ?storage_account=NAME");
  });
}
