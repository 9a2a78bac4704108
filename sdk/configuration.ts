import * as pulumi from "@pulumi/pulumi";
import { findStrangeSettings, notASetting } from "../provider/host/setting-names.ts";
import { ProxyRentalError } from "./errors.ts";
import { assertKeyIsSecret } from "./key.ts";

const NAMESPACE = "proxyrental:";

/** Names under which people look for this package. Whoever writes one means this package. */
const mistakenNamespace = /^(pulumi[-_]?)?proxy[-_]?rental:/i;

/**
 * Refuses, before anything is planned, a configuration of this package that has no effect: a name that no setting
 * has, another spelling of the namespace, or an empty value. The provider can't do that: a dynamic one sees only
 * single settings by their names.
 */
export function assertConfiguration(): void {
  assertKeyIsSecret();
  const all = Object.entries(pulumi.runtime.allConfig());
  const given = all.flatMap(([key, value]) =>
    key.startsWith(NAMESPACE) ? [{ name: key.slice(NAMESPACE.length), value }] : [],
  );
  const strangers = findStrangeSettings(given.map(({ name }) => name));
  const empty = given.filter(({ value }) => value === "").map(({ name }) => name);
  // A project may have such a name. Then these are settings of the program.
  const isRead = (key: string) =>
    key.startsWith(NAMESPACE) || key.startsWith(`${pulumi.getProject()}:`);
  const misplaced = all
    .map(([key]) => key)
    .filter((key) => !isRead(key) && mistakenNamespace.test(key));
  const problems = [
    ...misplaced.map((key) => `${key} is not read; settings begin with ${NAMESPACE}`),
    ...strangers.map((name) => `${NAMESPACE}${name} ${notASetting}`),
    ...empty
      .filter((name) => !strangers.includes(name))
      .map((name) => `${NAMESPACE}${name} is empty`),
  ];
  if (problems.length === 0) return;
  throw new ProxyRentalError(
    "CONFIGURATION_INVALID",
    `CONFIGURATION_INVALID: ${problems.join("; ")}. Nothing was bought. Correct it with \`pulumi config set\`, or take it out with \`pulumi config rm\`.`,
  );
}
