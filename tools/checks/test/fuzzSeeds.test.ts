import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { defaultSeed } from "@vipscore/testkit/fuzzSeed";

const root = join(import.meta.dirname, "../../..");

it.each([
  ["tools/vipnode/test/fuzztest/fuzztest.go", /^const defaultSeed = (\d+)$/m],
  ["contracts/wasm/src/testing/random.rs", /^const DEFAULT_SEED: u64 = (\d+);$/m],
])("random tests of %s have the seed of those in TypeScript", (path, seed) => {
  expect(seed.exec(readFileSync(join(root, path), "utf8"))?.[1]).toBe(String(defaultSeed));
});
