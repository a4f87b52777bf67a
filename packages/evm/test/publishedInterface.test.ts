import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { expect, inject, test } from "vitest";
import { vipScoreAbi, vipScoreBytecode } from "../src/index.ts";

const file = new URL("../artifacts/VipScore.json", import.meta.url);
const artifact = JSON.parse(await readFile(file, "utf8")) as { readonly abi: unknown; readonly bytecode: string };

test("the sources contain the artifact's ABI and code, and the digest matches the file", async () => {
  expect(vipScoreAbi).toEqual(artifact.abi);
  expect(vipScoreBytecode).toBe(artifact.bytecode);
  const digest = createHash("sha256")
    .update(await readFile(file))
    .digest("hex");
  expect(await readFile(new URL(`${file.href}.sha256`), "utf8")).toBe(`${digest}  VipScore.json\n`);
});

test("the stored code of the reference's shape matches its compiled source", async () => {
  const text = await readFile(new URL("data/referenceShape.json", import.meta.url), "utf8");
  expect((JSON.parse(text) as { readonly bytecode: string }).bytecode).toBe(inject("contracts").reference.bytecode);
});
