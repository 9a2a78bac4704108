// For the Node.js of a command, which lives for about a second.
const Module = require("node:module");
const { setFlagsFromString } = require("node:v8");

// The SDK sets this flag of V8 in the middle of its loading, and V8 takes nothing back that was compiled under
// other flags. Set before all else, it lets each process have what another has compiled.
setFlagsFromString("--allow-natives-syntax");

// Code that is faster in the long run, and threads beside the program's own, cost more than they save in a second.
setFlagsFromString("--no-opt");
setFlagsFromString("--single-threaded-gc");

// Most of what is loaded stays: it is looked for garbage rarely, and then at once.
setFlagsFromString("--semi-space-growth-factor=8");
setFlagsFromString("--no-incremental-marking");

// Most modules that the SDK loads are for what few programs do. They come when something of them is asked for, and
// otherwise not at all: npm's own machinery and the compiler, which the SDK needs for functions of the program that it
// serialises, and the Automation API.
const deferred = new Set([
  "@npmcli/arborist",
  "normalize-package-data",
  "../../typescript-shim",
  "./automation",
]);

// The SDK takes functions and classes out of these at once, and uses them where somebody wants traces.
const deferredParts = new Set([
  "@opentelemetry/exporter-zipkin",
  "@opentelemetry/instrumentation",
  "@opentelemetry/instrumentation-grpc",
  "@opentelemetry/resources",
  "@opentelemetry/sdk-trace-base",
  "@opentelemetry/sdk-trace-node",
]);

const load = Module._load;
Module._load = function (request, ...rest) {
  const loadNow = () => load.call(this, request, ...rest);
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
