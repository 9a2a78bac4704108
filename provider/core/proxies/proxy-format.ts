import type { Credential, RentedProxy } from "../../client/records.ts";
import { type ProxyScheme, toProxyAddress, toUserInfo } from "./proxy-url.ts";

/** A proxy as Playwright's `launch({ proxy })` and `newContext({ proxy })` take it. */
export interface PlaywrightProxy {
  /** `scheme://ip:port`. */
  server: string;
  /** Plain, not encoded. Playwright itself takes no login for a socks5 proxy: ask for http, or use authType IP. */
  username?: string;
  password?: string;
}

/** A proxy as `new ProxyAgent(…)` of undici 7 takes it. undici speaks socks5 in its later versions only. */
export interface UndiciProxy {
  /** `scheme://ip:port`. */
  uri: string;
  /** With http: the value of the header `Proxy-Authorization`. */
  token?: string;
  /** With socks5. A login in the URL would be sent by undici as it is written there, percent-encoded. */
  username?: string;
  password?: string;
}

/** The forms in which a proxy can be handed on, by their names. */
export interface ProxyForms {
  /** `scheme://login:password@ip:port`, percent-encoded. */
  url: string;
  /** The URL without its scheme, percent-encoded too: for tools that add a scheme, as `curl -x` does. */
  "user:pass@host:port": string;
  /** Nothing is encoded, so a login with a colon or white space is refused. */
  "host:port:user:pass": string;
  playwright: PlaywrightProxy;
  undici: UndiciProxy;
}

/** The name of a form. */
export type ProxyFormat = keyof ProxyForms;

/** A proxy in a form, or why it has none. The reason repeats no login. */
export type Formatted<Form> = { form: Form } | { refusal: string };

type Writer<Form> = (
  scheme: ProxyScheme,
  address: string,
  credential: Credential | undefined,
) => Formatted<Form>;

const writers: { [Format in ProxyFormat]: Writer<ProxyForms[Format]> } = {
  url: (scheme, address, credential) => ({
    form: `${scheme}://${toUserInfo(credential)}${address}`,
  }),
  "user:pass@host:port": (_scheme, address, credential) => ({
    form: `${toUserInfo(credential)}${address}`,
  }),
  "host:port:user:pass": (_scheme, address, credential) => {
    if (credential === undefined) return { form: address };
    const { login, password } = credential;
    if (/[:\s]/.test(login + password)) {
      return { refusal: "its login or password holds a colon or white space; a URL can hold it" };
    }
    return { form: `${address}:${login}:${password}` };
  },
  playwright: (scheme, address, credential) => ({
    form: { server: `${scheme}://${address}`, ...toNamedLogin(credential) },
  }),
  undici: (scheme, address, credential) =>
    scheme === "http"
      ? writeUndiciHttp(`http://${address}`, credential)
      : writeUndiciSocks(`socks5://${address}`, credential),
};

/** The names of all forms. */
export const proxyFormats = Object.keys(writers) as readonly ProxyFormat[];

/** Writes a proxy in a form. Without a credential (authType IP) it holds no login. */
export function formatProxy<Format extends ProxyFormat>(
  proxy: RentedProxy,
  credential: Credential | undefined,
  format: Format,
  scheme: ProxyScheme,
): Formatted<ProxyForms[Format]> {
  const address = toProxyAddress(proxy, scheme);
  if (address === undefined) {
    return refuse(proxy, format, `the service has named no ${scheme} port for it`);
  }
  const write: Writer<ProxyForms[Format]> = writers[format];
  const formatted = write(scheme, address, credential);
  return "refusal" in formatted ? refuse(proxy, format, formatted.refusal) : formatted;
}

/** Writes proxies in a form, or says why the first that can't be written has none. */
export function formatProxies<Format extends ProxyFormat>(
  proxies: readonly RentedProxy[],
  credentials: Readonly<Record<string, Credential>>,
  format: Format,
  scheme: ProxyScheme,
): Formatted<ProxyForms[Format][]> {
  // With authType IP no proxy has a login. If only some have one, nobody could use the others.
  const needLogins = Object.keys(credentials).length > 0;
  const forms: ProxyForms[Format][] = [];
  for (const proxy of proxies) {
    const credential = credentials[proxy.ipAddressId];
    if (needLogins && !credential) {
      return refuse(proxy, format, "the service has told no login for it");
    }
    const formatted = formatProxy(proxy, credential, format, scheme);
    if ("refusal" in formatted) return formatted;
    forms.push(formatted.form);
  }
  return { form: forms };
}

function refuse(
  { ipAddressId, ipAddressIp }: RentedProxy,
  format: ProxyFormat,
  why: string,
): { refusal: string } {
  return { refusal: `proxy ${ipAddressId} (${ipAddressIp}) can't be written as ${format}: ${why}` };
}

function writeUndiciHttp(uri: string, credential: Credential | undefined): Formatted<UndiciProxy> {
  if (credential === undefined) return { form: { uri } };
  const { login, password } = credential;
  // The reader of the header parts login and password at the first colon.
  if (login.includes(":")) return { refusal: "its login holds a colon" };
  const token = `Basic ${Buffer.from(`${login}:${password}`).toString("base64")}`;
  return { form: { uri, token } };
}

function writeUndiciSocks(uri: string, credential: Credential | undefined): Formatted<UndiciProxy> {
  // undici looks up the address with its brackets, as if it were a name.
  if (uri.includes("[")) return { refusal: "undici reaches no socks5 proxy at an IPv6 address" };
  if (credential?.login === "" || credential?.password === "") {
    return { refusal: "undici sends no login to a socks5 proxy where a part of it is empty" };
  }
  return { form: { uri, ...toNamedLogin(credential) } };
}

function toNamedLogin(
  credential: Credential | undefined,
): { username: string; password: string } | undefined {
  return credential && { username: credential.login, password: credential.password };
}
