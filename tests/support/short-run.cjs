// For the Node.js of a command, which lives for about a second.
const { setFlagsFromString } = require("node:v8");

// The SDK sets this flag of V8 in the middle of its loading, and V8 takes nothing back that was compiled under
// other flags. Set before all else, it lets each process have what another has compiled.
setFlagsFromString("--allow-natives-syntax");

// Code that is faster in the long run, and threads beside the program's own, cost more than they save in a second.
setFlagsFromString("--no-opt");
setFlagsFromString("--single-threaded-gc");
