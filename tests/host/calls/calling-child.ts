/** Writes many long lines of calls to a file, as a process of the provider does. */
import { openCallRecord } from "../../../provider/host/calls/call-file.ts";

const [, , file = "", count = "0"] = process.argv;
const observe = openCallRecord(
  { file, bodies: true },
  { apiKey: "key-of-the-account", warn: (message) => console.log(message) },
);
for (let attempt = 1; attempt <= Number(count); attempt += 1) {
  observe?.({
    ...{ endpoint: "listProxies", attempt, ms: 1, httpStatus: 200, answeredAt: undefined },
    ...{ result: { outcome: "ok" }, request: undefined },
    answer: JSON.stringify({ text: String(attempt % 10).repeat(20_000) }),
  });
}
