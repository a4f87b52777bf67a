import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { buildSnapshot, formatProofs, type CheckedProofs } from "../src/index.ts";

/** The package as a browser gets it; fails if it needs a module of Node. */
async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("../src/index.ts", import.meta.url))],
    bundle: true,
    write: false,
    platform: "browser",
    format: "iife",
    globalName: "snapshot",
    conditions: ["@vipscore/source"],
  });
  return outputFiles[0]!.text;
}

test("without Node the same root, by JavaScript's SHA3", async () => {
  // Nothing of Node is in the context: no process, no Buffer, no require.
  const context = createContext({ TextEncoder });
  runInContext(await bundle(), context);
  const rows = Array.from({ length: 33 }, (_, index) => ({
    account: `0x${(index + 1).toString(16).padStart(40, "0")}`,
    score: BigInt(index),
  }));
  const total = rows.reduce((sum, { score }) => sum + score, 0n);
  Object.assign(context, { options: { bridgeId: 1n, stage: 2n, rows, total } });
  const built = buildSnapshot({ bridgeId: 1n, stage: 2n, rows, total });
  expect(runInContext("typeof process + snapshot.buildSnapshot(options).root", context)).toBe(`undefined${built.root}`);
  // A page reads what its user typed: an address of a wallet.
  const leaves = [built.leafOf(rows[7]!.account)!];
  let file = "";
  for await (const piece of formatProofs(built, leaves, undefined)) file += piece;
  Object.assign(context, { file });
  const typed = "init1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqgrpyqjz";
  const checked = runInContext(
    `snapshot.checkProofs(file, { account: "${typed}" })`,
    context,
  ) as Promise<CheckedProofs>;
  expect(await checked).toMatchObject({ wrongCount: 0, leaf: { score: 7n } });
});
