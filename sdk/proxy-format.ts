import * as pulumi from "@pulumi/pulumi";
import type { Credential, RentedProxy } from "../provider/client/records.ts";
import type { Formatted, ProxyFormat, ProxyForms } from "../provider/core/proxies/proxy-format.ts";
import * as core from "../provider/core/proxies/proxy-format.ts";
import type { ProxyScheme } from "../provider/core/proxies/proxy-url.ts";
import { ProxyRentalError } from "./errors.ts";

/** Proxies and their logins: a `ProxyOrder`, a `ProxyFleet`, or anything like them. */
export interface ProxySource {
  /** The service's records of the proxies. */
  proxies: pulumi.Input<RentedProxy[]>;
  /** Login and password by ipAddressId; empty with authType IP. */
  credentials: pulumi.Input<Record<string, Credential>>;
  /** Which protocol IPv6 proxies speak. @default HTTP */
  protocol?: pulumi.Input<"HTTP" | "SOCKS" | undefined> | undefined;
}

/** The options of `formatProxies`. */
export interface FormatProxiesOptions {
  /** The protocol of the proxies. @default "socks5" if the source's `protocol` is SOCKS, else "http" */
  scheme?: ProxyScheme | undefined;
}

const schemes: readonly ProxyScheme[] = ["http", "socks5"];

/**
 * One proxy in a form that people paste. Keep the result secret. Without a credential (authType IP) it holds no
 * login. Throws a `ProxyRentalError`: FORMAT_NOT_POSSIBLE for a login that the form can't hold and while the service
 * has not named the port; INPUT_INVALID for a form or scheme that does not exist.
 *
 * @example
 * const lines = pulumi.all([fleet.proxies, fleet.credentials]).apply(([proxies, logins]) =>
 *   proxies.map((proxy) => formatProxy(proxy, logins[proxy.ipAddressId], "host:port:user:pass")),
 * );
 */
export function formatProxy<Format extends ProxyFormat>(
  proxy: RentedProxy,
  credential: Credential | undefined,
  format: Format,
  scheme: ProxyScheme = "http",
): ProxyForms[Format] {
  assertNamed("formatProxy", "format", format, core.proxyFormats);
  assertNamed("formatProxy", "scheme", scheme, schemes);
  return formOf(core.formatProxy(proxy, credential, format, scheme));
}

/**
 * All proxies of an order or a fleet in a form that people paste, as one secret. Whatever `formatProxy` would throw
 * stops the program.
 *
 * @example
 * export const proxies = formatProxies(fleet, "playwright");
 * export const socks = formatProxies(fleet, "user:pass@host:port", { scheme: "socks5" });
 */
export function formatProxies<Format extends ProxyFormat>(
  { proxies, credentials, protocol }: ProxySource,
  format: Format,
  { scheme }: FormatProxiesOptions = {},
): pulumi.Output<ProxyForms[Format][]> {
  assertNamed("formatProxies", "format", format, core.proxyFormats);
  if (scheme !== undefined) assertNamed("formatProxies", "scheme", scheme, schemes);
  const forms = pulumi
    .all([pulumi.output(proxies), pulumi.output(credentials), pulumi.output(protocol)])
    .apply(([listed, logins, spoken]) => {
      const spokenTo = scheme ?? (spoken === "SOCKS" ? "socks5" : "http");
      return formOf(core.formatProxies(listed, logins, format, spokenTo));
    });
  // The compiler can't know that no part of a form is an output.
  return pulumi.secret(forms) as pulumi.Output<ProxyForms[Format][]>;
}

function formOf<Form>(formatted: Formatted<Form>): Form {
  if ("form" in formatted) return formatted.form;
  throw new ProxyRentalError("FORMAT_NOT_POSSIBLE", `FORMAT_NOT_POSSIBLE: ${formatted.refusal}`);
}

function assertNamed(
  functionName: string,
  input: string,
  value: string,
  accepted: readonly string[],
): void {
  if (accepted.includes(value)) return;
  throw new ProxyRentalError(
    "INPUT_INVALID",
    `INPUT_INVALID: ${functionName}: ${input} must be one of ${accepted.join(", ")}, not ${JSON.stringify(value)}`,
  );
}
