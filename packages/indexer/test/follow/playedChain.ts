import { NodeError } from "@vipscore/core";
import { pause } from "@vipscore/core/engine";
import type { HexAddress, NftBlock, NftChain, NftChange, PendingUri, UriRead } from "../../src/chain/nftChain.ts";

const collectionAddr: HexAddress = `0x${"cc".repeat(20)}`;

/** A chain in memory, for behavior that no local node can be made to show: each block mints a token whose id is its height. */
export class PlayedChain implements NftChain {
  readonly blocksPerRead: number;
  /** The requests, in order: `head`, `hash 7`, `blocks 1-10`. */
  readonly asked: string[] = [];
  /** The heights of the ranges that were read, and of those whose read was started. */
  begun = 0;
  head: number;
  chainId = "played-1";
  /** Part of every hash: another value makes another chain. */
  genesis = "a";
  /** True if the URIs of the tokens are to be read. */
  hasUris = false;
  countTokens?: NftChain["countTokens"];
  /** Called before every answer; may throw. */
  beforeAnswer: (asked: string, signal: AbortSignal) => Promise<void> | void = () => undefined;

  constructor(head: number, blocksPerRead = 10) {
    this.head = head;
    this.blocksPerRead = blocksPerRead;
  }

  async readChainId(signal: AbortSignal): Promise<string> {
    await this.#answer("chain id", signal);
    return this.chainId;
  }

  async readHead(signal: AbortSignal): Promise<number> {
    await this.#answer("head", signal);
    return this.head;
  }

  async readBlockHash(height: number, signal: AbortSignal): Promise<string | undefined> {
    await this.#answer(`hash ${height}`, signal);
    return height > this.head ? undefined : this.hashOf(height);
  }

  readonly readBlocks: NftChain["readBlocks"] = async (first, last, { isKnown, signal }) => {
    this.begun = last;
    const known = isKnown(collectionAddr);
    await this.#answer(`blocks ${first}-${last}`, signal);
    const uri = this.hasUris ? undefined : "";
    return Array.from({ length: last - first + 1 }, (_, index) => blockOf(first + index, uri, known || index > 0));
  };

  uriOf(height: number): string {
    return `ipfs://${height}`;
  }

  /** Reads what {@link PlayedChain.uriOf} says, or that there are none. */
  async readUris(pending: readonly PendingUri[], signal: AbortSignal): Promise<readonly UriRead[]> {
    await this.#answer(`uris ${pending.map(({ tokenId }) => tokenId).join(" ")}`, signal);
    return pending.map(({ collectionAddr: addr, tokenId, height }) => {
      return { collectionAddr: addr, tokenId, height, uri: this.hasUris ? this.uriOf(height) : "" };
    });
  }

  hashOf(height: number): string {
    return `0x${this.genesis}${height.toString(16).padStart(63, "0")}`;
  }

  async #answer(asked: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.asked.push(asked);
    await this.beforeAnswer(asked, signal);
  }
}

function blockOf(height: number, uri: string | undefined, known: boolean): NftBlock {
  const txHash = `0x${height.toString(16).padStart(64, "0")}`;
  const owner: HexAddress = `0x${height.toString(16).padStart(40, "0")}`;
  const seen: NftChange = { kind: "collection", collectionAddr, name: "Played", creator: owner };
  const tokenId = String(height);
  const minted: NftChange = { kind: "minted", collectionAddr, tokenId, owner, uri, objectAddr: undefined, txHash };
  return { height, timestamp: "2026-01-01T00:00:00Z", changes: known ? [minted] : [seen, minted] };
}

/** A node that does not answer. */
export function away(): NodeError {
  return new NodeError("the node is away", { code: "NODE_UNREACHABLE" });
}

/** Does not answer until the signal. */
export function silence(signal: AbortSignal): Promise<void> {
  return pause(3_600_000, signal);
}
