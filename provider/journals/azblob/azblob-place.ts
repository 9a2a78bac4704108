import {
  type Environment,
  nameBucket,
  ofParameter,
  ofVariable,
  type Refuse,
  readBucket,
  readFlag,
  readVariable,
  readWord,
  refuseVariable,
  type UrlGrammar,
  type UrlParts,
} from "../url-parts.ts";

/** A container of Azure Blob Storage. */
export interface AzblobPlace {
  place: string;
  container: string;
  /** Empty, or ends with a slash. */
  prefix: string;
  /** @default AZURE_STORAGE_ACCOUNT, or the one of a connection string */
  account?: string;
  /** @default AZURE_STORAGE_DOMAIN, else blob.core.windows.net */
  domain?: string;
  /** @default AZURE_STORAGE_PROTOCOL, else https */
  protocol?: Protocol;
  /** Whether the account stands in the path instead of the host's name, as with an emulator. */
  isEmulator?: true;
}

const protocols = ["http", "https"] as const;

type Protocol = (typeof protocols)[number];

const DOMAIN = "blob.core.windows.net";

const CONNECTION_STRING = "AZURE_STORAGE_CONNECTION_STRING";

export const azblobUrl = {
  example: "azblob://container/prefix?storage_account=ACCOUNT",
  parameters: ["storage_account", "domain", "protocol", "localemu"],
  noPassword:
    "no key may stand in it; credentials come from the environment (AZURE_STORAGE_KEY, AZURE_STORAGE_SAS_TOKEN, a login)",
} satisfies UrlGrammar;

export function readAzblob(parts: UrlParts): AzblobPlace {
  const { bucket: container, place, prefix } = readBucket("azblob", parts, azblobUrl);
  const { parameters } = parts;
  const account = parameters.get("storage_account");
  const domain = parameters.get("domain");
  const protocol = parameters.get("protocol");
  return {
    ...{ container, prefix },
    place: `${place}${account === undefined ? "" : `?storage_account=${account}`}`,
    ...(account && { account: readAccount(account, ofParameter("storage_account")) }),
    ...(domain && { domain: readDomain(domain, ofParameter("domain")) }),
    ...(protocol && { protocol: readWord(protocol, protocols, ofParameter("protocol")) }),
    ...(readFlag(parameters, "localemu") && { isEmulator: true }),
  };
}

function readAccount(given: string, refuseIt: Refuse): string {
  if (/^[a-z0-9]{3,24}$/.test(given)) return given;
  throw refuseIt("is not the name of a storage account: 3 to 24 small letters and digits");
}

function readDomain(given: string, refuseIt: Refuse): string {
  const url = /^[\w.-]+(:\d{1,5})?$/.test(given) ? URL.parse(`https://${given}`) : null;
  if (url !== null) return given;
  throw refuseIt("is not the name of a host");
}

/** A place with what the environment adds: who opens it and who names it mean the same. */
export interface AzblobAccount {
  /** Undefined if nobody names it. */
  account: string | undefined;
  domain: string;
  protocol: Protocol;
  isInPath: boolean;
  /** What enters it, if that is a connection string of the environment. It holds a key or a token. */
  connection?: string;
}

/**
 * A connection string names an account itself. If the URL names another one, the URL is right; if it names the same one elsewhere,
 * nobody knows which.
 */
export function completeAzblob(azblob: AzblobPlace, environment: Environment): AzblobAccount {
  const account = azblob.account ?? readVariable(environment, "AZURE_STORAGE_ACCOUNT", readAccount);
  const connection = environment[CONNECTION_STRING]?.trim();
  const fields = connection ? readFields(connection) : undefined;
  if (connection && fields && isMeant(azblob, fields)) {
    const named = readConnection(fields);
    assertAgree(azblob, named);
    return { ...named, connection };
  }
  const domain =
    azblob.domain ?? readVariable(environment, "AZURE_STORAGE_DOMAIN", readDomain) ?? DOMAIN;
  const protocol =
    azblob.protocol ??
    readVariable(environment, "AZURE_STORAGE_PROTOCOL", (given, refuseIt) =>
      readWord(given, protocols, refuseIt),
    ) ??
    "https";
  return { account, domain, protocol, isInPath: azblob.isEmulator ?? isLocal(domain) };
}

/** Whether a connection string is about the account of the URL, if that names one. */
function isMeant({ account }: AzblobPlace, fields: ConnectionFields): boolean {
  if (account === undefined || fields.get("AccountName") === account) return true;
  return findEndpoint(fields)?.account === account;
}

/** What the URL says is what all machines have; a string that only this one has must not lead elsewhere. */
function assertAgree(
  { account, domain, protocol, isEmulator }: AzblobPlace,
  named: AzblobAccount,
): void {
  const isSameAccount = account === undefined || account === named.account;
  const isSameDomain = domain === undefined || hostOf(domain) === hostOf(named.domain);
  const isSameProtocol = protocol === undefined || protocol === named.protocol;
  const isSameHost = isSameDomain && isSameProtocol && (!isEmulator || named.isInPath);
  if (isSameAccount && isSameHost) return;
  throw refuseVariable(
    CONNECTION_STRING,
    "it names another place than the storage_account, the domain, the protocol or the localemu of the journal's URL",
  );
}

function hostOf(domain: string): string {
  return domain.toLowerCase().replace(/^localhost(?=:|$)/, "127.0.0.1");
}

const EMULATOR = "http://127.0.0.1:10000/devstoreaccount1";

type ConnectionFields = ReadonlyMap<string, string>;

/** What a connection string says. The library, too, knows no other letters, and reads the first of several fields of one name. */
function readFields(text: string): ConnectionFields {
  if (text.startsWith("UseDevelopmentStorage=true")) return new Map([["BlobEndpoint", EMULATOR]]);
  const fields = text.split(";").map((field) => {
    const [name = "", ...rest] = field.split("=");
    return [name.trim(), rest.join("=").trim()] as const;
  });
  return new Map(fields.toReversed());
}

/** Which account a connection string names, and where its blobs are. */
function readConnection(fields: ConnectionFields): AzblobAccount {
  const endpoint = findEndpoint(fields);
  if (endpoint !== undefined) return endpoint;
  const refuseIt = ofVariable(CONNECTION_STRING);
  const name = fields.get("AccountName");
  if (!name) throw refuseIt("names no storage account");
  const account = readAccount(name, refuseIt);
  const suffix = fields.get("EndpointSuffix");
  const domain = suffix ? readDomain(`blob.${suffix}`, refuseIt) : DOMAIN;
  const given = fields.get("DefaultEndpointsProtocol") ?? "https";
  const protocol = readWord(given.toLowerCase(), protocols, refuseIt);
  return { account, domain, protocol, isInPath: false };
}

function findEndpoint(fields: ConnectionFields): AzblobAccount | undefined {
  const endpoint = URL.parse(fields.get("BlobEndpoint") ?? "");
  if (endpoint === null) return undefined;
  const protocol = endpoint.protocol === "http:" ? "http" : "https";
  // An emulator names the account in the path.
  const [, inPath = ""] = endpoint.pathname.split("/");
  if (inPath !== "") return { account: inPath, domain: endpoint.host, protocol, isInPath: true };
  const [first, ...rest] = endpoint.host.split(".");
  return { account: first, domain: rest.join("."), protocol, isInPath: false };
}

/** `pulumi login` takes what is on this machine for an emulator. */
function isLocal(domain: string): boolean {
  return /^(127\.0\.0\.1|localhost)/.test(domain);
}

/** The address of an account that no connection string names, in the words that `pulumi login` knows. */
export function addressOf({ domain, protocol, isInPath }: AzblobAccount, account: string): string {
  return `${protocol}://${isInPath ? `${domain}/${account}` : `${account}.${domain}`}`;
}

/** See `nameLocation`. A container has its name within a storage account. */
export function nameAzblob(azblob: AzblobPlace, environment: Environment): string {
  const { account, domain, protocol, isInPath } = completeAzblob(azblob, environment);
  const place = nameBucket("azblob", azblob.container, azblob.prefix);
  if (!account) return place;
  const elsewhere = [
    ...(domain === DOMAIN ? [] : [`domain=${domain}`]),
    ...(protocol === "https" ? [] : [`protocol=${protocol}`]),
    ...(isInPath && !isLocal(domain) ? ["localemu=true"] : []),
  ];
  return `${place}?${[`storage_account=${account}`, ...elsewhere].join("&")}`;
}
