// For projects that say `typescript: false`, because Node.js itself runs their programs. The language host that is built
// here is older than the CLI and does not hear that. It would load the compiler and its source maps.
delete process.env.PULUMI_NODEJS_TYPESCRIPT;
