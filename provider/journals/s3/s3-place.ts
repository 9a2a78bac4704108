import {
  type Environment,
  nameBucket,
  ofParameter,
  ofVariable,
  type Refuse,
  readAddress,
  readBucket,
  readFlag,
  readSwitch,
  readVariable,
  readWord,
  refuse,
  type UrlGrammar,
  type UrlParts,
} from "../url-parts.ts";

/** A bucket of Amazon S3, or of a product that speaks as it does. */
export interface S3Place {
  place: string;
  bucket: string;
  /** Empty, or ends with a slash. */
  prefix: string;
  /** @default AWS_REGION, AWS_DEFAULT_REGION, that of the AWS files; else `us-east-1` where the URL has an endpoint */
  region?: string;
  /** @default AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL, else Amazon's */
  endpoint?: string;
  /** Whether the bucket stands in the path instead of the host's name. */
  pathStyle: boolean;
  /** Of the AWS configuration files. @default what the environment says */
  profile?: string;
  /** Whether Amazon's hosts are asked that have IPv6 addresses, too. */
  isDualstack?: boolean;
  /** Whether Amazon's hosts are asked that keep to FIPS 140. */
  isFips?: boolean;
}

export const s3Url = {
  example: "s3://bucket/prefix?region=REGION",
  // `awssdk` changes nothing here.
  parameters: [
    ...["region", "endpoint", "profile", "s3ForcePathStyle", "use_path_style"],
    ...["hostname_immutable", "disableSSL", "disable_https", "dualstack", "fips", "awssdk"],
  ],
  noPassword:
    "no key may stand in it; credentials come from the environment (AWS_ACCESS_KEY_ID, AWS_PROFILE, a role)",
} satisfies UrlGrammar;

export function readS3(parts: UrlParts): S3Place {
  const { parameters } = parts;
  const { place, ...bucket } = readBucket("s3", parts, s3Url);
  const region = parameters.get("region");
  const profile = parameters.get("profile");
  const given = parameters.get("endpoint");
  const isPlain = readFlag(parameters, "disableSSL", "disable_https") ?? false;
  if (isPlain && given !== undefined && /^https:/i.test(given)) {
    throw refuse("its endpoint begins with https, and its disableSSL is true");
  }
  const endpoint = given && readAddress(given, isPlain ? "http" : "https", ofParameter("endpoint"));
  // A bucket can't stand in the name of a host that must not change. A host that may change says nothing of that.
  const keepsHost = readFlag(parameters, "hostname_immutable") ? ["hostname_immutable"] : [];
  const isDualstack = readFlag(parameters, "dualstack");
  const isFips = readFlag(parameters, "fips");
  const sdk = parameters.get("awssdk");
  if (sdk !== undefined) readWord(sdk, ["v1", "v2"], ofParameter("awssdk"));
  return {
    ...bucket,
    place: endpoint ? `${place} at ${endpoint}` : place,
    ...(region && { region: readRegion(region, ofParameter("region")) }),
    ...(profile && { profile }),
    ...(endpoint && { endpoint }),
    // Few products beside Amazon's have a host name for each bucket.
    pathStyle:
      readFlag(parameters, "s3ForcePathStyle", "use_path_style", ...keepsHost) ??
      endpoint !== undefined,
    ...(isDualstack !== undefined && { isDualstack }),
    ...(isFips !== undefined && { isFips }),
  };
}

/** It stands in the name of a host. */
function readRegion(given: string, refuseIt: Refuse): string {
  if (/^[a-z0-9-]+$/i.test(given)) return given;
  throw refuseIt("is not the name of one");
}

/** The place with what the environment adds: who opens it and who names it mean the same. */
export function completeS3(s3: S3Place, environment: Environment): S3Place {
  const endpoint = s3.endpoint ?? readEndpointOf(environment);
  const region = s3.region ?? readRegionOf(environment);
  return {
    ...s3,
    ...(endpoint && { endpoint }),
    ...(region && { region }),
    isDualstack: chooseHosts(s3.isDualstack, dualstack, endpoint, environment),
    isFips: chooseHosts(s3.isFips, fips, endpoint, environment),
  };
}

const dualstack = { parameter: "dualstack", variable: "AWS_USE_DUALSTACK_ENDPOINT" };

const fips = { parameter: "fips", variable: "AWS_USE_FIPS_ENDPOINT" };

/** Whether those of Amazon's hosts are asked. Nobody has them at another endpoint. */
function chooseHosts(
  said: boolean | undefined,
  { parameter, variable }: typeof fips,
  endpoint: string | undefined,
  environment: Environment,
): boolean {
  const isWanted = said ?? readSwitch(environment, variable) ?? false;
  if (!isWanted || endpoint === undefined) return isWanted;
  const refuseIt = said === undefined ? ofVariable(variable) : ofParameter(parameter);
  throw refuseIt("is true, and the journal is at an endpoint of its own");
}

function readEndpointOf(environment: Environment): string | undefined {
  const read = (given: string, refuseIt: Refuse) => readAddress(given, "https", refuseIt);
  const endpoint =
    readVariable(environment, "AWS_ENDPOINT_URL_S3", read) ??
    readVariable(environment, "AWS_ENDPOINT_URL", read);
  // Older releases of the library don't know it, and would go to another place than newer ones.
  const ignore = "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS";
  if (readSwitch(environment, ignore) && endpoint !== undefined) {
    throw ofVariable(ignore)("is true, and AWS_ENDPOINT_URL or AWS_ENDPOINT_URL_S3 is set");
  }
  return endpoint;
}

function readRegionOf(environment: Environment): string | undefined {
  return (
    readVariable(environment, "AWS_REGION", readRegion) ??
    readVariable(environment, "AWS_DEFAULT_REGION", readRegion)
  );
}

/** See `nameLocation`. A bucket of Amazon's has one name everywhere. */
export function nameS3(s3: S3Place, environment: Environment): string {
  const { bucket, prefix, endpoint, pathStyle } = completeS3(s3, environment);
  const place = nameBucket("s3", bucket, prefix);
  if (endpoint === undefined) return place;
  const written = endpoint.replaceAll(/[%&+#]/g, encodeURIComponent);
  return `${place}?endpoint=${written}${pathStyle ? "" : "&s3ForcePathStyle=false"}`;
}
