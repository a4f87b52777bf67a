import type { HardhatProvider } from "@vipscore/localnet";

/**
 * A contract without a compiler. Called with a topic and a number, both words, and then any number of words, it emits one log:
 * topic, number, and the further words as data.
 */
const runtime = [
  "6040360380", // size of the data
  "60405f37", // memory = data
  "6020355f35", // both topics
  "825fa200", // log2(memory[0..size], topic, number)
].join("");
const creation = `0x71${runtime}5f526012600ef3`;

/** A deployed contract that emits what it is given. */
export class EventEmitter {
  readonly address: `0x${string}`;
  readonly #chain: HardhatProvider;

  private constructor(chain: HardhatProvider, address: `0x${string}`) {
    this.#chain = chain;
    this.address = address;
  }

  static async deploy(chain: HardhatProvider): Promise<EventEmitter> {
    const { contractAddress } = await send(chain, { data: creation });
    return new EventEmitter(chain, contractAddress.toLowerCase() as `0x${string}`);
  }

  /** Emits a log in its own block; returns its height. */
  async emit(topic: string, indexed: string, ...data: readonly string[]): Promise<number> {
    const call = { to: this.address, data: `0x${[topic, indexed, ...data].map((word) => word.slice(2)).join("")}` };
    return Number((await send(this.#chain, call)).blockNumber);
  }
}

interface Receipt {
  readonly status: string;
  readonly blockNumber: string;
  readonly contractAddress: string;
}

async function send(chain: HardhatProvider, call: object): Promise<Receipt> {
  const [from] = (await chain.request({ method: "eth_accounts" })) as readonly string[];
  const hash = await chain.request({ method: "eth_sendTransaction", params: [{ from, ...call }] });
  const receipt = (await chain.request({ method: "eth_getTransactionReceipt", params: [hash] })) as Receipt;
  if (receipt.status !== "0x1") throw new Error(`transaction ${String(hash)} failed`);
  return receipt;
}
