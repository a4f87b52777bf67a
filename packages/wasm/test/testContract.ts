import { createHash, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { MsgSend } from "cosmjs-types/cosmos/bank/v1beta1/tx";
import { MsgInstantiateContract } from "cosmjs-types/cosmwasm/wasm/v1/tx";
import type { Included, ScoreContract } from "@vipscore/core";
import { openSender, runTransaction } from "@vipscore/core/engine";
import { openJsonRpc, restOverRpc } from "@vipscore/core/wire";
import { openTransport, TransactionSigner, type CosmosMessage } from "@vipscore/cosmos";
import { testAccounts, type CosmosNode } from "@vipscore/localnet";
import type { Shape } from "@vipscore/testkit/adapter/adapterChain";
import { eventValue } from "../src/eventValue.ts";
import { connectWasm, wasmAccount, type WasmAccount } from "../src/index.ts";
import { parseFailure } from "../src/parseFailure.ts";
import { findStoredCode, planStore, readCodeId } from "../src/storedCode.ts";
import { readWasmArtifact, vipScoreFile, type ContractCode } from "../src/wasmArtifact.ts";

export const deployer = wasmAccount({ mnemonic: testAccounts.deployer.mnemonic });
export const operator = wasmAccount({ mnemonic: testAccounts.operator.mnemonic });

/** Sends any message and waits for its block; it must succeed. */
export async function execute(
  chain: CosmosNode,
  account: WasmAccount,
  message: CosmosMessage,
  gas = 3_000_000n,
): Promise<Included & { readonly hash: string }> {
  const rest = restOverRpc(openJsonRpc(chain.rpcUrl));
  const { chainId } = chain;
  const signer = new TransactionSigner(rest, { chainId, account, gasPrice: undefined });
  const sender = openSender({ ...openTransport(rest, parseFailure), signer });
  return runTransaction(sender, "a message of the test", (sequence) => signer.sign(message, { sequence, gas }));
}

/** An account that no chain has seen. */
export function newAccount(coinType: 60 | 118 = 60): WasmAccount {
  return wasmAccount({ privateKey: randomBytes(32).toString("hex"), coinType });
}

/** A new account with funds. */
export async function freshAccount(chain: CosmosNode, coinType?: 60 | 118): Promise<WasmAccount> {
  return fundAccount(chain, newAccount(coinType));
}

/** Sends funds to an account. */
export async function fundAccount(chain: CosmosNode, account: WasmAccount): Promise<WasmAccount> {
  const amount = [{ denom: "umin", amount: "100000000" }];
  const value = MsgSend.encode({ fromAddress: deployer.address, toAddress: account.address, amount }).finish();
  await execute(chain, deployer, { typeUrl: MsgSend.typeUrl, value });
  return account;
}

/** The compiled contract with a shape. */
export async function codeOf(shape: Shape): Promise<ContractCode> {
  if (shape === "ours") return readWasmArtifact(vipScoreFile);
  const path = "../../../contracts/wasm/reference_shape/artifacts/reference_shape.wasm";
  const bytes = await readFile(new URL(path, import.meta.url));
  return { bytes, checksum: createHash("sha256").update(bytes).digest() };
}

/** The id of a code on the chain, after storing it if necessary. */
export async function storeOnce(chain: CosmosNode, code: ContractCode): Promise<bigint> {
  const comet = openJsonRpc(chain.rpcUrl);
  const found = await findStoredCode(comet, code, deployer.address, {});
  if (found !== undefined) return found;
  const { message } = planStore(deployer.address, code);
  const { hash } = await execute(chain, deployer, message, 10_000_000n);
  return readCodeId(comet, code, hash, undefined);
}

/** Instantiates a code with any message. Returns the contract's address. */
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

/** Instantiates one of the two contracts with first stage 1 and the account as its admin, and connects to it. */
export async function deployShape(
  chain: CosmosNode,
  shape: Shape,
  from?: WasmAccount,
  admin?: string,
): Promise<ScoreContract> {
  const account = from ?? (await freshAccount(chain));
  const codeId = await storeOnce(chain, await codeOf(shape));
  const message = { allow_list: [account.address], init_stage: 1 };
  const address = await instantiate(chain, account, codeId, message, admin);
  return connectWasm({ rpcUrl: chain.rpcUrl, address, account });
}
