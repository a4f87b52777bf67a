import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { allFeatures, noFeatures } from "@vipscore/core/engine";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { overflowWarning, readWasmArtifact, vipScoreFile } from "./wasmArtifact.ts";

const folder = temporaryFolder();

const contracts = fileURLToPath(new URL("../../../contracts/wasm/", import.meta.url));
const ours = readFileSync(vipScoreFile);

/** Writes code like ours in which a name is spelled differently, and returns its path. */
function renamed(name: string): string {
  const code = Buffer.from(ours);
  for (let at = code.indexOf(name); at !== -1; at = code.indexOf(name)) code[at] = "X".charCodeAt(0);
  return file(code);
}

function file(content: string | Buffer): string {
  const path = join(folder, "contract.wasm");
  writeFileSync(path, content);
  return path;
}

test("a contract has the features of its messages and queries", async () => {
  expect((await readWasmArtifact(vipScoreFile)).features).toEqual(allFeatures);
  const reference = join(contracts, "reference_shape/artifacts/reference_shape.wasm");
  expect((await readWasmArtifact(reference)).features).toEqual(noFeatures);
  for (const [name, feature] of [
    ["finalize_stage_checked", "checkedFinalize"],
    ["update_scores_packed", "packed"],
    ["set_finalizer", "roles"],
  ] as const) {
    expect((await readWasmArtifact(renamed(name))).features).toEqual({ ...allFeatures, [feature]: false });
  }
});

test("code with other panics, and none of an overflow, was built without checks of overflows", () => {
  const checked = readFileSync(join(contracts, "reference_shape/artifacts/reference_shape.wasm"));
  expect(overflowWarning(checked)).toBeUndefined();
  const wraps = Buffer.from(checked.toString("latin1").replaceAll(" with overflow", " with overfl0w"), "latin1");
  expect(overflowWarning(wraps)).toMatch(/\boverflow-checks = true\b/);
  // Ours has no text of any panic.
  expect(overflowWarning(ours)).toBeUndefined();
});

test.each<[string, () => string, RegExp]>([
  ["a text", () => file("hello"), /instantiate/],
  ["an empty file", () => file(""), /instantiate/],
  ["half of a contract", () => file(ours.subarray(0, ours.length / 2)), /instantiate/],
  ["another contract", () => join(contracts, "cw721_fixture/artifacts/cw721_fixture.wasm"), /update_scores/],
  ["a contract without a published message", () => renamed("increase_score"), /: increase_score$/],
])("%s is refused", async (_, make, named) => {
  await expect(readWasmArtifact(make())).rejects.toMatchObject({
    code: "INPUT_INVALID",
    shortMessage: expect.stringMatching(named) as string,
  });
});

test("a file that does not exist is reported", async () => {
  await expect(readWasmArtifact(join(folder, "none.wasm"))).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
});
