/** What a proxy asks for before it lets anybody through. */
export interface Login {
  login: string;
  password: string;
}

/** As the header `Proxy-Authorization` brings it. With no login wanted, anybody is welcome. */
export function isWelcomeByHeader(wanted: Login | undefined, header: string | undefined): boolean {
  if (wanted === undefined) return true;
  const [, basic = ""] = /^basic +(\S+) *$/i.exec(header ?? "") ?? [];
  return Buffer.from(basic, "base64").equals(Buffer.from(`${wanted.login}:${wanted.password}`));
}

/** As SOCKS5 brings it, in two pieces. */
export function isWelcomeByPieces(
  wanted: Login | undefined,
  login: Buffer,
  password: Buffer,
): boolean {
  if (wanted === undefined) return true;
  return login.equals(Buffer.from(wanted.login)) && password.equals(Buffer.from(wanted.password));
}
