/**
 * A message without the passwords of the URLs in it: without all that stands between a user's name and the last `@` of the line.
 * It is for the words of a failure: of what is no password, too much is left out rather than too little.
 */
export function withoutPasswords(message: string): string {
  // A number there is a port.
  return message.replaceAll(/(\w+:\/\/[^\s/@:]*):(?!\d{1,5}(?:[/?#\s,;)]|$)).*@/g, "$1:…@");
}
