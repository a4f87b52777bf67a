import {
  createPublicClient,
  decodeFunctionResult,
  encodeDeployData,
  encodeFunctionData,
  http,
  parseAbiItem,
  type Address,
  type Hex,
  type PublicClient,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { testAccounts } from "@vipscore/localnet";
import { readDemoNft } from "@vipscore/testkit/demoNft";
import { hangBoundMs } from "@vipscore/testkit/hangBound";
import { receiptOf } from "@vipscore/testkit/receiptOf";

/** Tokens minted per transaction, and calls per request. */
const batchSize = 500;

/** Far above a local node's price, in wei. */
const maxFeePerGas = 100_000_000_000n;

const transfer = parseAbiItem("event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)");

/** A transfer of one token. */
export interface Transfer {
  readonly tokenId: bigint;
  readonly to: Address;
}

/** A collection on a local EVM node whose deployer may move all tokens. */
export class DemoCollection {
  readonly address: Address;
  readonly #rpcUrl: string;
  readonly #abi;
  readonly #deployer;
  #nonce: number;

  private constructor(
    rpcUrl: string,
    address: Address,
    abi: Awaited<ReturnType<typeof readDemoNft>>["abi"],
    deployer: Deployer,
  ) {
    this.#rpcUrl = rpcUrl;
    this.address = address;
    this.#abi = abi;
    this.#deployer = deployer;
    this.#nonce = 1;
  }

  /** Deploys a collection as the first transaction of the node's deployer. */
  static async deploy(rpcUrl: string): Promise<DemoCollection> {
    const { abi, bytecode } = await readDemoNft();
    const client = createPublicClient({ transport: http(rpcUrl, { timeout: hangBoundMs }) });
    const deployer = {
      account: privateKeyToAccount(testAccounts.deployer.privateKey),
      client,
      chainId: await client.getChainId(),
    };
    const data = encodeDeployData({ abi, bytecode, args: ["Demo", "DEMO"] });
    const hash = await client.sendRawTransaction({
      serializedTransaction: await sign(deployer, 0, { data, gas: 10_000_000n }),
    });
    const { contractAddress } = await receiptOf(client, hash);
    if (!contractAddress) throw new Error("nothing was deployed");
    return new DemoCollection(rpcUrl, contractAddress.toLowerCase() as Address, abi, deployer);
  }

  /** Mints one token to each owner; ids count from 1. */
  async mint(owners: readonly Address[]): Promise<void> {
    let hash: Hex | undefined;
    for (let at = 0; at < owners.length; at += batchSize) {
      const signed = await this.#sign("mint", [owners.slice(at, at + batchSize)], 100_000_000n);
      hash = await this.#deployer.client.sendRawTransaction({ serializedTransaction: signed });
    }
    if (hash) await this.waitFor(hash);
  }

  /** Signs transactions that move one token each, to be sent in this order. */
  async signTransfers(transfers: readonly Transfer[]): Promise<readonly Hex[]> {
    const signed: Hex[] = [];
    for (const { tokenId, to } of transfers) signed.push(await this.#sign("transferMany", [[tokenId], [to]], 200_000n));
    return signed;
  }

  /** Sends signed transactions in one request; returns the hash of the last. */
  async send(signed: readonly Hex[]): Promise<Hex> {
    const hashes = await this.#batch(signed.map((transaction) => ["eth_sendRawTransaction", [transaction]]));
    const last = hashes.at(-1);
    if (last === undefined) throw new Error("nothing to send");
    return last;
  }

  /** Waits until a transaction is in a block and returns the height. It must have succeeded. */
  async waitFor(hash: Hex): Promise<number> {
    const receipt = await receiptOf(this.#deployer.client, hash);
    if (receipt.status !== "success") throw new Error(`${hash} failed`);
    return Number(receipt.blockNumber);
  }

  /** Returns the number of transfers on the chain, including mints. */
  async countTransfers(): Promise<number> {
    const logs = await this.#deployer.client.getLogs({ address: this.address, event: transfer, fromBlock: 0n });
    return logs.length;
  }

  /** Returns the current owners of tokens 1 to `count` on the chain, in lower-case hex. */
  async readOwners(count: number): Promise<ReadonlyMap<string, string>> {
    const ids = Array.from({ length: count }, (_, index) => BigInt(index + 1));
    const owners = new Map<string, string>();
    for (let at = 0; at < count; at += batchSize) {
      const some = ids.slice(at, at + batchSize);
      const results = await this.#batch(
        some.map((id) => {
          const data = encodeFunctionData({ abi: this.#abi, functionName: "ownerOf", args: [id] });
          return ["eth_call", [{ to: this.address, data }, "latest"]];
        }),
      );
      for (const [index, data] of results.entries()) {
        const owner = decodeFunctionResult({ abi: this.#abi, functionName: "ownerOf", data }) as Address;
        owners.set(String(some[index]), owner.toLowerCase());
      }
    }
    return owners;
  }

  #sign(functionName: string, args: readonly unknown[], gas: bigint): Promise<Hex> {
    const data = encodeFunctionData({ abi: this.#abi, functionName, args });
    const nonce = this.#nonce;
    this.#nonce += 1;
    return sign(this.#deployer, nonce, { to: this.address, data, gas });
  }

  async #batch(calls: readonly (readonly [method: string, params: readonly unknown[]])[]): Promise<readonly Hex[]> {
    const body = JSON.stringify(calls.map(([method, params], id) => ({ jsonrpc: "2.0", id, method, params })));
    const response = await fetch(this.#rpcUrl, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    const answers = (await response.json()) as readonly {
      readonly id: number;
      readonly result?: Hex;
      readonly error?: unknown;
    }[];
    return [...answers]
      .sort((a, b) => a.id - b.id)
      .map(({ result, error }) => {
        if (result === undefined) throw new Error(`the node refused: ${JSON.stringify(error)}`);
        return result;
      });
  }
}

interface Deployer {
  readonly account: ReturnType<typeof privateKeyToAccount>;
  readonly client: PublicClient;
  readonly chainId: number;
}

function sign(
  { account, chainId }: Deployer,
  nonce: number,
  call: { readonly to?: Address; readonly data: Hex; readonly gas: bigint },
): Promise<Hex> {
  return account.signTransaction({ type: "eip1559", chainId, nonce, maxFeePerGas, maxPriorityFeePerGas: 0n, ...call });
}
