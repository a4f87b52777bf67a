import {
  createPublicClient,
  hexToBytes,
  http,
  keccak256,
  TransactionReceiptNotFoundError,
  type Address,
  type Hex,
  type LocalAccount,
  type PublicClient,
  type TransactionReceipt,
} from "viem";
import type { SignedTransaction } from "@vipscore/core";
import { until, waitMs } from "../until.ts";

interface Unsigned {
  /** Default: the transaction creates a contract. */
  readonly to?: Address;
  readonly data?: Hex;
  readonly value?: bigint;
  readonly gas: bigint;
  readonly ahead?: bigint;
}

/** An EVM chain, through viem. */
export class EvmChain {
  readonly rpcUrl: string;
  readonly client: PublicClient;
  readonly #chainId: number;

  private constructor(rpcUrl: string, client: PublicClient, chainId: number) {
    this.rpcUrl = rpcUrl;
    this.client = client;
    this.#chainId = chainId;
  }

  static async connect(rpcUrl: string): Promise<EvmChain> {
    const client: PublicClient = createPublicClient({
      transport: http(rpcUrl, { batch: true, timeout: waitMs }),
      cacheTime: 0,
    });
    return new EvmChain(rpcUrl, client, await client.getChainId());
  }

  /** Signs with all fields given, so that the node does not estimate a call that is meant to fail. */
  async sign(account: LocalAccount, unsigned: Unsigned): Promise<SignedTransaction> {
    const { to, data = "0x", value = 0n, gas, ahead = 0n } = unsigned;
    const [next, { baseFeePerGas: baseFee }, price] = await Promise.all([
      this.client.getTransactionCount({ address: account.address, blockTag: "pending" }),
      this.client.getBlock(),
      this.client.getGasPrice(),
    ]);
    const nonce = next + Number(ahead);
    // No tip if blocks have a base fee: nodes suggest the last tip they received, so tips would drive each other up.
    const tip = (baseFee ?? 0n) > 0n ? 0n : price;
    const fees = { maxFeePerGas: 2n * (baseFee ?? 0n) + tip, maxPriorityFeePerGas: tip };
    const fields = { type: "eip1559", chainId: this.#chainId, nonce, data, value, gas, ...fees } as const;
    const serialized = await account.signTransaction(to === undefined ? fields : { ...fields, to });
    return { hash: keccak256(serialized), sequence: BigInt(nonce), gas, bytes: hexToBytes(serialized) };
  }

  /** Sends a transaction that must succeed, without the client. */
  async run(account: LocalAccount, unsigned: Unsigned): Promise<TransactionReceipt> {
    const { bytes } = await this.sign(account, unsigned);
    const hash = await this.client.sendRawTransaction({
      serializedTransaction: `0x${Buffer.from(bytes).toString("hex")}`,
    });
    // viem's own wait ignores a block that comes while it still handles the previous one, on a node that mines on demand.
    const receipt = await until(`transaction ${hash}`, () =>
      this.client.getTransactionReceipt({ hash }).catch((error: unknown) => {
        if (error instanceof TransactionReceiptNotFoundError) return undefined;
        throw error;
      }),
    );
    if (receipt.status !== "success") throw new Error(`transaction ${hash} failed`);
    return receipt;
  }

  /** Creates a contract and returns its address once the node shows its code. */
  async create(account: LocalAccount, unsigned: Omit<Unsigned, "to">): Promise<Address> {
    const { contractAddress: address } = await this.run(account, unsigned);
    if (!address) throw new Error("the transaction created no contract");
    await until(`the code of ${address}`, () => this.client.getCode({ address }));
    return address;
  }
}
