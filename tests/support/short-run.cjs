// For the Node.js of a command, which lives for about a second.
const Module = require("node:module");
const { setFlagsFromString } = require("node:v8");

// The SDK sets this flag of V8 in the middle of its loading, and V8 takes nothing back that was compiled under
// other flags. Set before all else, it lets each process have what another has compiled.
setFlagsFromString("--allow-natives-syntax");

// Code that is faster in the long run, and threads beside the program's own, cost more than they save in a second.
setFlagsFromString("--no-opt");
setFlagsFromString("--single-threaded-gc");

// More than half of all modules that the SDK loads belong to npm's own machinery, which it needs for functions that
// are not ours alone to serialise. They come when they are asked for, and otherwise not at all.
const load = Module._load;
Module._load = function (request, ...rest) {
  const loadNow = () => load.call(this, request, ...rest);
  if (request !== "@npmcli/arborist") return loadNow();
  return new Proxy({}, { get: (_, name) => name === "__esModule" || loadNow()[name] });
};
