import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { encodeDeployData, encodeFunctionData, type Abi } from "viem";
import { readDemoNft } from "@vipscore/testkit/demoNft";
import { addressOf, type TestChain } from "./harness.ts";

export const [alice, bob, carol, dave] = [addressOf(0xa1), addressOf(0xb2), addressOf(0xc3), addressOf(0xd4)] as const;

/** A collection whose mints a policy counts. */
export class Collectors {
  readonly #chain: TestChain;
  readonly #abi: Abi;
  readonly address: string;

  private constructor(chain: TestChain, abi: Abi, address: string) {
    this.#chain = chain;
    this.#abi = abi;
    this.address = address;
  }

  static async deploy(chain: TestChain): Promise<Collectors> {
    const { abi, bytecode } = await readDemoNft();
    const { contractAddress } = await send(chain, {
      data: encodeDeployData({ abi, bytecode, args: ["Cats", "CAT"] }),
    });
    return new Collectors(chain, abi, contractAddress);
  }

  /** Mints a token for each owner in one block; returns its height. */
  async mint(...owners: readonly string[]): Promise<number> {
    const data = encodeFunctionData({ abi: this.#abi, functionName: "mint", args: [owners] });
    return Number((await send(this.#chain, { to: this.address, data })).blockNumber);
  }

  /** Writes a policy: 100 points for each mint, and a bonus; carol is excluded. `window` is a line of `policy.toml`. */
  async writePolicy(folder: string, window: string): Promise<void> {
    const chainId = `${Number(await this.#chain.rpc("eth_chainId"))}`;
    const files = {
      "policy.toml": `name = "collectors"
version = "3"
exclude = "exclude.csv"
rollup.chain_id = "${chainId}"
${window}

[[source]]
name = "mints"
kind = "evm_events"
contracts = ["${this.address}"]
event = "event Transfer(address indexed sender, address indexed owner, uint256 indexed token)"

[[source]]
name = "bonus"
kind = "reference"
file = "bonus.csv"
columns = { address = "address", points = "integer" }
`,
      "policy.sql": `select address, sum(points) as score
from (select owner as address, 100::hugeint as points from mints union all from bonus)
group by address`,
      "bonus.csv": `address,points\n${bob},5\n`,
      "exclude.csv": `address\n${carol}\n`,
    };
    await mkdir(folder, { recursive: true });
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  }
}

interface Receipt {
  readonly contractAddress: string;
  readonly blockNumber: string;
}

async function send(chain: TestChain, call: object): Promise<Receipt> {
  const [from] = (await chain.rpc("eth_accounts")) as readonly string[];
  const hash = await chain.rpc("eth_sendTransaction", [{ from, ...call }]);
  return (await chain.rpc("eth_getTransactionReceipt", [hash])) as Receipt;
}

/** Exchanges two addresses in a node's answer in hex. */
export function exchanged(answer: unknown, one: string, other: string): unknown {
  const [first, second] = [one.slice(2).toLowerCase(), other.slice(2).toLowerCase()];
  const pattern = new RegExp(`${first}|${second}`, "g");
  return typeof answer === "string"
    ? answer.replaceAll(pattern, (found) => (found === first ? second : first))
    : answer;
}
