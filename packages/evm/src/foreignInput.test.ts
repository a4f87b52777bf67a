// Whatever a node or a file sends, a reader takes it or refuses it with a code.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fuzzReader } from "@vipscore/testkit/fuzzReader";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { parseContractAddress } from "./evmAddress.ts";
import { readEvmArtifact } from "./evmArtifact.ts";
import { decodeRows } from "./vipScoreState.ts";

const word = (value: number | string): string => value.toString(16).padStart(64, "0");
const page = [word(64), word(0), word(1), word("8cad25ec80a10522c258e2f59abf0006c9445d1b"), word(7), word(1)].join("");

test("a page of rows", async () => {
  const read = (text: string): void => {
    // An answer is checked to be hex first.
    const digits = text.replaceAll(/[^0-9a-f]/gi, "").slice(0, 100_000);
    const rows = decodeRows(`0x${digits}`, { account: 0, score: 1, key: 2 }) ?? [];
    expect(rows.length * 192).toBeLessThanOrEqual(digits.length);
  };
  expect(await fuzzReader([page], read, () => false)).toBeGreaterThan(0);
});

test("an address", async () => {
  expect(await fuzzReader(["0xc5ea55d90Ae84e307622f1b8B13535Ec3Eff0475"], parseContractAddress)).toBeGreaterThan(0);
});

test("an artifact", async () => {
  const folder = temporaryFolder();
  const file = join(folder, "artifact.json");
  const read = async (text: string): Promise<void> => {
    await writeFile(file, text);
    await readEvmArtifact(file);
  };
  const ours = await readFile(join(import.meta.dirname, "../artifacts/VipScore.json"), "utf8");
  expect(await fuzzReader([ours], read)).toBeGreaterThan(0);
});
