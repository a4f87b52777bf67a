// A stage on a local chain, from a file to a proof, with the types that a program would name; then its events and its indexer.
import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { privateKeyToAccount } from "viem/accounts";
import type { HexAddress } from "@vipscore/blocks";
import { openEvmRpc, readEvmEvents } from "@vipscore/blocks/evm";
import {
  finalizeStage,
  Journal,
  planPush,
  push,
  readScores,
  stage,
  VipError,
  type Account,
  type ErrorCode,
  type PushEvent,
  type Score,
  type ScoreContract,
} from "@vipscore/core";
import { readNodeFile, writeNodeFile } from "@vipscore/core/nodeFile";
import { testAccounts } from "@vipscore/core/testAccounts";
import { connectEvm, deployEvm, vipScoreAbi } from "@vipscore/evm";
import artifact from "@vipscore/evm/artifacts/VipScore.json" with { type: "json" };
import { startIndexer } from "@vipscore/indexer";
import { getStatus, openIndexer } from "@vipscore/indexer-client";
import { startHardhat } from "@vipscore/localnet";
import { buildSnapshot, verifyProof, type SnapshotLeaf } from "@vipscore/snapshot";

export const names: readonly string[] = vipScoreAbi.flatMap((entry) => ("name" in entry ? [entry.name] : []));
export const bytecode: string = artifact.bytecode;
export const largest = (scores: ReadonlyMap<Account, Score>): Score =>
  [...scores.values()].reduce((most, score) => (score > most ? score : most), 0n);
export const codeOf = (error: unknown): ErrorCode | undefined => (error instanceof VipError ? error.code : undefined);

const node = await startHardhat();
try {
  const { rpcUrl } = node;
  await writeNodeFile(".", node);
  assert.equal((await readNodeFile("."))?.rpcUrl, rpcUrl);
  const account = privateKeyToAccount(testAccounts.deployer.privateKey);
  const { address } = await deployEvm({ rpcUrl, account, initStage: stage(1n) });
  const contract: ScoreContract = await connectEvm({ rpcUrl, address, account });
  await writeFile("scores.csv", `address,score\n${testAccounts.operator.address},40\n${account.address},2\n`);
  const table = await readScores("scores.csv", { accountBytes: contract.accountBytes });
  await rm("stage1.jsonl", { force: true });
  const journal = await Journal.open("stage1.jsonl", { identity: contract.identity, stage: stage(1n) });
  const plan = await planPush(contract, stage(1n), table, { journal });
  const events: PushEvent[] = [];
  for await (const event of push(contract, plan, { journal })) events.push(event);
  await finalizeStage(contract, stage(1n), { expect: table, journal });
  await journal.close();
  assert.equal((await contract.getStage(stage(1n)))?.isFinalized, true);

  const { total } = table;
  const snapshot = buildSnapshot({ bridgeId: 1n, stage: 1n, rows: table, total });
  const [leaf]: readonly SnapshotLeaf[] = [...snapshot];
  if (leaf === undefined) throw new Error("no leaf");
  // @ts-expect-error A score is a bigint.
  if (leaf.score === 1) throw new Error("one point");
  assert.equal(verifyProof({ bridgeId: 1n, stage: 1n, total, root: snapshot.root ?? "", ...leaf }), true);

  const indexer = await startIndexer({ source: { jsonRpcUrl: rpcUrl } });
  assert.equal((await getStatus(openIndexer(indexer.url))).chain_id, node.chainId);
  await indexer.stop();

  const last = Number(await contract.getHeight());
  const range = {
    addresses: [address.toLowerCase() as HexAddress],
    first: 1,
    last,
    signal: new AbortController().signal,
  };
  let written = 0;
  for await (const part of readEvmEvents(openEvmRpc(rpcUrl), range)) written += part.events.length;
  assert.notEqual(written, 0);
} finally {
  await node.stop();
}
console.log("a finalized stage, its proof, its events, the indexer");
