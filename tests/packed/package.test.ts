import { afterAll } from "vitest";
import { installPackage } from "../../toolchain/installed-package.ts";
import { describeCommand } from "./command.ts";
import { describeContents } from "./contents.ts";
import { describeEntryPoints } from "./entry-points.ts";
import { describeJournalLibraries } from "./journal-libraries.ts";
import { describePrograms } from "./programs.ts";
import { project } from "./project.ts";
import { describeSimulator } from "./simulator.ts";

// One file, since it takes longer to install the package than to try most of what is in it.
const installed = await installPackage(project);
afterAll(() => installed.remove());

describeContents(installed);
describeEntryPoints(installed);
describePrograms(installed);
describeCommand(installed);
describeSimulator(installed);
await describeJournalLibraries(installed);
