/** The login that a proxy asks for. */
export interface Login {
  login: string;
  password: string;
}

/** Checks the login in the header `Proxy-Authorization`. If none is wanted, everybody is welcome. */
export function isWelcomeByHeader(wanted: Login | undefined, header: string | undefined): boolean {
  if (wanted === undefined) return true;
  const [, basic = ""] = /^basic +(\S+) *$/i.exec(header ?? "") ?? [];
  return Buffer.from(basic, "base64").equals(Buffer.from(`${wanted.login}:${wanted.password}`));
}

/** Checks the login of SOCKS5, which comes in two pieces. */
export function isWelcomeByPieces(
  wanted: Login | undefined,
  login: Buffer,
  password: Buffer,
): boolean {
  if (wanted === undefined) return true;
  return login.equals(Buffer.from(wanted.login)) && password.equals(Buffer.from(wanted.password));
}
