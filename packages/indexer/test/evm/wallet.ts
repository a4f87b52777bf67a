import { testAccounts } from "@vipscore/localnet";
import { hangBoundMs } from "@vipscore/testkit/hangBound";
import { receiptOf } from "@vipscore/testkit/receiptOf";
import { createPublicClient, encodeDeployData, encodeFunctionData, http, type Abi, type Address, type Hex } from "viem";
import { privateKeyToAccount } from "viem/accounts";

/** A contract's ABI and creation code. */
export interface ContractCode {
  readonly abi: Abi;
  readonly bytecode: Hex;
}

/** A deployed contract. */
export interface Deployed {
  readonly address: Address;
  /** Sends a call and gives its hash and height; it must succeed. */
  readonly send: (name: string, ...args: readonly unknown[]) => Promise<Sent>;
  readonly read: <T>(name: string, ...args: readonly unknown[]) => Promise<T>;
}

/** A transaction in a block. */
export interface Sent {
  readonly hash: Hex;
  readonly height: number;
}

/** Whoever signs all transactions of the tests. */
export const minter = privateKeyToAccount(testAccounts.deployer.privateKey);

const gas = 15_000_000n;

/** Deploys and calls contracts on a local chain, one transaction at a time. */
export class Wallet {
  readonly #client;
  #nonce: number | undefined;

  constructor(rpcUrl: string) {
    this.#client = createPublicClient({ transport: http(rpcUrl, { timeout: hangBoundMs }) });
  }

  async deploy({ abi, bytecode }: ContractCode, ...args: readonly unknown[]): Promise<Deployed & { created: Sent }> {
    const { contractAddress: address, ...created } = await this.#send({
      data: encodeDeployData({ abi, bytecode, args }),
    });
    if (!address) throw new Error("nothing was deployed");
    return {
      address: address.toLowerCase() as Address,
      created,
      send: (functionName, ...values) =>
        this.#send({ to: address, data: encodeFunctionData({ abi, functionName, args: values }) }),
      read: async <T>(functionName: string, ...values: readonly unknown[]) =>
        (await this.#client.readContract({ address, abi, functionName, args: values })) as T,
    };
  }

  async #send(call: { to?: Address; data: Hex }): Promise<Sent & { contractAddress: Address | null | undefined }> {
    this.#nonce ??= await this.#client.getTransactionCount({ address: minter.address, blockTag: "pending" });
    const [chainId, block] = await Promise.all([this.#client.getChainId(), this.#client.getBlock()]);
    const fees = { maxFeePerGas: (block.baseFeePerGas ?? 0n) * 2n, maxPriorityFeePerGas: 0n };
    const nonce = this.#nonce++;
    const signed = await minter.signTransaction({ type: "eip1559", chainId, nonce, gas, ...fees, ...call });
    const hash = await this.#client.sendRawTransaction({ serializedTransaction: signed });
    const receipt = await receiptOf(this.#client, hash);
    const { status, blockNumber, contractAddress } = receipt;
    if (status !== "success") throw new Error(`transaction ${hash} failed`);
    return { hash, height: Number(blockNumber), contractAddress };
  }
}
