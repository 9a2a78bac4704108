// The SDK sets this flag of V8 in the middle of its loading, and V8 takes nothing back that was compiled under
// other flags. Set before all else, it lets each process have what another has compiled.
require("node:v8").setFlagsFromString("--allow-natives-syntax");
