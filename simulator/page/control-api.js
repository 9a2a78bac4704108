/** A refusal of the control API, in its own words. */
export class RefusedError extends Error {}

/** The control API does not answer, or not to the end. */
export class GoneError extends Error {}

/**
 * The answer to a GET.
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
 * As `read`, but null if it is the same as last time under that name. Then there is nothing new to show.
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

/** Makes everything new again. */
export function forgetNews() {
  lastSaid.clear();
}

/**
 * Changes something. Throws a RefusedError that says why it can't be done.
 * @param {"POST" | "PUT" | "DELETE"} method
 * @param {string} path
 * @param {unknown} [body]
 */
export async function send(method, path, body) {
  return sendText(method, path, body === undefined ? undefined : JSON.stringify(body));
}

/**
 * As `send`, for a text that is JSON already.
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
  throw new RefusedError(message);
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
