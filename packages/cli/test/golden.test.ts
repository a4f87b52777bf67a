import { afterAll, beforeAll, expect, test } from "vitest";
import { addressOf, csvOf, startTestChain, type CliResult, type TestChain } from "./harness.ts";

// The only two outputs of the command that tests compare word by word; `npx vitest run -u test/golden.test.ts` accepts new
// words. All other tests assert codes and values (T2 in docs/guidelines.md).

let chain: TestChain;
beforeAll(async () => {
  chain = await startTestChain();
  await chain.deploy();
});
afterAll(() => chain[Symbol.asyncDispose]());

/** Returns the output that a person sees, without the port and the hashes, which a change of the gas limit changes. */
function shownBy({ status, stdout, stderr }: CliResult): string {
  const progress = stderr
    .replaceAll(chain.node.rpcUrl, "http://127.0.0.1:8545")
    .replaceAll(/\b0x[0-9a-f]{64}\b/g, "<hash>");
  return `status ${status}\n--- stdout\n${stdout}--- stderr\n${progress}`;
}

test("golden: the plan and the result of a push", async () => {
  await chain.write("scores.csv", csvOf(400));
  expect(shownBy(await chain.cli(["push", "scores.csv", "--stage", "1"]))).toMatchInlineSnapshot(`
    "status 0
    --- stdout
    scores.csv  400 rows, total 479,800, sha256 aa37…05
    stage 1     open, total 0, 0 accounts   (chain 31337, contract 0x8E88…3573, height 1)

      add      400     change       0     unchanged           0     to zero          0
      batches    2     gas     22.7 M     price      0.0426 GAS     balance  9,999 GAS

    verified  400 accounts and the total agree with scores.csv at height 3 (sha256 of the chain's table aa37…05)
    --- stderr
    signer    0xc5ea55d90Ae84e307622f1b8B13535Ec3Eff0475  (public test account, local node)
    endpoint  http://127.0.0.1:8545  (.vipscore/node.json)
    contract  0x8E88A58b6912513002Ec36023CBCe51106ee3573  (.vipscore/deployments.json)
    batch 1 of 2  296/400 rows  block 2  gas 16.2 M  <hash>
    batch 2 of 2  400/400 rows  block 3  gas 5.7 M  <hash>
    "
  `);
});

test("golden: a refusal, with each rejected row", async () => {
  await chain.write("bad.csv", `address,score\n${addressOf(1)},12.5\n${addressOf(2)},7\n${addressOf(3)},-1\n`);
  expect(shownBy(await chain.cli(["push", "bad.csv", "--stage", "1"]))).toMatchInlineSnapshot(`
    "status 2
    --- stdout
    --- stderr
    bad.csv:2  score "12.5" is not an integer; use --scale 1 to count in tenths
    bad.csv:4  score "-1" is negative; scores go from 0 to 18446744073709551615
    2 rows of bad.csv refused, nothing was sent.                             [INPUT_INVALID, exit 2]
    "
  `);
});
