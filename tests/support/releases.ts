import { z } from "zod";

const kinds = ["ProxyOrder", "IpAutoExtend", "IpExtension"] as const;

const deployment = z.object({
  deployment: z.object({
    resources: z.array(
      z.object({
        urn: z.string(),
        type: z.string(),
        outputs: z.record(z.string(), z.unknown()).default({}),
      }),
    ),
  }),
});

/** The states of a recorded deployment with plain secrets, as a provider receives them. */
export function recordedStates(text: string) {
  return deployment.parse(JSON.parse(text)).deployment.resources.flatMap(({ urn, type, outputs }) =>
    kinds
      .filter((kind) => type.endsWith(`:${kind}`))
      .map((kind) => ({
        kind,
        name: urn.split("::").at(-1),
        outputs: withPlainSecrets(outputs),
      })),
  );
}

function withPlainSecrets(outputs: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(outputs).map(([name, value]) => {
      const secret = z.object({ plaintext: z.string() }).safeParse(value);
      return [name, secret.success ? JSON.parse(secret.data.plaintext) : value];
    }),
  );
}
