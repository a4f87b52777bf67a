import { stage, type Account, type ContractCall, type Included, type ScoreRow } from "@vipscore/core";
import { handOver, waitForOutcome } from "@vipscore/core/engine";
import { testAccounts } from "@vipscore/localnet";
import { hangBoundMs } from "@vipscore/testkit/hangBound";
import { receiptOf } from "@vipscore/testkit/receiptOf";
import { until } from "@vipscore/testkit/until";
import {
  createPublicClient,
  encodeDeployData,
  getContractAddress,
  http,
  keccak256,
  toHex,
  type Address,
  type Hex,
  type LocalAccount,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { inject } from "vitest";
import type { EvmScoreContract } from "../src/evmScoreContract.ts";
import { connectEvm } from "../src/index.ts";

/** Which contract a test runs against. */
export type Shape = "ours" | "reference";

export const deployer = privateKeyToAccount(testAccounts.deployer.privateKey);
export const operator = privateKeyToAccount(testAccounts.operator.privateKey);
export const stageOne = stage(1n);

/** Sends a call that writes and waits for its block. */
export async function write(contract: EvmScoreContract, call: ContractCall, gas?: bigint): Promise<Included> {
  const sequence = await contract.getSequence();
  const limit = gas ?? (call.kind === "updateScores" ? (await contract.getLimits()).maxGas : contract.getCallGas(call));
  return settle(contract, await contract.sign(call, { sequence, gas: limit }));
}

/** Hands a signed transaction over and waits for its block. */
export async function settle(
  contract: EvmScoreContract,
  transaction: Parameters<EvmScoreContract["broadcast"]>[0],
): Promise<Included> {
  await handOver(contract, transaction, { rows: 0 });
  const outcome = await waitForOutcome(contract, transaction);
  if (outcome.state === "dropped") throw new Error(`transaction ${transaction.hash} was dropped`);
  return outcome;
}

/** Deploys any creation code and gives its address. */
export async function deployCode(rpcUrl: string, data: Hex, account: LocalAccount = deployer): Promise<Address> {
  const client = createPublicClient({ transport: http(rpcUrl, { timeout: hangBoundMs }) });
  const [chainId, nonce, block] = await Promise.all([
    client.getChainId(),
    client.getTransactionCount({ address: account.address, blockTag: "pending" }),
    client.getBlock(),
  ]);
  const maxFeePerGas = (block.baseFeePerGas ?? 0n) * 2n;
  const fees = { maxFeePerGas, maxPriorityFeePerGas: 0n };
  const gas = 10_000_000n;
  const serializedTransaction = await account.signTransaction({ type: "eip1559", chainId, nonce, gas, data, ...fees });
  const hash = await client.sendRawTransaction({ serializedTransaction });
  const receipt = await receiptOf(client, hash);
  if (receipt.status !== "success") throw new Error("the creation failed");
  const address = getContractAddress({ from: account.address, nonce: BigInt(nonce) });
  // minievm shows a receipt before its state.
  await until(`the code at ${address}`, () => client.getCode({ address }));
  return address;
}

/** Deploys one of the two contracts with first stage 1 and connects to it. */
export async function deployShape(rpcUrl: string, shape: Shape, account = deployer): Promise<EvmScoreContract> {
  const { abi, bytecode } = inject("contracts")[shape];
  const address = await deployCode(rpcUrl, encodeDeployData({ abi, bytecode, args: [1n] }));
  return connectEvm({ rpcUrl, address, account });
}

/** Writes rows in as few transactions as the chain's limits allow; every one must succeed. */
export async function writeRows(contract: EvmScoreContract, rows: readonly ScoreRow[], at = stageOne): Promise<void> {
  for (let start = 0; start < rows.length; start += 200) {
    const outcome = await write(contract, { kind: "updateScores", stage: at, rows: rows.slice(start, start + 200) });
    if (!outcome.succeeded) throw new Error(`rows from ${start} failed: ${outcome.details}`);
  }
}

/** Every row of a stage at a height, the newest when absent. */
export async function readRows(
  contract: EvmScoreContract,
  at = stageOne,
  height?: bigint,
): Promise<readonly ScoreRow[]> {
  const pages = contract.getScores(at, { height: height ?? (await contract.getHeight()) });
  const rows: ScoreRow[] = [];
  for await (const page of pages) rows.push(...page.map(({ account, score }) => ({ account, score })));
  return rows;
}

/** The same pseudo-random accounts in every run. */
export function accountOf(index: number): Account {
  return keccak256(toHex(`account ${index}`)).slice(0, 42) as Account;
}

/** `count` rows with scores 1000, 1001, … */
export function rowsOf(count: number, from = 0): readonly ScoreRow[] {
  return Array.from({ length: count }, (_, index) => ({
    account: accountOf(from + index),
    score: BigInt(1000 + index),
  }));
}

export function byAccount(a: ScoreRow, b: ScoreRow): number {
  return a.account < b.account ? -1 : 1;
}
