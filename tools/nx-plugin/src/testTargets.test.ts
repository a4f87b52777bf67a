import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { testTargets } from "./testTargets.mjs";

/** Returns the commands of the test targets of a package with these files. */
async function commandsOf(root: string, files: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const workspace = await mkdtemp(join(tmpdir(), "vipscore-targets-"));
  onTestFinished(() => rm(workspace, { recursive: true }));
  for (const file of ["package.json", ...files]) {
    const path = join(workspace, root, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, "");
  }
  const targets = Object.entries(testTargets(root, workspace));
  return Object.fromEntries(targets.map(([name, { command = "" }]) => [name, command]));
}

test("each folder with tests is a target", async () => {
  const files = ["src/a/b.test.ts", "test-quick/c.test.ts", "test/d.test.ts", "test-long/e.test.ts", "test-docs/f.ts"];
  expect(await commandsOf("tools/a", files)).toEqual({
    test: "vitest run --mode quick",
    "test-node": "vitest run --mode node",
    "test-long": "vitest run --mode long",
  });
});

test("a package without unit tests and without quick tests has no target `test`", async () => {
  expect(await commandsOf("tools/a", ["src/a.ts", "test/d.test.ts"])).toEqual({
    "test-node": "vitest run --mode node",
  });
});

test("a published package has its coverage measured", async () => {
  expect(await commandsOf("packages/a", ["test-quick/c.test.ts"])).toEqual({
    test: "vitest run --mode quick",
    "test-coverage": "vitest run --mode coverage",
  });
});
