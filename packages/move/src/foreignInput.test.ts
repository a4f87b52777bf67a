// Whatever a node or a file sends, a reader takes it or refuses it.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fuzzReader } from "@vipscore/testkit/fuzzReader";
import { parseModuleAddress } from "./moveAddress.ts";
import { moduleAddress, ModuleBinaryError } from "./moveArtifact.ts";
import { parseFailure } from "./parseFailure.ts";

test("a compiled module", async () => {
  const ours = await readFile(join(import.meta.dirname, "../artifacts/vip_score.mv"));
  const read = (text: string): void => void moduleAddress(Buffer.from(text, "latin1"));
  expect(
    await fuzzReader([ours.toString("latin1")], read, (error) => error instanceof ModuleBinaryError),
  ).toBeGreaterThan(0);
});

test("the text of a failed transaction", async () => {
  const abort = "failed to execute message; message index: 0: VM aborted: location=000475::vip_score, code=65544";
  const read = (text: string): void => expect(parseFailure({ log: text })).toHaveProperty("details");
  expect(await fuzzReader([abort, "VM error: status OUT_OF_GAS\nBacktrace: x"], read, () => false)).toBeGreaterThan(0);
});

test("an address", async () => {
  const valid = ["0x1", `0x${"c8".repeat(32)}`, "init1ch49tkg2ap8rqa3z7xutzdf4asl07pr4nx0ps6"];
  expect(await fuzzReader(valid, parseModuleAddress)).toBeGreaterThan(0);
});
