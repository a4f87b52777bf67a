import { formatBech32, parseAccount } from "@vipscore/core";

const transactionsPerBlock = 10;
const eventsPerTransaction = 10;
const eventsPerBlock = transactionsPerBlock * eventsPerTransaction;
/** Traders of the events. */
const accounts = 100_000;
/** Bytes of a call. */
const transactionBytes = 340;
/** The time of block 0, in seconds. */
const startTime = 1_700_000_000;

/** The type of all played events of Move. */
export const playedMoveType = "0xab::dex::Traded";
/** The contract of all played events of Wasm. */
export const playedWasmContract = formatBech32(parseAccount(`0x${"ab".repeat(32)}`, { accountBytes: [32] }));
/** The chain ID of a played node. */
export const playedVmChainId = "played-1";

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: Readonly<Record<string, string>>;
}

/**
 * Plays CometBFT's RPC of a Move or Wasm node with many events: 100 in each block, in ten transactions, which also have the five
 * events that the Cosmos SDK adds to a call.
 */
export class PlayedVmEvents {
  readonly #events: number;
  readonly #eventText: (index: number) => string;

  constructor(vm: "move" | "wasm", events: number) {
    this.#events = events;
    this.#eventText = vm === "move" ? moveEvent : wasmEvents();
  }

  /** The newest block, which is the last one with events. */
  get height(): number {
    return Math.ceil(this.#events / eventsPerBlock);
  }

  /** The answer to the body of a request. */
  answer(body: string): string {
    const { id, method, params } = JSON.parse(body) as Call;
    return `{"jsonrpc":"2.0","id":${id},"result":${this.#result(method, params)}}`;
  }

  #result(method: string, params: Call["params"]): string {
    const height = Number(params["height"]);
    if (method === "blockchain") return this.#headers(Number(params["minHeight"]), Number(params["maxHeight"]));
    if (method === "block") return `{"block":{"data":{"txs":${JSON.stringify(this.#transactions(height))}}}}`;
    if (method === "block_results") return this.#results(height);
    const heights = { earliest_block_height: "1", latest_block_height: `${this.height}` };
    return JSON.stringify({ node_info: { network: playedVmChainId }, sync_info: heights });
  }

  #headers(first: number, last: number): string {
    const metas = Array.from({ length: last - first + 1 }, (_, index) => {
      const height = last - index;
      const time = new Date((startTime + height) * 1000).toISOString();
      const hash = height.toString(16).padStart(64, "0").toUpperCase();
      const transactions = this.#transactions(height).length;
      return { block_id: { hash }, header: { height: `${height}`, time }, num_txs: `${transactions}` };
    });
    return JSON.stringify({ last_height: `${this.height}`, block_metas: metas });
  }

  #transactions(height: number): readonly string[] {
    const events = Math.min(eventsPerBlock, this.#events - (height - 1) * eventsPerBlock);
    return Array.from({ length: Math.ceil(events / eventsPerTransaction) }, (_, index) =>
      Buffer.alloc(transactionBytes, `${height} ${index} `).toString("base64"),
    );
  }

  #results(height: number): string {
    const start = (height - 1) * eventsPerBlock;
    const results = this.#transactions(height).map((_, transaction) => {
      const first = start + transaction * eventsPerTransaction;
      const texts = [...sdkEvents];
      const end = Math.min(this.#events, first + eventsPerTransaction);
      for (let index = first; index < end; index += 1) texts.push(this.#eventText(index));
      return `{"code":0,"gas_wanted":"500000","gas_used":"123180","events":[${texts.join(",")}]}`;
    });
    return `{"height":"${height}","txs_results":[${results.join(",")}]}`;
  }
}

function eventText(type: string, attributes: Readonly<Record<string, string>>): string {
  const listed = Object.entries(attributes).map(([key, value]) => ({ key, value, index: true }));
  return JSON.stringify({ type, attributes: listed });
}

const payer = formatBech32(parseAccount(`0x${"c5".repeat(20)}`, { accountBytes: [20] }));

const sdkEvents: readonly string[] = [
  eventText("tx", { fee: "0umin", fee_payer: payer }),
  eventText("tx", { acc_seq: `${payer}/24` }),
  eventText("tx", { signature: "A".repeat(88) }),
  eventText("message", { action: "/call", sender: payer, module: "vm", msg_index: "0" }),
  eventText("execute", { sender: payer, msg_index: "0" }),
];

function traderOf(index: number): `0x${string}` {
  return `0x${((index % accounts) + 1).toString(16).padStart(40, "0")}`;
}

function moveEvent(index: number): string {
  const fields = { trader: traderOf(index), volume: `${index}` };
  return eventText("move", {
    type_tag: playedMoveType,
    data: JSON.stringify(fields),
    ...fields,
    msg_index: "0",
  });
}

function wasmEvents(): (index: number) => string {
  const traders = Array.from({ length: accounts }, (_, index) =>
    formatBech32(parseAccount(traderOf(index), { accountBytes: [20] })),
  );
  return (index) =>
    eventText("wasm", {
      _contract_address: playedWasmContract,
      action: "trade",
      trader: traders[index % accounts] ?? "",
      volume: `${index}`,
      msg_index: "0",
    });
}
