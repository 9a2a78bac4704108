/**
 * A number is a port where no `@` follows it before a blank. A user's name may be an address, and what stands in brackets is a host,
 * if it may be one.
 */
const PASSWORD =
  /(\b\w{1,20}:\/\/(?:\[[\da-f:.]+\]|(?!\[[\da-f:.]+\])[^\s/:])*):(?!\d{1,5}(?:\s|$|[/?#,;)'"][^\s@]*(?:\s|$))).*@/gi;

/**
 * A message without the passwords of the URLs in it: without all that stands between a user's name and the last `@` of the line.
 * It is for the words of a failure: of what is no password, too much is left out rather than too little.
 */
export function withoutPasswords(message: string): string {
  return message.replaceAll(PASSWORD, "$1:…@");
}
