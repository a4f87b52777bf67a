import {
  runTransaction,
  stage,
  type Account,
  type ContractCall,
  type Included,
  type ScoreRow,
  type SignedTransaction,
} from "@vipscore/core";
import { handOver, waitForOutcome } from "@vipscore/core/engine";
import { openJsonRpc } from "@vipscore/core/wire";
import { testAccounts, type CosmosNode } from "@vipscore/localnet";
import { MsgSend } from "cosmjs-types/cosmos/bank/v1beta1/tx";
import { MsgInstantiateContract } from "cosmjs-types/cosmwasm/wasm/v1/tx";
import { createHash, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { eventValue } from "../src/eventValue.ts";
import { connectWasm, wasmAccount, type WasmAccount, type WasmMessage, type WasmScoreContract } from "../src/index.ts";
import { findStoredCode, planStore, readCodeId, readContractCode, type ContractCode } from "../src/storedCode.ts";
import { openSigner } from "../src/openSigner.ts";
import { openHeights } from "../src/readHeight.ts";
import { WasmScoreContract as Contract } from "../src/wasmScoreContract.ts";

/** Which contract a test runs against. */
export type Shape = "ours" | "reference";

export const deployer = wasmAccount({ mnemonic: testAccounts.deployer.mnemonic });
export const operator = wasmAccount({ mnemonic: testAccounts.operator.mnemonic });
export const stageOne = stage(1n);

/** Sends any message and waits for its block; it must succeed. */
export async function execute(
  chain: CosmosNode,
  account: WasmAccount,
  message: WasmMessage,
  gas = 3_000_000n,
): Promise<Included & { readonly hash: string }> {
  const comet = openJsonRpc(chain.rpcUrl);
  const { chainId } = chain;
  const signer = openSigner(comet, { chainId, account, gasPrice: undefined });
  const contract = new Contract({
    comet,
    address: account.address,
    chainId,
    version: undefined,
    signer,
    heights: openHeights(comet),
  });
  return runTransaction(contract, "a message of the test", (sequence) => signer.sign(message, { sequence, gas }));
}

/** An account of its own for a test, with funds. */
export async function freshAccount(chain: CosmosNode, coinType: 60 | 118 = 60): Promise<WasmAccount> {
  const account = wasmAccount({ privateKey: randomBytes(32).toString("hex"), coinType });
  const amount = [{ denom: "umin", amount: "100000000" }];
  const value = MsgSend.encode({ fromAddress: deployer.address, toAddress: account.address, amount }).finish();
  await execute(chain, deployer, { typeUrl: MsgSend.typeUrl, value });
  return account;
}

/** The compiled contract of a shape. */
export async function codeOf(shape: Shape): Promise<ContractCode> {
  if (shape === "ours") return readContractCode();
  const path = "../../../contracts/wasm/reference_shape/artifacts/reference_shape.wasm";
  const bytes = await readFile(new URL(path, import.meta.url));
  return { bytes, checksum: createHash("sha256").update(bytes).digest() };
}

/** The id of a code on the chain, where it is stored first if need be. */
export async function storeOnce(chain: CosmosNode, code: ContractCode): Promise<bigint> {
  const comet = openJsonRpc(chain.rpcUrl);
  const found = await findStoredCode(comet, code, deployer.address, {});
  if (found !== undefined) return found;
  const { message } = planStore(deployer.address, code);
  const { hash } = await execute(chain, deployer, message, 10_000_000n);
  return readCodeId(comet, code, hash, undefined);
}

/** Instantiates a code with any message. Gives the contract's address. */
export async function instantiate(
  chain: CosmosNode,
  account: WasmAccount,
  codeId: bigint,
  message: object,
  admin = account.address,
): Promise<string> {
  const { address: sender } = account;
  const msg = Buffer.from(JSON.stringify(message));
  const fields = { sender, admin, codeId, label: "test", msg, funds: [] };
  const value = MsgInstantiateContract.encode(fields).finish();
  const { hash } = await execute(chain, account, { typeUrl: MsgInstantiateContract.typeUrl, value });
  const event = { type: "instantiate", key: "_contract_address" };
  return eventValue(openJsonRpc(chain.rpcUrl), hash, event, undefined);
}

/** Makes one of the two contracts from an account with first stage 1, whose admin that account is, and connects to it. */
export async function deployShape(
  chain: CosmosNode,
  shape: Shape,
  from?: WasmAccount,
  admin?: string,
): Promise<WasmScoreContract> {
  const account = from ?? (await freshAccount(chain));
  const codeId = await storeOnce(chain, await codeOf(shape));
  const message = { allow_list: [account.address], init_stage: 1 };
  const address = await instantiate(chain, account, codeId, message, admin);
  return connectWasm({ rpcUrl: chain.rpcUrl, address, account });
}

/** Sends a call that writes and waits for its block. */
export async function write(contract: WasmScoreContract, call: ContractCall, gas?: bigint): Promise<Included> {
  const sequence = await contract.getSequence();
  const limit = gas ?? (call.kind === "updateScores" ? 100_000_000n : contract.getCallGas(call));
  return settle(contract, await contract.sign(call, { sequence, gas: limit }));
}

/** Hands a signed transaction over and waits for its block. */
export async function settle(contract: WasmScoreContract, transaction: SignedTransaction): Promise<Included> {
  await handOver(contract, transaction, { rows: 0 });
  const outcome = await waitForOutcome(contract, transaction);
  if (outcome.state === "dropped") throw new Error(`transaction ${transaction.hash} was dropped`);
  return outcome;
}

/** Writes rows; every transaction must succeed. */
export async function writeRows(contract: WasmScoreContract, rows: readonly ScoreRow[], at = stageOne): Promise<void> {
  for (let start = 0; start < rows.length; start += 2500) {
    const call = { kind: "updateScores", stage: at, rows: rows.slice(start, start + 2500) } as const;
    const included = await write(contract, call);
    if (!included.succeeded) throw new Error(`a transaction of the test failed: ${included.details}`);
  }
}

/** Every row of a stage at a height, the newest when absent. */
export async function readRows(
  contract: WasmScoreContract,
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
