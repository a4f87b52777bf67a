import { quantity } from "@vipscore/blocks/evm";
import type { HexAddress } from "@vipscore/indexer";
import { transferTopic } from "@vipscore/testkit/playedLogs";
import { splitCalls, type RpcCall } from "@vipscore/testkit/rpcCalls";

const tokensPerBlock = 1_000;

/** The collection of all tokens, whose ids count from 1. */
export const collection: HexAddress = `0x${"c1".repeat(20)}`;

/** The account that owns nine of ten tokens; 50,000 others own the rest. */
export const largeHolder: HexAddress = `0x${"aa".repeat(20)}`;

/** Returns the block that mints the token with an index, from 0. */
export function heightOf(index: number): number {
  return 1 + Math.floor(index / tokensPerBlock);
}

/** Returns the first owner of the token with an index, from 0. */
export function ownerOf(index: number): HexAddress {
  if (index % 10 < 9) return largeHolder;
  const number = Math.floor(index / 10) % 50_000;
  return `0xb${number.toString(16).padStart(39, "0")}`;
}

/** Plays an EVM node whose blocks mint 1,000 tokens each, every one in its own transaction. */
export class PlayedTokens {
  readonly #tokens: number;
  /** The newest block. */
  readonly height: number;

  constructor(tokens: number) {
    this.#tokens = tokens;
    this.height = heightOf(tokens - 1);
  }

  /** The answer to the body of a request: one call, or a batch. */
  answer(body: string): string {
    const { calls, join } = splitCalls<readonly unknown[] | undefined>(body);
    return join(calls.map((call) => `{"jsonrpc":"2.0","id":${call.id},"result":${this.#resultOf(call)}}`));
  }

  #resultOf({ method, params: [first] = [] }: RpcCall<readonly unknown[] | undefined>): string {
    switch (method) {
      case "eth_chainId":
        return '"0x1"';
      case "eth_blockNumber":
        return `"${quantity(this.height)}"`;
      case "eth_getBlockByNumber": {
        const time = quantity(1_700_000_000 + Number(first));
        return JSON.stringify({ number: first, hash: `0x${word(Number(first))}`, timestamp: time, transactions: [] });
      }
      case "eth_getCode":
        return '"0x00"';
      case "cosmos_cosmosTxHashByTxHash":
        return JSON.stringify(first);
      case "eth_call":
        return `"${answerOf((first as { readonly data: string }).data)}"`;
      case "eth_getLogs":
        return `[${this.#logsOf(first as LogsAsked).join(",")}]`;
      default:
        return "null";
    }
  }

  #logsOf({ fromBlock, toBlock, topics: [topic] }: LogsAsked): readonly string[] {
    if (![topic].flat().includes(transferTopic)) return [];
    const from = (Number(fromBlock) - 1) * tokensPerBlock;
    const end = Math.min(this.#tokens, Number(toBlock) * tokensPerBlock);
    return Array.from({ length: Math.max(0, end - from) }, (_, place) => mintLog(from + place));
  }
}

interface LogsAsked {
  readonly fromBlock: string;
  readonly toBlock: string;
  readonly topics: readonly (string | readonly string[] | null)[];
}

function mintLog(index: number): string {
  const height = heightOf(index);
  const place = index % tokensPerBlock;
  const topics = [word(0), ownerOf(index).slice(2).padStart(64, "0"), word(index + 1)].map((topic) => `0x${topic}`);
  return JSON.stringify({
    address: collection,
    topics: [transferTopic, ...topics],
    data: "0x",
    blockNumber: quantity(height),
    blockHash: `0x${word(height)}`,
    logIndex: quantity(place),
    transactionHash: `0x${word(height * 10_000 + place)}`,
    transactionIndex: quantity(place),
    removed: false,
  });
}

/** The answer of the collection. */
function answerOf(data: string): string {
  const [selector, argument] = [data.slice(0, 10), data.slice(10)];
  switch (selector) {
    case "0xc87b56dd": // tokenURI(uint256)
      return textAnswer(`ipfs://bench/${Number(`0x${argument}`)}`);
    case "0x06fdde03": // name()
      return textAnswer("Bench");
    case "0x01ffc9a7": // supportsInterface(bytes4)
      return `0x${word(1)}`;
    default:
      return "0x";
  }
}

/** The ABI encoding of a text of at most 32 bytes. */
function textAnswer(text: string): string {
  return `0x${word(32)}${word(text.length)}${Buffer.from(text).toString("hex").padEnd(64, "0")}`;
}

function word(value: number): string {
  return value.toString(16).padStart(64, "0");
}
