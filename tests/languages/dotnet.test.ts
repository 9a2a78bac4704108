import { it } from "vitest";
import { makeSdk } from "./generated-sdk.ts";
import { describeWith, runTool } from "./tools.ts";

describeWith(".NET", ["dotnet", "go"], () => {
  it("compiles the SDK", async () => {
    const sdk = await makeSdk("dotnet");
    await runTool(sdk, "dotnet", "build", "--nologo");
  });
});
