import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { it } from "vitest";
import { makeSdk } from "./generated-sdk.ts";
import { readPublishedPrograms } from "./published-programs.ts";
import { describeWith, runTool } from "./tools.ts";

describeWith("Java", ["mvn", "javac", "go"], () => {
  it("compiles the SDK with the libraries that it asks for, and each program that the registry shows", async () => {
    const sdk = await makeSdk("java");
    const gradle = await readFile(join(sdk, "build.gradle"), "utf8");
    await writeFile(join(sdk, "pom.xml"), writePom(gradle));
    const programs = readPublishedPrograms("java");
    for (const [name, text] of programs) {
      const folder = join(sdk, "src/main/java/app", name);
      await mkdir(folder, { recursive: true });
      await writeFile(
        join(folder, "App.java"),
        text.replace("package app;", `package app.${name};`),
      );
    }
    await runTool(sdk, "mvn", "--batch-mode", "--quiet", "compile");
    const compiled = programs.map(([name]) => join(sdk, "target/classes/app", name, "App.class"));
    await Promise.all(compiled.map((file) => readFile(file)));
  });
});

/** The SDK comes with a build for Gradle. This one is for Maven, with the same libraries and the same Java. */
function writePom(gradle: string): string {
  const libraries = Array.from(
    gradle.matchAll(/implementation\("([^:]+):([^:]+):([^"]+)"\)/g),
    ([, group, artifact, version]) => `
    <dependency>
      <groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version>
    </dependency>`,
  );
  const [, release] = /JavaLanguageVersion\.of\((\d+)\)/.exec(gradle) ?? [];
  return `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>sdk</groupId><artifactId>sdk</artifactId><version>0</version>
  <properties>
    <maven.compiler.source>${release}</maven.compiler.source>
    <maven.compiler.target>${release}</maven.compiler.target>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies>${libraries.join("")}
  </dependencies>
</project>
`;
}
