// A stage on a local chain: deployed, pushed, finalized, and read back as events; the chain's NFT indexer answers.
import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { privateKeyToAccount } from "viem/accounts";
import { openEvmRpc, readEvmEvents } from "@vipscore/blocks/evm";
import { finalizeStage, Journal, planPush, push, readScores, stage } from "@vipscore/core";
import { readNodeFile, writeNodeFile } from "@vipscore/core/nodeFile";
import { testAccounts } from "@vipscore/core/testAccounts";
import { connectEvm, deployEvm } from "@vipscore/evm";
import { startIndexer } from "@vipscore/indexer";
import { getStatus, openIndexer } from "@vipscore/indexer-client";
import { startHardhat } from "@vipscore/localnet";

const node = await startHardhat();
try {
  const { rpcUrl } = node;
  await writeNodeFile(".", node);
  assert.equal((await readNodeFile("."))?.rpcUrl, rpcUrl);
  const account = privateKeyToAccount(testAccounts.deployer.privateKey);
  const { address } = await deployEvm({ rpcUrl, account, initStage: stage(1n) });
  const contract = await connectEvm({ rpcUrl, address, account });
  await writeFile("scores.csv", `address,score\n${testAccounts.operator.address},40\n${account.address},2\n`);
  const table = await readScores("scores.csv", { accountBytes: contract.accountBytes });
  await rm("stage1.jsonl", { force: true });
  const journal = await Journal.open("stage1.jsonl", { identity: contract.identity, stage: stage(1n) });
  const plan = await planPush(contract, stage(1n), table, { journal });
  for await (const event of push(contract, plan, { journal })) assert.ok(event.type);
  await finalizeStage(contract, stage(1n), { expect: table, journal });
  await journal.close();
  assert.equal((await contract.getStage(stage(1n))).isFinalized, true);

  const indexer = await startIndexer({ source: { jsonRpcUrl: rpcUrl } });
  assert.equal((await getStatus(openIndexer(indexer.url))).chain_id, node.chainId);
  await indexer.stop();

  const rpc = openEvmRpc(rpcUrl);
  const last = Number(await contract.getHeight());
  const range = { addresses: [address.toLowerCase()], first: 1, last, signal: new AbortController().signal };
  let events = 0;
  for await (const part of readEvmEvents(rpc, range)) events += part.events.length;
  assert.notEqual(events, 0);
} finally {
  await node.stop();
}
console.log("a finalized stage, its events, the indexer");
