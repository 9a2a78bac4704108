// What the Node.js of a command need not load: it lives for about a second.
const Module = require("node:module");

// Only few programs use most modules that the SDK loads: npm's own machinery, the compiler (for functions of the
// program that the SDK serialises) and the Automation API. Such a module is loaded when something of it is first used.
const deferred = new Set([
  "@npmcli/arborist",
  "normalize-package-data",
  "../../typescript-shim",
  "./automation",
]);

// The SDK takes functions and classes out of these modules at once, but uses them only if a user wants traces.
const deferredParts = new Set([
  "@opentelemetry/exporter-zipkin",
  "@opentelemetry/instrumentation",
  "@opentelemetry/instrumentation-grpc",
  "@opentelemetry/resources",
  "@opentelemetry/sdk-trace-base",
  "@opentelemetry/sdk-trace-node",
]);

// Each call of the SDK takes a stack trace, and this maps the SDK's own code in it back to TypeScript. No test reads that.
const leftOut = new Set(["source-map-support/register"]);

// The SDK starts a debugger's session in each program. Only a program with functions to serialise needs it, and that
// starts it then.
const startedLater = new Set(["../../runtime/closure/v8Hooks"]);

const load = Module._load;
Module._load = function (request, ...rest) {
  const loadNow = () => load.call(this, request, ...rest);
  if (leftOut.has(request)) return {};
  if (startedLater.has(request)) return { isInitializedAsync: async () => undefined };
  if (deferred.has(request)) return later((name) => loadNow()[name]);
  if (deferredParts.has(request)) return later((name) => partOf(loadNow, name));
  return loadNow();
};

function later(get) {
  return new Proxy({}, { get: (_, name) => name === "__esModule" || get(name) });
}

function partOf(loadNow, name) {
  return new Proxy(class {}, {
    get: (_, property) => loadNow()[name][property],
    apply: (_, self, args) => Reflect.apply(loadNow()[name], self, args),
    construct: (_, args) => Reflect.construct(loadNow()[name], args),
  });
}
