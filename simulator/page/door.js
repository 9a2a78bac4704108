/** What the door refused, in its own words. */
export class DoorError extends Error {}

/** Nobody answers any more, or not to the end. */
export class GoneError extends Error {}

/**
 * What the door answers to a GET.
 * @template Answer
 * @param {string} path
 * @returns {Promise<Answer>}
 */
export async function read(path) {
  return JSON.parse(await call("GET", path));
}

/** @type {Map<string, string>} */
const lastSaid = new Map();

/**
 * As `read`, but null when it is what was last read under that name: then there is nothing to show anew.
 * @template Answer
 * @param {string} name
 * @param {string} path
 * @returns {Promise<Answer | null>}
 */
export async function readNews(name, path) {
  const said = `${path}\n${await call("GET", path)}`;
  if (lastSaid.get(name) === said) return null;
  lastSaid.set(name, said);
  return JSON.parse(said.slice(path.length));
}

/** Everything is news again. */
export function forgetNews() {
  lastSaid.clear();
}

/**
 * Changes something. Throws a DoorError that says why it can't be done.
 * @param {"POST" | "PUT" | "DELETE"} method
 * @param {string} path
 * @param {unknown} [body]
 */
export async function send(method, path, body) {
  return sendText(method, path, body === undefined ? undefined : JSON.stringify(body));
}

/**
 * As `send`, of what is JSON already.
 * @param {"POST" | "PUT" | "DELETE"} method
 * @param {string} path
 * @param {string} [body]
 */
export async function sendText(method, path, body) {
  await call(method, path, body);
}

/** @param {string} account @param {string} [rest] */
export function accountPath(account, rest = "") {
  return `/accounts/${encodeURIComponent(account)}${rest}`;
}

/** @param {string} method @param {string} path @param {string} [body] */
async function call(method, path, body) {
  const { ok, text } = await exchange(path, {
    method,
    ...(body === undefined ? {} : { headers: { "Content-Type": "application/json" }, body }),
  });
  if (ok) return text;
  const { message } = JSON.parse(text);
  throw new DoorError(message);
}

/** @param {string} path @param {RequestInit} request */
async function exchange(path, request) {
  try {
    const response = await fetch(path, request);
    return { ok: response.ok, text: await response.text() };
  } catch (error) {
    throw new GoneError("The simulator does not answer", { cause: error });
  }
}
