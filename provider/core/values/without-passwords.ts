/** A text without the passwords of the URLs in it: without all that stands between a user's name and a host. */
export function withoutPasswords(text: string): string {
  return text.replaceAll(/(\w+:\/\/[^\s/@:"]*):[^\s"]*@/g, "$1:…@");
}
