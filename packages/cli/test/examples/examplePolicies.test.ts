import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { readScores } from "@vipscore/core";
import { policyExamples, type PolicyExample } from "@vipscore/policy";
import { started } from "@vipscore/testkit/started";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { runCli } from "../harness.ts";
import { countedActs, earlierActs, expectedScores, laterActs, type PlacedAct } from "./activity.ts";
import { startEvmActivity } from "./evmActivity.ts";
import { startMoveActivity } from "./moveActivity.ts";
import { startWasmActivity } from "./wasmActivity.ts";

describe.each([
  ["evm", startEvmActivity],
  ["move", startMoveActivity],
  ["wasm", startWasmActivity],
] as const)("on %s", (vm, start) => {
  const chain = started(() => start());
  const placed: PlacedAct[] = [];
  let window: { readonly first: number; readonly last: number };

  beforeAll(async () => {
    const place = async (acts: typeof countedActs): Promise<readonly number[]> => {
      const heights: number[] = [];
      for (const act of acts) {
        const height = await chain.act(act);
        placed.push({ act, height, time: await chain.timeOf(height) });
        heights.push(height);
      }
      return heights;
    };
    await place(earlierActs);
    const counted = await place(countedActs);
    window = { first: counted[0] ?? 0, last: counted.at(-1) ?? 0 };
    await place(laterActs);
  });

  async function writeExample(cwd: string, example: PolicyExample): Promise<void> {
    const contract = chain.contractOf(example);
    const named = ["--example", example, "--vm", vm, "--chain-id", chain.chainId, "--contract", contract];
    expect((await runCli(["score", "new", "policy", ...named], cwd)).status).toBe(0);
    await appendFile(join(cwd, "policy", "policy.toml"), `\n[window]\nblocks = [${window.first}, ${window.last}]\n`);
  }

  const run = (cwd: string, out: string) =>
    runCli(["score", "run", "policy", "--stage", "1", "--out", out, "--vm", vm, ...chain.endpoint, "--json"], cwd);

  test.each(policyExamples)("%s gives the scores of the acts, the same in two folders", async (example) => {
    const folders = [temporaryFolder(), temporaryFolder()] as const;
    const texts: string[] = [];
    const evidence: { sha256: unknown; sources: unknown; policy: unknown }[] = [];
    for (const cwd of folders) {
      await writeExample(cwd, example);
      const result = await run(cwd, "scores.csv");
      expect(result.stderr).not.toMatch(/error/i);
      expect(result.status).toBe(0);
      const { sha256, sources, policy } = result.json() as Readonly<Record<string, unknown>>;
      evidence.push({ sha256, sources, policy });
      texts.push(await readFile(join(cwd, "scores.csv"), "utf8"));
    }
    // Stored data give the same.
    const again = await run(folders[0], "again.csv");
    expect(again.json()["sha256"]).toBe(evidence[0]?.sha256);
    // What one folder published, another reproduces.
    const manifest = join(folders[0], "scores.manifest.json");
    const args = ["audit", manifest, "--policy", "policy", "--vm", vm, ...chain.endpoint, "--json"];
    expect((await runCli(args, folders[1])).json()).toMatchObject({ reproduced: true, differences: [] });
    expect(evidence[1]).toEqual(evidence[0]);
    expect(texts[1]).toBe(texts[0]);
    const scores = await readScores(join(folders[0], "scores.csv"), { accountBytes: [20, 32] });
    const found = Object.fromEntries(
      [...scores].filter(({ score }) => score > 0n).map(({ account, score }) => [account, score]),
    );
    expect(found).toEqual(expectedScores(example, placed, window));
  });
});
