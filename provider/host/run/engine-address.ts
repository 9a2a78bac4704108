const ADDRESS = /^(?:dns:\/*)?(\[[\da-f:]+\]|[\w.-]+):(\d{1,5})$/i;

/** Where the engine of one phase of one run listens. */
export interface EngineAddress {
  host: string;
  port: number;
  /** `host:port`, as the engine hands it to all processes of the phase. */
  text: string;
}

/** Parses an address as the engine writes it, or as gRPC repeats it; undefined for anything else. */
export function parseEngineAddress(given: string | undefined): EngineAddress | undefined {
  const [, host, port] = ADDRESS.exec(given ?? "") ?? [];
  if (host === undefined || port === undefined) return undefined;
  return { host: host.replace(/^\[|\]$/g, ""), port: Number(port), text: `${host}:${port}` };
}
