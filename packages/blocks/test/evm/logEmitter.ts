import type { HardhatProvider } from "@vipscore/localnet";

type Chain = Pick<HardhatProvider, "request">;

/**
 * A contract without a compiler: called with two words, a count and a topic, it emits that many logs. Each has the topic
 * and its index as the second topic and as its data.
 */
const runtime = [
  "5f", // i = 0
  "5b805f3511600a5700", // while (i < count), or stop
  "5b805f52", // memory[0] = i
  "8060203560205fa2", // log2(memory[0..32], topic, i)
  "600101600156", // i += 1
].join("");
const creation = `0x7b${runtime}5f52601c6004f3`;

/** A number as a word of 32 bytes. */
export function word(value: number): `0x${string}` {
  return `0x${value.toString(16).padStart(64, "0")}`;
}

/** A deployed contract that emits logs. */
export class LogEmitter {
  readonly address: `0x${string}`;
  readonly #chain: Chain;

  private constructor(chain: Chain, address: `0x${string}`) {
    this.#chain = chain;
    this.address = address;
  }

  static async deploy(chain: Chain): Promise<LogEmitter> {
    const { contractAddress } = await send(chain, { data: creation });
    return new LogEmitter(chain, contractAddress.toLowerCase() as `0x${string}`);
  }

  /** Emits logs in a block of their own; returns its height. */
  async emit(count: number, topic: `0x${string}`): Promise<number> {
    const data = word(count) + topic.slice(2);
    return Number((await send(this.#chain, { to: this.address, data, gas: "0x1000000" })).blockNumber);
  }
}

interface Receipt {
  readonly status: string;
  readonly blockNumber: string;
  readonly contractAddress: string;
}

async function send(chain: Chain, call: object): Promise<Receipt> {
  const [from] = (await chain.request({ method: "eth_accounts" })) as readonly string[];
  const hash = await chain.request({ method: "eth_sendTransaction", params: [{ from, ...call }] });
  const receipt = (await chain.request({ method: "eth_getTransactionReceipt", params: [hash] })) as Receipt;
  if (receipt.status !== "0x1") throw new Error(`transaction ${String(hash)} failed`);
  return receipt;
}
