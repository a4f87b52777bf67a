import { MsgExecute, MsgPublish, MsgSend, type Msg } from "@initia/initia.js";
import {
  stage,
  type Account,
  type ContractCall,
  type Included,
  type ScoreRow,
  type SignedTransaction,
} from "@vipscore/core";
import { handOver, waitForOutcome } from "@vipscore/core/engine";
import { testAccounts, type CosmosNode } from "@vipscore/localnet";
import { createHash, randomBytes } from "node:crypto";
import { inject } from "vitest";
import { encodeAddress, encodeU64 } from "../src/bcs.ts";
import { connectMove, moveAccount, type MoveAccount, type MoveScoreContract } from "../src/index.ts";
import { placeModule } from "../src/moduleBinary.ts";
import { MoveScoreContract as Contract } from "../src/moveScoreContract.ts";
import { openRest } from "@vipscore/core/wire";
import { openSigner } from "../src/openSigner.ts";
import { openHeights } from "../src/readHeight.ts";
import { placeholder } from "./placeholder.ts";

/** Which module a test runs against. */
export type Shape = "ours" | "reference";

export const deployer = moveAccount({ mnemonic: testAccounts.deployer.mnemonic });
export const operator = moveAccount({ mnemonic: testAccounts.operator.mnemonic });
export const stageOne = stage(1n);

/** Sends any message and waits for its block. */
export async function execute(
  chain: CosmosNode,
  account: MoveAccount,
  message: Msg,
  gas = 1_500_000n,
): Promise<Included> {
  const rest = openRest(chain.restUrl);
  const { chainId } = chain;
  const signer = openSigner(rest, { chainId, account, gasPrice: undefined });
  const contract = new Contract({
    rest,
    address: account.account,
    chainId,
    version: undefined,
    signer,
    heights: openHeights(rest),
  });
  const sequence = await signer.readSequence(undefined);
  return settle(contract, await signer.sign(message, { sequence, gas }));
}

async function mustSucceed(outcome: Promise<Included>): Promise<Included> {
  const included = await outcome;
  if (!included.succeeded) throw new Error(`a transaction of the test failed: ${included.details}`);
  return included;
}

/** An account of its own for a test, with funds: accounts publish one module each. */
export async function freshAccount(chain: CosmosNode, coinType: 60 | 118 = 60): Promise<MoveAccount> {
  const account = moveAccount({ privateKey: randomBytes(32).toString("hex"), coinType });
  await mustSucceed(execute(chain, deployer, new MsgSend(deployer.address, account.address, "1000000umin")));
  return account;
}

/** The compiled module of a shape for a publisher. */
export function codeOf(shape: Shape, publisher: Account): Buffer {
  const code = Buffer.from(inject("modules")[shape], "base64");
  const from = Buffer.from(placeholder.slice(2), "hex");
  const occurrences = code.toString("hex").split(placeholder.slice(2)).length - 1;
  return placeModule(code, { placeholder: from, address: encodeAddress(publisher), occurrences });
}

/** Publishes any module. */
export function publish(chain: CosmosNode, account: MoveAccount, code: Buffer): Promise<Included> {
  const message = new MsgPublish(account.address, [code.toString("base64")], MsgPublish.Policy.COMPATIBLE);
  return mustSucceed(execute(chain, account, message));
}

/** Publishes one of the two modules from an account with first stage 1 and connects to it. */
export async function deployShape(chain: CosmosNode, shape: Shape, from?: MoveAccount): Promise<MoveScoreContract> {
  const account = from ?? (await freshAccount(chain));
  await publish(chain, account, codeOf(shape, account.account));
  const entry = (name: string, arg: Buffer) =>
    new MsgExecute(account.address, account.account, "vip_score", name, [], [arg.toString("base64")]);
  await mustSucceed(execute(chain, account, entry("add_deployer_script", encodeAddress(account.account))));
  await mustSucceed(execute(chain, account, entry("set_init_stage", encodeU64(1n))));
  return connectMove({ restUrl: chain.restUrl, address: account.address, account });
}

/** Sends a call that writes and waits for its block. */
export async function write(contract: MoveScoreContract, call: ContractCall, gas?: bigint): Promise<Included> {
  const sequence = await contract.getSequence();
  const limit = gas ?? (call.kind === "updateScores" ? 60_000_000n : contract.getCallGas(call));
  return settle(contract, await contract.sign(call, { sequence, gas: limit }));
}

/** Hands a signed transaction over and waits for its block. */
export async function settle(contract: MoveScoreContract, transaction: SignedTransaction): Promise<Included> {
  await handOver(contract, transaction, { rows: 0 });
  const outcome = await waitForOutcome(contract, transaction);
  if (outcome.state === "dropped") throw new Error(`transaction ${transaction.hash} was dropped`);
  return outcome;
}

/** Writes rows; every transaction must succeed. */
export async function writeRows(contract: MoveScoreContract, rows: readonly ScoreRow[], at = stageOne): Promise<void> {
  for (let start = 0; start < rows.length; start += 5000) {
    const call = { kind: "updateScores", stage: at, rows: rows.slice(start, start + 5000) } as const;
    await mustSucceed(write(contract, call));
  }
}

/** Every row of a stage at a height, the newest when absent. */
export async function readRows(
  contract: MoveScoreContract,
  at = stageOne,
  height?: bigint,
): Promise<readonly ScoreRow[]> {
  const pages = contract.getScores(at, { height: height ?? (await contract.getHeight()) });
  const rows: ScoreRow[] = [];
  for await (const page of pages) rows.push(...page);
  return rows;
}

/** The same pseudo-random accounts in every run. */
export function accountOf(index: number): Account {
  return `0x${digest(index).slice(0, 40)}` as Account;
}

/** As {@link accountOf}, of 32 bytes. */
export function longAccountOf(index: number): Account {
  return `0x${digest(index)}` as Account;
}

function digest(index: number): string {
  return createHash("sha256").update(`account ${index}`).digest("hex");
}

/** `count` rows with the scores 1000, 1001, ... */
export function rowsOf(count: number, from = 0): readonly ScoreRow[] {
  return Array.from({ length: count }, (_, index) => ({
    account: accountOf(from + index),
    score: BigInt(1000 + index),
  }));
}

export function byAccount(a: ScoreRow, b: ScoreRow): number {
  return a.account < b.account ? -1 : 1;
}
