import { appendFile, mkdir, readFile, writeFile } from "node:fs/promises";
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

  async function writeExample(cwd: string, example: PolicyExample, folder = "policy"): Promise<void> {
    const contract = chain.contractOf(example);
    const named = ["--example", example, "--vm", vm, "--chain-id", chain.chainId, "--contract", contract];
    expect((await runCli(["score", "new", folder, ...named], cwd)).status).toBe(0);
    await appendFile(join(cwd, folder, "policy.toml"), `\n[window]\nblocks = [${window.first}, ${window.last}]\n`);
  }

  test.each(policyExamples)("%s gives the scores of the acts, which an audit reproduces", async (example) => {
    const [cwd, other] = [temporaryFolder(), temporaryFolder()];
    await writeExample(cwd, example);
    await writeExample(other, example);
    const args = ["score", "run", "policy", "--stage", "1", "--out", "scores.csv", "--vm", vm, ...chain.endpoint];
    const result = await runCli([...args, "--json"], cwd);
    expect(result.stderr).not.toMatch(/error/i);
    expect(result.status).toBe(0);
    // What one folder published, another reproduces from the chain.
    const audit = ["audit", join(cwd, "scores.manifest.json"), "--policy", "policy", "--vm", vm, ...chain.endpoint];
    const audited = await runCli([...audit, "--json"], other);
    expect(audited.json()).toMatchObject({ reproduced: true, differences: [] });
    const scores = await readScores(join(cwd, "scores.csv"), { accountBytes: [20, 32] });
    const found = Object.fromEntries(
      [...scores].filter(({ score }) => score > 0n).map(({ account, score }) => [account, score]),
    );
    expect(found).toEqual(expectedScores(example, placed, window));
  });

  test("a policy with twice the points is compared with the one before, over the same blocks", async () => {
    const cwd = temporaryFolder();
    for (const folder of ["old", "new"]) await writeExample(cwd, "game", folder);
    const toml = await readFile(join(cwd, "old", "policy.toml"), "utf8");
    await writeFile(join(cwd, "old", "policy.toml"), toml.replace(/^blocks = .*$/m, "blocks = [1, 1]"));
    const sql = await readFile(join(cwd, "new", "policy.sql"), "utf8");
    await writeFile(join(cwd, "new", "policy.sql"), sql.replace(/\bsum\(/, "2 * sum("));
    const address = chain.contractOf("game");
    await mkdir(join(cwd, ".vipscore"));
    const deployed = JSON.stringify({ [`${vm}:${chain.chainId}`]: { address } });
    await writeFile(join(cwd, ".vipscore", "deployments.json"), deployed);
    const args = ["score", "compare", "old", "new", "--stage", "1", "--vm", vm, ...chain.endpoint, "--json"];
    const compared = (await runCli([...args, "--announce", "post.md"], cwd)).json();
    const scores = Object.values(expectedScores("game", placed, window));
    const total = scores.reduce((sum, score) => sum + score, 0n);
    expect(compared).toMatchObject({
      before: { total: `${total}`, accounts: scores.length },
      after: { total: `${2n * total}`, accounts: scores.length },
      accounts: { entered: 0, left: 0, higher: scores.length },
      largest: { "gains by share": [], "losses by share": [], "gains by rank": [] },
      files: [{ name: "policy.sql" }, { name: "policy.toml" }],
    });
    expect(await readFile(join(cwd, "post.md"), "utf8")).toContain(`Scoring contract: \`${address}\``);
  });
});
