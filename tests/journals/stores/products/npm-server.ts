import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { s3On } from "./go-server.ts";
import { answers, beginServer, findPort, type Product } from "./product.ts";

const require = createRequire(import.meta.url);

/** The account that every emulator of Azure has, with the key that all the world knows. */
const account = {
  name: "devstoreaccount1",
  key: "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==",
};

function connectionTo(port: number): string {
  const { name, key } = account;
  return `DefaultEndpointsProtocol=http;AccountName=${name};AccountKey=${key};BlobEndpoint=http://127.0.0.1:${port}/${name};`;
}

export const azurite: Product = {
  name: "Azure Blob Storage (azurite)",
  async begin() {
    const ownPort = await findPort();
    const program = join(dirname(require.resolve("azurite/package.json")), "dist/src/blob/main.js");
    const server = await beginServer(
      process.execPath,
      () => [
        ...[program, "--blobHost", "127.0.0.1", "--blobPort", `${ownPort}`],
        // The library's newest version of the protocol is newer than what this one says that it knows.
        ...["--inMemoryPersistence", "--silent", "--disableTelemetry", "--skipApiVersionCheck"],
      ],
      () => answers(ownPort),
    );
    const { BlobServiceClient } = await import("@azure/storage-blob");
    await BlobServiceClient.fromConnectionString(connectionTo(ownPort)).createContainer("journal");
    return {
      port: ownPort,
      secrets: [account.key],
      enter: (journal, port = ownPort) => ({
        url: `azblob://journal/tests/${journal}`,
        environment: { AZURE_STORAGE_CONNECTION_STRING: connectionTo(port) },
      }),
      end: server.end,
    };
  },
};

/** Answers as S3 does, and ignores every condition. */
export const s3rver: Product = {
  name: "S3 (s3rver)",
  async begin() {
    const port = await findPort();
    const program = join(dirname(require.resolve("s3rver/package.json")), "bin/s3rver.js");
    const server = await beginServer(
      process.execPath,
      (folder) => [
        ...[program, "--directory", folder, "--address", "127.0.0.1", "--port", `${port}`],
        ...["--configure-bucket", "journal", "--silent"],
      ],
      () => answers(port),
    );
    return { ...s3On(port, { id: "S3RVER", secret: "S3RVER" }), end: server.end };
  },
};
