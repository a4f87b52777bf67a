/** Calls a method of a development node, whose accounts are unlocked. */
export type EvmRequest = (method: string, params: readonly unknown[]) => Promise<unknown>;

/** A deployed contract that emits what it is given. */
export interface Emitter {
  readonly address: string;
  /** Emits a log in its own block; returns its height. */
  readonly emit: (...words: readonly string[]) => Promise<number>;
}

/** Deploys a contract whose logs have this many topics. */
export async function deployEmitter(request: EvmRequest, topics: 2 | 4): Promise<Emitter> {
  const [from] = (await request("eth_accounts", [])) as readonly string[];
  const send = async (call: object) => {
    const hash = await request("eth_sendTransaction", [{ from, ...call }]);
    const receipt = (await request("eth_getTransactionReceipt", [hash])) as {
      readonly status: string;
      readonly blockNumber: string;
      readonly contractAddress: string;
    };
    if (receipt.status !== "0x1") throw new Error(`transaction ${String(hash)} failed`);
    return receipt;
  };
  const { contractAddress: address } = await send({ data: emitterOf(topics) });
  return {
    address,
    emit: async (...words) => {
      const { blockNumber } = await send({ to: address, data: `0x${words.map((text) => text.slice(2)).join("")}` });
      return Number(blockNumber);
    },
  };
}

/**
 * A contract without a compiler. Called with topics, as words, and then any number of further words, it emits one log with these
 * topics and the further words as data.
 */
function emitterOf(topics: 2 | 4): string {
  const bytes = hex(topics * 32);
  // From the last topic to the first, so that the first is on top.
  const load = Array.from({ length: topics }, (_, index) => `60${hex((topics - 1 - index) * 32)}35`);
  const runtime = [
    `60${bytes}360380`, // size of the data
    `60${bytes}5f37`, // memory = data
    ...load, // topics
    `8${topics}5fa${topics}00`, // log(memory[0..size], topics)
  ].join("");
  const length = runtime.length / 2;
  return `0x${hex(0x5f + length)}${runtime}5f5260${hex(length)}60${hex(32 - length)}f3`;
}

function hex(byte: number): string {
  return byte.toString(16).padStart(2, "0");
}
