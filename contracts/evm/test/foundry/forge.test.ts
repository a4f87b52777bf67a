import { spawnSync } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { stagePackages } from "../../proofs/stagePackages.ts";

const project = join(import.meta.dirname, "../..");
const forge = join(project, "../../node_modules/.bin/forge");
let folder: string;

/** The example in a folder of its own below the repository, whose solc it takes. */
beforeAll(async () => {
  const parent = join(project, "proofs/cache");
  await mkdir(parent, { recursive: true });
  folder = await mkdtemp(join(parent, "foundry-"));
  for (const name of ["contracts", "foundry.toml", "test"])
    await cp(join(project, "examples", name), join(folder, name), { recursive: true });
  await stagePackages(folder);
});

afterAll(() => rm(folder, { recursive: true }));

async function codeOf(file: string, read: (artifact: Record<string, unknown>) => unknown): Promise<unknown> {
  return read(JSON.parse(await readFile(file, "utf8")) as Record<string, unknown>);
}

test("Foundry runs the tests of the example, and builds the code that Hardhat builds", async () => {
  const { status, stdout, stderr } = spawnSync(forge, ["test", "--json"], { cwd: folder, encoding: "utf8" });
  if (status !== 0) expect.fail(stderr);
  const suites = JSON.parse(stdout.slice(stdout.indexOf("{"))) as Readonly<
    Record<string, { readonly test_results: Readonly<Record<string, { readonly status: string }>> }>
  >;
  const results = Object.values(suites).flatMap(({ test_results: ofSuite }) => Object.values(ofSuite));
  expect(results.map(({ status: each }) => each)).toEqual(["Success", "Success", "Success"]);
  const name = "CappedScores.sol/CappedScores.json";
  const built = await codeOf(
    join(folder, "out", name),
    ({ bytecode }) => (bytecode as { readonly object: string }).object,
  );
  const hardhat = join(project, "artifacts/examples/contracts", name);
  expect(built).toBe(await codeOf(hardhat, ({ bytecode }) => bytecode));
});
