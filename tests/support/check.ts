import { execa } from "execa";

/** These run at the same time: the compiler alone takes as long as all the others together. */
const checks = ["check:types", "check:reference", "check:lint", "check:dead", "check:layers"];

const results = await Promise.all(
  checks.map(async (name) => {
    const { exitCode, all } = await execa("npm", ["run", "--silent", name], {
      reject: false,
      all: true,
      stdin: "ignore",
    });
    const isClean = exitCode === 0;
    console.log(`${isClean ? "✓" : "✗"} ${name}`);
    if (all !== "") console.log(all);
    return isClean;
  }),
);
process.exitCode = results.every(Boolean) ? 0 : 1;
