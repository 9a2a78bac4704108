import selfsigned from "selfsigned";

/** A key, and a certificate for it that nobody else has signed, of one name or IP address. Both as PEM. */
export async function makeCertificate(
  host: { dns: string } | { ip: string },
): Promise<{ key: string; certificate: string }> {
  const [commonName, altName] =
    "ip" in host
      ? [host.ip, { type: 7, ip: host.ip } as const]
      : [host.dns, { type: 2, value: host.dns } as const];
  const { private: key, cert: certificate } = await selfsigned.generate(
    [{ name: "commonName", value: commonName }],
    {
      // Made in no time, unlike one of RSA.
      keyType: "ec",
      extensions: [
        { name: "basicConstraints", cA: true },
        { name: "subjectAltName", altNames: [altName] },
      ],
    },
  );
  return { key, certificate };
}
