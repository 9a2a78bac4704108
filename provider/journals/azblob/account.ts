import type { AzblobPlace } from "./azblob-store.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The storage account that a container is in. */
interface StorageAccount {
  /** Undefined if nobody names it. */
  account: string | undefined;
  /** Where its blobs are. Undefined if a connection string names no place of its own. */
  domain: string | undefined;
  /** What enters it, if that is a connection string of the environment. It may hold a key. */
  connection?: string;
}

export const AZURE_DOMAIN = "blob.core.windows.net";

/**
 * Which account a URL means, with what the environment adds. A connection string names an account itself. If the URL names another
 * one, the URL is right.
 */
export function findAccount(
  { account: given, domain }: AzblobPlace,
  environment: Environment,
): StorageAccount {
  const { AZURE_STORAGE_CONNECTION_STRING: connection = "" } = environment;
  const named = readConnection(connection);
  if (connection !== "" && (given === undefined || given === named.account)) {
    return { ...named, connection };
  }
  return {
    account: given || environment.AZURE_STORAGE_ACCOUNT || undefined,
    domain: domain || environment.AZURE_STORAGE_DOMAIN || AZURE_DOMAIN,
  };
}

/** The address of an account that no connection string names, in the words that `pulumi login` knows. */
export function addressOf(
  { account, domain = AZURE_DOMAIN }: StorageAccount,
  { protocol: given, isEmulator }: AzblobPlace,
  environment: Environment,
): string {
  const protocol = given || environment.AZURE_STORAGE_PROTOCOL || "https";
  const isInPath = isEmulator || /^(127\.0\.0\.1|localhost)/.test(domain);
  return `${protocol}://${isInPath ? `${domain}/${account}` : `${account}.${domain}`}`;
}

/** Which account a connection string names, and where its blobs are. */
function readConnection(text: string): Pick<StorageAccount, "account" | "domain"> {
  const fields = new Map(
    text.split(";").map((field) => {
      const [name = "", ...rest] = field.split("=");
      return [name.trim(), rest.join("=")] as const;
    }),
  );
  const endpoint = URL.parse(fields.get("BlobEndpoint") ?? "");
  if (endpoint === null) {
    const suffix = fields.get("EndpointSuffix");
    return { account: fields.get("AccountName"), domain: suffix && `blob.${suffix}` };
  }
  // An emulator names the account in the path.
  const [, inPath = ""] = endpoint.pathname.split("/");
  if (inPath !== "") return { account: inPath, domain: endpoint.host };
  const [first, ...rest] = endpoint.host.split(".");
  return { account: first, domain: rest.join(".") };
}
