import { quantity } from "@vipscore/blocks/evm";
import { transferTopic } from "@vipscore/testkit/playedLogs";
import { answerCalls, type PlayedCall } from "@vipscore/testkit/servePlayed";
import { heightOf, indexesOf, largeCollection, ownerOf, smallCollections, smallSize } from "./indexerTokens.ts";

/**
 * Plays an EVM node whose blocks mint tokens, each in its own transaction: 1,000 per block in the large collection, with ids
 * from 1, then the small collections, one per block.
 */
export class PlayedTokens {
  readonly #tokens: number;

  /** @param tokens - Size of the large collection. */
  constructor(tokens: number) {
    this.#tokens = tokens;
  }

  /** The newest block. */
  get height(): number {
    return this.#lastLarge + smallCollections.length;
  }

  /** The answer to the body of a request: one call, or a batch. */
  answer(body: string): string {
    return answerCalls(body, (call) => this.#answerCall(call));
  }

  get #lastLarge(): number {
    return heightOf(this.#tokens - 1);
  }

  #answerCall({ id, method, params: [first] = [] }: PlayedCall): string {
    return `{"jsonrpc":"2.0","id":${id},"result":${this.#resultOf(method, first)}}`;
  }

  #resultOf(method: string, first: unknown): string {
    switch (method) {
      case "eth_chainId":
        return '"0x1"';
      case "eth_blockNumber":
        return `"${quantity(this.height)}"`;
      case "eth_getBlockByNumber": {
        const time = quantity(1_700_000_000 + Number(first));
        const head = { number: first, hash: `0x${word(Number(first))}`, timestamp: time, transactions: [] };
        return JSON.stringify(head);
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
    const logs: string[] = [];
    if (topic !== transferTopic) return logs;
    for (let height = Number(fromBlock); height <= Math.min(this.height, Number(toBlock)); height += 1) {
      const small = smallCollections[height - this.#lastLarge - 1];
      const [from, end] = small === undefined ? indexesOf(height, this.#tokens) : [0, smallSize];
      for (let index = from; index < end; index += 1) {
        logs.push(mintLog({ collection: small ?? largeCollection, index, height, place: index - from }));
      }
    }
    return logs;
  }
}

interface LogsAsked {
  readonly fromBlock: string;
  readonly toBlock: string;
  readonly topics: readonly (string | null)[];
}

interface Mint {
  readonly collection: string;
  readonly index: number;
  readonly height: number;
  /** In its block. */
  readonly place: number;
}

function mintLog({ collection, index, height, place }: Mint): string {
  const at = quantity(place);
  const txHash = word(height * 10_000 + place);
  const topics = `["${transferTopic}","0x${word(0)}","0x${ownerOf(index).slice(2).padStart(64, "0")}","0x${word(index + 1)}"]`;
  const block = `"blockNumber":"${quantity(height)}","blockHash":"0x${word(height)}","logIndex":"${at}"`;
  const transaction = `"transactionHash":"0x${txHash}","transactionIndex":"${at}"`;
  return `{"address":"${collection}","topics":${topics},"data":"0x",${block},${transaction},"removed":false}`;
}

/** The answer of any of the collections. */
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
