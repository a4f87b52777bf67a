import {
  createPublicClient,
  getContract,
  hexToBytes,
  http,
  keccak256,
  TransactionReceiptNotFoundError,
  zeroAddress,
  type Address,
  type GetContractReturnType,
  type Hex,
  type LocalAccount,
  type PublicClient,
  type TransactionReceipt,
} from "viem";
import type { Account, SignedTransaction } from "@vipscore/core";
import { vipScoreAbi } from "@vipscore/evm";
import { until, waitMs } from "../sendTransaction.ts";
import type { Ownership, Page, PageStart, PublishedPage, Row, StageView, SubjectReader } from "../subject.ts";

interface Unsigned {
  /** Default: the transaction creates a contract. */
  readonly to?: Address;
  readonly data?: Hex;
  readonly value?: bigint;
  readonly gas: bigint;
  readonly ahead?: bigint;
}

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

  /** Creates a contract, and waits until the node shows its code. */
  async create(account: LocalAccount, unsigned: Omit<Unsigned, "to">): Promise<Address> {
    const { contractAddress: address } = await this.run(account, unsigned);
    if (!address) throw new Error("the transaction created no contract");
    await until(`the code of ${address}`, () => this.client.getCode({ address }));
    return address;
  }
}

export function toAccount(address: Address): Account {
  return address.toLowerCase() as Account;
}

function toRow({ addr, amount }: { readonly addr: Address; readonly amount: bigint }): Row {
  return { account: toAccount(addr), score: amount };
}

type Views = GetContractReturnType<typeof vipScoreAbi, PublicClient>["read"];

export class EvmReader implements SubjectReader {
  readonly #views: Views;

  constructor(client: PublicClient, address: Address) {
    this.#views = getContract({ abi: vipScoreAbi, address, client }).read;
  }

  getVersion(): Promise<string> {
    return this.#views.contractVersion();
  }

  getInitStage(): Promise<bigint> {
    return this.#views.initStage();
  }

  async getStage(stage: bigint): Promise<StageView> {
    const { stage: number, totalScore: total, scoreCount: count, ...info } = await this.#views.getStage([stage]);
    return { exists: number !== 0n, total, isFinalized: info.isFinalized, count, revision: info.revision };
  }

  async getScore(stage: bigint, account: Account): Promise<bigint | undefined> {
    const [isIndexed, amount] = await this.#views.scores([stage, account]);
    return isIndexed ? amount : undefined;
  }

  async getPage(stage: bigint, limit: number, from = "0"): Promise<Page<Row>> {
    const [rows, next] = await this.#views.getScoresFrom([stage, Number(from), BigInt(limit)]);
    return { items: rows.map(toRow), next: next === 0 ? undefined : String(next) };
  }

  async getMemberCount(): Promise<number> {
    return Number(await this.#views.allowListCount());
  }

  async getMembersPage(limit: number, from = "0"): Promise<Page<Account>> {
    const items = (await this.#views.getAllowList([BigInt(from), BigInt(limit)])).map(toAccount);
    const next = Number(from) + items.length;
    return { items, next: next < (await this.getMemberCount()) ? String(next) : undefined };
  }

  async getOwnership(): Promise<Ownership> {
    const [owner, pending, finalizer, othersManage] = await Promise.all([
      this.#views.owner(),
      this.#views.pendingOwner(),
      this.#views.finalizer(),
      this.#views.membersCanManage(),
    ]);
    const named = (address: Address): Account | undefined => (address === zeroAddress ? undefined : toAccount(address));
    return { owner: toAccount(owner), pendingOwner: named(pending), finalizer: named(finalizer), othersManage };
  }

  async getPublishedScore(stage: bigint, account: Account): Promise<bigint | "missing"> {
    return (await this.getScore(stage, account)) ?? "missing";
  }

  async getPublishedTotal(stage: bigint): Promise<bigint | "missing"> {
    return (await this.#views.stages([stage]))[1];
  }

  async getPublishedPage(stage: bigint, limit: number, start?: PageStart): Promise<PublishedPage> {
    const padded = await this.#views.getScores([stage, BigInt(start?.offset ?? 0), BigInt(limit)]);
    const rows = padded.filter(({ addr }) => addr !== zeroAddress).map(toRow);
    return { rows, padding: padded.length - rows.length };
  }
}
