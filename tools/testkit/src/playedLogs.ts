import { splitCalls, type RpcCall } from "./proxy/rpcCalls.ts";

const logsPerBlock = 100;
const logsPerTransaction = 10;
/** Like minievm, the node serves 500 blocks at once. */
const maxBlocks = 500;
/** Senders of the transfers that the logs are. */
const accounts = 100_000;

export const playedContract = `0x${"ab".repeat(20)}`;
/** The event of all played logs, whose signature has the topic below. */
export const playedEvent = "event Transfer(address indexed sender, address indexed receiver, uint256 value)";
/** The topic of ERC-20 and ERC-721 transfers. */
export const transferTopic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

/** The chain ID that a played node answers, in decimal. */
export const playedChainId = "1";

type Params = readonly unknown[] | undefined;

/** The filter of `eth_getLogs`. */
interface BlockRange {
  readonly fromBlock: string;
  readonly toBlock: string;
}

/** Plays an EVM node with many logs: 100 in each block that has any, in ten transactions. */
export class PlayedLogs {
  readonly #logs: number;
  readonly #spacing: number;

  /** @param spacing Every so many blocks, one has logs. */
  constructor(logs: number, spacing = 1) {
    this.#logs = logs;
    this.#spacing = spacing;
  }

  /** The newest block, which is the last one with logs. */
  get height(): number {
    return Math.ceil(this.#logs / logsPerBlock) * this.#spacing;
  }

  /** The answer to the body of a request: one call, or a batch. */
  answer(body: string): string {
    const { calls, join } = splitCalls<Params>(body);
    return join(calls.map((call) => this.#answerCall(call)));
  }

  #answerCall({ id, method, params }: RpcCall<Params>): string {
    const first = params?.[0] as string | BlockRange | undefined;
    const open = `{"jsonrpc":"2.0","id":${id},`;
    if (method === "eth_chainId") return `${open}"result":"${quantity(Number(playedChainId))}"}`;
    if (method === "eth_blockNumber") return `${open}"result":"${quantity(this.height)}"}`;
    if (first === undefined || typeof first === "string") {
      const height = Number(first);
      const block = {
        number: first,
        hash: word(height),
        timestamp: quantity(1_700_000_000 + height),
        transactions: [],
      };
      return `${open}"result":${JSON.stringify(method === "eth_getBlockByNumber" ? block : null)}}`;
    }
    const [from, to] = [Number(first.fromBlock), Number(first.toBlock)];
    if (to - from >= maxBlocks) return `${open}"error":{"code":-32000,"message":"block range exceeded ${maxBlocks}"}}`;
    const texts: string[] = [];
    const end = Math.min(this.#logs, Math.floor(to / this.#spacing) * logsPerBlock);
    let index = Math.floor((from - 1) / this.#spacing) * logsPerBlock;
    for (; index < end; index += 1) texts.push(logText(index, this.#spacing));
    return `${open}"result":[${texts.join(",")}]}`;
  }
}

function word(value: number): string {
  return `0x${value.toString(16).padStart(64, "0")}`;
}

function quantity(value: number): string {
  return `0x${value.toString(16)}`;
}

function logText(index: number, spacing: number): string {
  const height = (Math.floor(index / logsPerBlock) + 1) * spacing;
  const inBlock = index % logsPerBlock;
  const place = `"blockNumber":"${quantity(height)}","blockHash":"${word(height)}","logIndex":"${quantity(inBlock)}"`;
  const transactionIndex = Math.floor(inBlock / logsPerTransaction);
  const transaction = `"transactionHash":"${word(height * 1_000 + transactionIndex)}","transactionIndex":"${quantity(transactionIndex)}"`;
  const topics = [transferTopic, word((index % accounts) + 1), word(7)];
  const event = `"address":"${playedContract}","topics":${JSON.stringify(topics)},"data":"${word(index)}"`;
  return `{${event},${place},${transaction},"removed":false}`;
}
