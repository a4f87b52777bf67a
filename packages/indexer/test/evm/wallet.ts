import { createPublicClient, encodeDeployData, encodeFunctionData, http, type Abi, type Address, type Hex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { testAccounts } from "@vipscore/localnet";
import { hangBoundMs } from "@vipscore/testkit/hangBound";
import { receiptOf } from "@vipscore/testkit/receiptOf";
import { until } from "@vipscore/testkit/until";

/** A contract's ABI and creation code. */
export interface ContractCode {
  readonly abi: Abi;
  readonly bytecode: Hex;
}

/** A deployed contract. */
export interface Deployed {
  readonly address: Address;
  /** Sends a call, which must succeed; returns its hash and height. */
  readonly send: (name: string, ...args: readonly unknown[]) => Promise<Sent>;
  /** The same without reading the receipt, which may be larger than viem accepts. */
  readonly fill: (name: string, ...args: readonly unknown[]) => Promise<Sent>;
  readonly read: <T>(name: string, ...args: readonly unknown[]) => Promise<T>;
}

/** A transaction in a block. */
export interface Sent {
  readonly hash: Hex;
  readonly height: number;
}

/** The action of a transaction: a call of a contract, or a deployment if `to` is absent. */
interface Call {
  readonly to?: Address;
  readonly data: Hex;
}

/** The account that signs all transactions of the tests. */
export const minter = privateKeyToAccount(testAccounts.deployer.privateKey);

/** Deploys and calls contracts on a local chain, one transaction at a time. */
export class Wallet {
  readonly #client;
  readonly #gas: bigint;
  #nonce: number | undefined;

  /** @param gas - Gas limit of each transaction. */
  constructor(rpcUrl: string, gas = 15_000_000n) {
    this.#gas = gas;
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
      fill: async (functionName, ...values) => {
        const hash = await this.#submit({ to: address, data: encodeFunctionData({ abi, functionName, args: values }) });
        const find = async () => (await this.#client.getTransaction({ hash })).blockNumber;
        return { hash, height: Number(await until(`transaction ${hash} in a block`, find)) };
      },
      read: async <T>(functionName: string, ...values: readonly unknown[]) =>
        (await this.#client.readContract({ address, abi, functionName, args: values })) as T,
    };
  }

  async #send(call: Call): Promise<Sent & { contractAddress: Address | null | undefined }> {
    const hash = await this.#submit(call);
    const receipt = await receiptOf(this.#client, hash);
    const { status, blockNumber, contractAddress } = receipt;
    if (status !== "success") throw new Error(`transaction ${hash} failed`);
    return { hash, height: Number(blockNumber), contractAddress };
  }

  async #submit(call: Call): Promise<Hex> {
    this.#nonce ??= await this.#client.getTransactionCount({ address: minter.address, blockTag: "pending" });
    const [chainId, block] = await Promise.all([this.#client.getChainId(), this.#client.getBlock()]);
    const fees = { maxFeePerGas: (block.baseFeePerGas ?? 0n) * 2n, maxPriorityFeePerGas: 0n };
    const nonce = this.#nonce++;
    const signed = await minter.signTransaction({ type: "eip1559", chainId, nonce, gas: this.#gas, ...fees, ...call });
    return this.#client.sendRawTransaction({ serializedTransaction: signed });
  }
}
