import { readFile } from "node:fs/promises";
import { encodeAbiParameters, type Hex } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { finalizeStage, planPush, push, ScoreTable, type PushEvent } from "@vipscore/core";
import { featuresOf } from "@vipscore/core/engine";
import { startHardhat, type LocalNode } from "@vipscore/localnet";
import { accountOf, rowsOf, stageOne } from "@vipscore/testkit/adapter/rows";
import type { EvmScoreContract } from "../src/evmScoreContract.ts";
import { connectEvm } from "../src/index.ts";
import { toAccount } from "../src/toAccount.ts";
import { deployCode, deployer } from "./testContract.ts";

let node: LocalNode;
let contract: EvmScoreContract;
beforeAll(async () => {
  node = await startHardhat();
  const first = encodeAbiParameters([{ type: "uint64" }], [1n]);
  const file = new URL("data/vipScore-1.0.0.json", import.meta.url);
  const { bytecode } = JSON.parse(await readFile(file, "utf8")) as { readonly bytecode: Hex };
  const address = await deployCode(node.rpcUrl, `${bytecode}${first.slice(2)}`);
  contract = await connectEvm({ rpcUrl: node.rpcUrl, address, account: deployer });
});
afterAll(() => node.stop());

async function pushAll(table: ScoreTable, packed: boolean): Promise<PushEvent | undefined> {
  const events: PushEvent[] = [];
  const plan = await planPush(contract, stageOne, table, { packed });
  for await (const event of push(contract, plan)) events.push(event);
  return events.at(-1);
}

test("a contract of version 1.0.0 works with the features that it has", async () => {
  expect(contract.features).toEqual(featuresOf("1.0.0"));
  expect(contract.features).toMatchObject({ checkedFinalize: true, revisions: false, finalizer: false });
  const owner = toAccount(deployer.address);
  const control = { owner, pendingOwner: undefined, finalizer: undefined, othersManage: true, codeAdmin: undefined };
  expect(await contract.getControl()).toEqual(control);
  expect(await contract.isManager(accountOf(1))).toBe(false);
  const table = ScoreTable.from(rowsOf(30));
  expect(await pushAll(table, false)).toMatchObject({ verification: { agrees: true, revision: undefined } });
  const changed = ScoreTable.from([...table].map(({ account, score }) => ({ account, score: score + 1n })));
  expect(await pushAll(changed, true)).toMatchObject({ verification: { agrees: true, accounts: 30 } });
  const { verification } = await finalizeStage(contract, stageOne, { expect: changed });
  expect(verification).toMatchObject({ isFinalized: true, agrees: true });
});
