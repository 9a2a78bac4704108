import { onThisMachine } from "../../../../toolchain/cache.ts";
import { ensureProgram } from "../../../../toolchain/go-build.ts";
import { type GoProgram, storeServers } from "../../../../toolchain/go-program.ts";
import { parseSkip, skipVariable } from "../../../../toolchain/source.ts";
import { answers, beginServer, findPort, Missing, type Product } from "./product.ts";

/** Where it is built already, or can be. */
async function findProgram(program: GoProgram): Promise<string> {
  if (parseSkip(process.env[skipVariable]).includes("build")) {
    throw new Missing(`left out by ${skipVariable}`);
  }
  return ensureProgram(program, onThisMachine()).catch((error: unknown) => {
    throw new Missing(error instanceof Error ? error.message : String(error));
  });
}

export const gofakes3: Product = {
  name: "S3 (gofakes3)",
  async begin() {
    const program = await findProgram(storeServers.gofakes3);
    const port = await findPort();
    const server = await beginServer(
      program,
      () => [
        // A line for each request would be more than anybody keeps who plays for hours.
        ...["-backend", "memory", "-quiet"],
        ...["-initialbucket", "journal", "-host", `127.0.0.1:${port}`],
      ],
      () => answers(port),
    );
    return { ...s3On(port), end: server.end };
  },
};

/** How a store enters whoever speaks as S3 does at a port of this machine. */
export function s3On(
  ownPort: number,
  key = { id: "AKIATESTSOFSTORES", secret: "secret-key-of-the-tests" },
) {
  return {
    port: ownPort,
    secrets: [key.secret],
    enter: (journal: string, port = ownPort) => ({
      url: `s3://journal/tests/${journal}?region=eu-central-1&endpoint=http://127.0.0.1:${port}`,
      environment: { AWS_ACCESS_KEY_ID: key.id, AWS_SECRET_ACCESS_KEY: key.secret },
    }),
  };
}

export const fakeGcs: Product = {
  name: "Google Cloud Storage (fake-gcs-server)",
  async begin() {
    const program = await findProgram(storeServers["fake-gcs-server"]);
    const ownPort = await findPort();
    const address = `http://127.0.0.1:${ownPort}`;
    const server = await beginServer(
      program,
      () => [
        ...["-scheme", "http", "-host", "127.0.0.1", "-port", `${ownPort}`],
        ...["-backend", "memory", "-log-level", "error"],
      ],
      () => answers(ownPort),
    );
    await fetch(`${address}/storage/v1/b?project=tests`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name: "journal" }),
    });
    return {
      port: ownPort,
      secrets: [],
      enter: (journal, port = ownPort) => ({
        url: `gs://journal/tests/${journal}`,
        environment: { STORAGE_EMULATOR_HOST: `http://127.0.0.1:${port}` },
      }),
      end: server.end,
    };
  },
};
