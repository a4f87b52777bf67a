import {
  createPublicClient,
  encodeDeployData,
  getContractAddress,
  http,
  type Address,
  type Hex,
  type LocalAccount,
} from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { inject } from "vitest";
import type { ScoreContract } from "@vipscore/core";
import { testAccounts } from "@vipscore/localnet";
import type { Shape } from "@vipscore/testkit/adapter/adapterChain";
import { hangBoundMs } from "@vipscore/testkit/hangBound";
import { receiptOf } from "@vipscore/testkit/receiptOf";
import { until } from "@vipscore/testkit/until";
import { connectEvm } from "../src/index.ts";

export const deployer = privateKeyToAccount(testAccounts.deployer.privateKey);
export const operator = privateKeyToAccount(testAccounts.operator.privateKey);

/** A test transaction: creates a contract, or moves funds. */
type Sent = { readonly data: Hex } | { readonly to: Address; readonly value: bigint };

/** Sends a transaction, which must succeed, and waits for its block. Returns the address of the contract that it created. */
async function send(rpcUrl: string, account: LocalAccount, sent: Sent): Promise<Address> {
  const client = createPublicClient({ transport: http(rpcUrl, { timeout: hangBoundMs }) });
  const [chainId, nonce, block] = await Promise.all([
    client.getChainId(),
    client.getTransactionCount({ address: account.address, blockTag: "pending" }),
    client.getBlock(),
  ]);
  const maxFeePerGas = (block.baseFeePerGas ?? 0n) * 2n;
  const fees = { maxFeePerGas, maxPriorityFeePerGas: 0n };
  const gas = 10_000_000n;
  const serializedTransaction = await account.signTransaction({
    type: "eip1559",
    chainId,
    nonce,
    gas,
    ...sent,
    ...fees,
  });
  const hash = await client.sendRawTransaction({ serializedTransaction });
  const receipt = await receiptOf(client, hash);
  if (receipt.status !== "success") throw new Error("a transaction of the test failed");
  return getContractAddress({ from: account.address, nonce: BigInt(nonce) });
}

/** Deploys any creation code and returns its address. */
export async function deployCode(rpcUrl: string, data: Hex, account: LocalAccount = deployer): Promise<Address> {
  const address = await send(rpcUrl, account, { data });
  const client = createPublicClient({ transport: http(rpcUrl, { timeout: hangBoundMs }) });
  // minievm returns a receipt before its state.
  await until(`the code at ${address}`, () => client.getCode({ address }));
  return address;
}

/** An account that no chain has seen. */
export function newAccount(): LocalAccount {
  return privateKeyToAccount(generatePrivateKey());
}

/** A new account with funds. */
export async function freshAccount(rpcUrl: string): Promise<LocalAccount> {
  const account = newAccount();
  const { address } = account;
  await send(rpcUrl, deployer, { to: address, value: 10n ** 19n });
  const client = createPublicClient({ transport: http(rpcUrl, { timeout: hangBoundMs }) });
  await until(`the funds of ${address}`, async () => (await client.getBalance({ address })) > 0n);
  return account;
}

/** Deploys one of the two contracts with first stage 1 and connects to it. */
export async function deployShape(
  rpcUrl: string,
  shape: Shape,
  account: LocalAccount = deployer,
): Promise<ScoreContract> {
  const { abi, bytecode } = inject("contracts")[shape];
  const address = await deployCode(rpcUrl, encodeDeployData({ abi, bytecode, args: [1n] }), account);
  return connectEvm({ rpcUrl, address, account });
}
