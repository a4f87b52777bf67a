// Deploys to a local chain, pushes three rows and verifies them.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { privateKeyToAccount } from "viem/accounts";
import { planPush, push, readScores, stage, verifyScores } from "@vipscore/core";
import { connectEvm, deployEvm } from "@vipscore/evm";
import { startHardhat, testAccounts } from "@vipscore/localnet";

const { deployer, operator } = testAccounts;
const third = "0x00000000000000000000000000000000000000a1";
writeFileSync("scores.csv", `address,score\n${deployer.address},350\n${operator.address},1200\n${third},350\n`);
const node = await startHardhat();
try {
  const { rpcUrl } = node;
  const account = privateKeyToAccount(deployer.privateKey);
  const { address } = await deployEvm({ rpcUrl, account, initStage: stage(1n) });
  const contract = await connectEvm({ rpcUrl, address, account });
  const table = await readScores("scores.csv", { accountBytes: contract.accountBytes });
  const plan = await planPush(contract, stage(1n), table);
  let events = 0;
  for await (const _event of push(contract, plan)) events += 1;
  const { agrees, accounts, total } = await verifyScores(contract, stage(1n), table);
  assert.deepEqual([agrees, accounts, total.contract], [true, 3, 1900n]);
  console.log(`verified ${accounts} rows after ${events} events`);
} finally {
  await node.stop();
}
