import { once } from "node:events";
import { type IncomingMessage, type RequestOptions, request } from "node:http";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import {
  dial,
  fetchThrough,
  handOn,
  hear,
  type ListedProxy,
  openTunnel,
  rentOne,
  type SeenRequest,
  soon,
  startBare,
  startEcho,
  toBasic,
} from "./live-guests.ts";

/** Sends a plain request as `curl -x` does. A client may add anything to it. */
async function send(
  proxy: ListedProxy,
  url: string,
  { headers = {}, ...options }: RequestOptions = {},
  body: string[] = [],
): Promise<{ answer: IncomingMessage; body: string }> {
  const sending = request({
    port: Number(proxy.httpsPort),
    path: url,
    headers: { "Proxy-Authorization": toBasic(proxy), ...headers },
    ...options,
  });
  const answered = once(sending, "response");
  for (const piece of body) sending.write(piece);
  sending.end();
  const [answer]: IncomingMessage[] = await answered;
  if (answer === undefined) throw new Error("no answer");
  return { answer, body: await text(answer) };
}

describe("a plain request", () => {
  test("is passed on with its path, query and headers, without the proxy's own headers", async () => {
    const proxy = await rentOne();
    const echo = await startEcho();
    const { answer, body } = await send(proxy, `http://${echo}/a/../b%20c?d=%2F&e`, {
      headers: {
        Host: "somewhere.else",
        Cookie: ["one=1", "two=2"],
        "X-Kept": ["a", "b"],
        Connection: "close, X-Dropped",
        "X-Dropped": "1",
        "Proxy-Connection": "keep-alive",
        "Proxy-Whatever": "1",
        TE: "trailers",
        Upgrade: "h2c",
        "Keep-Alive": "timeout=5",
      },
    });
    const seen: SeenRequest = JSON.parse(body);
    expect(seen).toMatchObject({ method: "GET", url: "/a/../b%20c?d=%2F&e" });
    expect(seen.headers).toEqual({
      connection: ["close"],
      cookie: ["one=1; two=2"],
      host: [echo],
      "x-kept": ["a", "b"],
    });
    expect(answer.statusCode).toBe(200);
    expect(answer.statusMessage).toBe("Seen");
    expect(answer.headersDistinct["set-cookie"]).toEqual(["a=1", "b=2"]);
    expect(answer.headers).not.toHaveProperty("x-between-us");
    expect(answer.headers).not.toHaveProperty("proxy-authenticate");
  });

  test.each([
    ["POST", { "Content-Length": "6" }],
    ["POST", { "Transfer-Encoding": "chunked" }],
    ["DELETE", { "Transfer-Encoding": "chunked" }],
    ["PUT", { "Content-Length": "6", Expect: "100-continue" }],
  ])("is passed on with its body: %s with %j", async (method, headers) => {
    const proxy = await rentOne();
    const echo = await startEcho();
    const { body } = await send(proxy, `http://${echo}`, { method, headers }, ["abc", "def"]);
    const seen: SeenRequest = JSON.parse(body);
    expect(seen).toMatchObject({ method, url: "/", body: "abcdef" });
    const framing = "Content-Length" in headers ? "content-length" : "transfer-encoding";
    expect(Object.keys(seen.headers)).toContain(framing);
  });

  test("can follow another on the same connection, even to another target", async () => {
    const proxy = await rentOne();
    const socket = await dial(proxy.httpsPort);
    const login = `Proxy-Authorization: ${toBasic(proxy)}`;
    for (const echo of [await startEcho(), await startEcho()]) {
      socket.write(`HEAD http://${echo}/ HTTP/1.1\r\nHost: ${echo}\r\n${login}\r\n\r\n`);
      const [answer]: Buffer[] = await once(socket, "data");
      expect(String(answer)).toMatch(/^HTTP\/1\.1 200 Seen\r\n/);
    }
  });

  test("gets 502 if its target can't be reached, and the connection goes on", async () => {
    const proxy = await rentOne();
    const { answer, body } = await send(proxy, "http://127.0.0.1:1/");
    expect(answer.statusCode).toBe(502);
    expect(body).toContain("ECONNREFUSED");
    for (const url of ["http://nowhere.invalid/", "http://127.0.0.1:65536/"]) {
      expect((await send(proxy, url)).answer.statusCode).toBe(502);
    }
  });

  test("gets 502 if its target breaks off before the answer, and a broken answer after that", async () => {
    const proxy = await rentOne();
    const silent = await startBare((socket) => void socket.once("data", () => socket.destroy()));
    const { answer } = await send(proxy, `http://127.0.0.1:${silent.port}/`);
    expect(answer.statusCode).toBe(502);
    const half = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf";
    for (const end of ["destroy", "resetAndDestroy"] as const) {
      const breaking = await startBare((socket) => {
        socket.once("data", () => socket.write(half, () => socket[end]()));
      });
      await expect(send(proxy, `http://127.0.0.1:${breaking.port}/`)).rejects.toThrow("aborted");
    }
  });

  test("keeps an answer that came before the request ended, and its connection", async () => {
    const proxy = await rentOne();
    const echo = await startEcho();
    const hasty = await startBare((socket) => {
      socket.once("data", () => {
        socket.write("HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n", () =>
          socket.resetAndDestroy(),
        );
      });
    });
    const socket = await dial(proxy.httpsPort);
    const login = `Proxy-Authorization: ${toBasic(proxy)}`;
    socket.write(
      `POST http://127.0.0.1:${hasty.port}/ HTTP/1.1\r\nHost: a\r\n${login}\r\nContent-Length: 1000000\r\n\r\nhalf`,
    );
    const [early]: Buffer[] = await once(socket, "data");
    expect(String(early)).toMatch(/^HTTP\/1\.1 413 Too Large\r\n/);
    socket.write("x".repeat(1_000_000 - "half".length));
    socket.write(`HEAD http://${echo}/ HTTP/1.1\r\nHost: a\r\n${login}\r\n\r\n`);
    const [next]: Buffer[] = await once(socket, "data");
    expect(String(next)).toMatch(/^HTTP\/1\.1 200 Seen\r\n/);
  });

  test.each(["/", "/path", "https://example.com/", "ftp://example.com/", "http://a@127.0.0.1/"])(
    "for %s is refused: 400",
    async (url) => {
      expect((await send(await rentOne(), url)).answer.statusCode).toBe(400);
    },
  );
});

describe("a wrong or missing login", () => {
  test("gets 407 with the way to send it, and nothing is passed on", async () => {
    const proxy = await rentOne();
    const target = await startBare();
    const url = `http://127.0.0.1:${target.port}/`;
    const { login } = proxy.authInfo;
    for (const header of [
      [],
      "",
      "Basic",
      `Basic ${Buffer.from(`${login}:guess`).toString("base64")}`,
      toBasic(proxy).replace("Basic", "Bearer"),
    ]) {
      const headers = { "Proxy-Authorization": header };
      const { answer } = await send(proxy, url, { headers });
      expect(answer.statusCode).toBe(407);
      expect(answer.headers["proxy-authenticate"]).toBe('Basic realm="proxy"');
    }
    expect(target.guests.size).toBe(0);
  });

  test("gets 407 for a tunnel too, with all data sent after it, and again on a new connection", async () => {
    const proxy = await rentOne();
    const target = await startBare();
    for (const header of ["", "Proxy-Authorization: Basic eDp5\r\n"]) {
      const socket = await dial(proxy.httpsPort);
      socket.write(`CONNECT 127.0.0.1:${target.port} HTTP/1.1\r\n${header}\r\n`);
      socket.write("x".repeat(100_000));
      const answer = await hear(socket);
      expect(answer).toMatch(/^HTTP\/1\.1 407 Proxy Authentication Required\r\n/);
      expect(answer).toContain('\r\nProxy-Authenticate: Basic realm="proxy"\r\n');
    }
    expect(target.guests.size).toBe(0);
  });

  test("is in no answer", async () => {
    const proxy = await rentOne();
    const { login, password } = proxy.authInfo;
    const guess = { ...proxy, authInfo: { login, password: `${password}x` } };
    const { answer, body } = await send(guess, "http://127.0.0.1:1/");
    const { body: failure } = await send(proxy, "http://127.0.0.1:1/");
    for (const secret of [login, password, toBasic(proxy), toBasic(guess)]) {
      expect(`${answer.rawHeaders} ${body} ${failure}`).not.toContain(secret);
    }
  });

  test("is right with its scheme in upper or lower case", async () => {
    const proxy = await rentOne();
    const headers = { "Proxy-Authorization": toBasic(proxy).replace("Basic", "BASIC") };
    const { answer } = await send(proxy, `http://${await startEcho()}/`, { headers });
    expect(answer.statusCode).toBe(200);
  });
});

describe("a tunnel", () => {
  test("works with names and IPv6 addresses too", async () => {
    const proxy = await rentOne();
    const echo = await startEcho();
    for (const host of [echo.replace("127.0.0.1", "localhost"), await startEcho("::1")]) {
      const page = await fetchThrough(handOn(proxy, "url", "http"), `http://${host}/`);
      expect(page).toContain(`"host":["${host}"]`);
    }
  });

  test("passes on data that was sent before it was open", async () => {
    const proxy = await rentOne();
    const target = await startBare((socket) => void socket.pipe(socket));
    const socket = await dial(proxy.httpsPort);
    const head = `CONNECT 127.0.0.1:${target.port} HTTP/1.1\r\nProxy-Authorization: ${toBasic(proxy)}\r\n\r\n`;
    socket.end(`${head}early`);
    expect(await hear(socket)).toBe("HTTP/1.1 200 Connection established\r\n\r\nearly");
  });

  test.each([
    ["127.0.0.1:1", 502],
    ["nowhere.invalid:80", 502],
    ["127.0.0.1", 400],
    ["http://127.0.0.1:1/", 400],
    ["127.0.0.1:123456", 400],
  ])("to %s gets %d", async (target, status) => {
    const proxy = await rentOne();
    const socket = await dial(proxy.httpsPort);
    socket.write(`CONNECT ${target} HTTP/1.1\r\nProxy-Authorization: ${toBasic(proxy)}\r\n\r\n`);
    expect(await hear(socket)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });

  test("passes on the client's end, and stays open the other way", async () => {
    const proxy = await rentOne();
    const target = await startBare(
      (socket) => {
        socket.on("data", () => {});
        socket.on("end", () => socket.end("after your end"));
      },
      { allowHalfOpen: true },
    );
    const tunnel = await openTunnel(proxy, target.port);
    tunnel.end("all I have to say");
    expect(await hear(tunnel)).toBe("after your end");
    await expect.poll(() => target.guests.size, soon).toBe(0);
  });

  test("passes on the target's end, and stays open the other way", async () => {
    const proxy = await rentOne();
    const received = Promise.withResolvers<string>();
    const target = await startBare(
      (socket) => {
        socket.end("all I have to say");
        received.resolve(hear(socket));
      },
      { allowHalfOpen: true },
    );
    const tunnel = await openTunnel(proxy, target.port, true);
    expect(await hear(tunnel)).toBe("all I have to say");
    tunnel.end("after your end");
    expect(await received.promise).toBe("after your end");
  });
});

test("bytes that are no HTTP get 400, and the proxy goes on", async () => {
  const proxy = await rentOne();
  const socket = await dial(proxy.httpsPort);
  socket.write(Buffer.from([5, 1, 0, 13, 10, 13, 10]));
  expect(await hear(socket)).toMatch(/^HTTP\/1\.1 400 /);
  const page = `http://${await startEcho()}/`;
  expect(await fetchThrough(handOn(proxy, "url", "http"), page)).toContain("GET");
});
