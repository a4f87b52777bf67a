import type { HexAddress } from "../../../src/index.ts";
import type { LiveChain, Mark, Party, Signer, Step } from "./liveChain.ts";

/** A token, in the fields that the API lists. */
export interface LedgerToken {
  readonly collection: HexAddress;
  readonly name: string;
  readonly tokenId: string;
  readonly objectAddr: string;
  readonly owner: HexAddress;
  readonly uri: string;
  readonly height: number;
}

interface Held {
  readonly tokenId: string;
  readonly owner: Party;
  readonly uri: string;
  readonly mark: Mark;
}

interface HeldCollection {
  readonly address: HexAddress;
  readonly mark: Mark;
  minter: Signer;
  readonly tokens: Map<string, Held>;
  /** The transactions of each token that ever existed, oldest first. */
  readonly transactions: Map<string, string[]>;
}

/** What an indexer must serve after some steps: a model in the simplest form, which shares nothing with the indexer. */
export class Ledger {
  readonly #collections = new Map<string, HeldCollection>();

  add(name: string, address: HexAddress, mark: Mark): void {
    const minter = "deployer";
    this.#collections.set(name, { address, mark, minter, tokens: new Map(), transactions: new Map() });
  }

  apply(steps: readonly Step[], marks: readonly Mark[]): void {
    for (const [index, step] of steps.entries()) {
      const mark = marks[index];
      const collection = this.#collections.get(step.collection);
      if (mark === undefined || collection === undefined) throw new Error(`nothing was played of ${step.collection}`);
      applyStep(collection, step, mark);
    }
  }

  minterOf(name: string): Signer {
    return this.#collections.get(name)?.minter ?? "deployer";
  }

  isHeld(name: string, tokenId: string): boolean {
    return this.#collections.get(name)?.tokens.has(tokenId) === true;
  }

  /** The IDs of the tokens that an account owns. */
  heldBy(name: string, owner: Signer): readonly string[] {
    const tokens = [...(this.#collections.get(name)?.tokens.values() ?? [])];
    return tokens.filter((token) => token.owner === owner).map(({ tokenId }) => tokenId);
  }

  /** The IDs that a token once had and that none has now. */
  burnedIn(name: string): readonly string[] {
    const collection = this.#collections.get(name);
    return [...(collection?.transactions.keys() ?? [])].filter((tokenId) => collection?.tokens.has(tokenId) === false);
  }

  /** Every token, by collection and ID. */
  tokens(chain: LiveChain): readonly LedgerToken[] {
    return [...this.#collections].flatMap(([name, { address: collection, tokens }]) =>
      [...tokens.values()].map(({ tokenId, owner, uri, mark }) => {
        const objectAddr = chain.objectOf(name, tokenId) ?? "";
        return { collection, name, tokenId, objectAddr, owner: chain.addressOf(owner), uri, height: mark.height };
      }),
    );
  }

  /** Every collection: its address, name, height and number of tokens. */
  collections(): readonly (readonly [HexAddress, string, number, number])[] {
    return [...this.#collections].map(([name, { address, mark, tokens }]) => [address, name, mark.height, tokens.size]);
  }

  /** The transactions of every token that ever existed, by `<collection>/<id>`. */
  transactions(): ReadonlyMap<string, readonly string[]> {
    return new Map(
      [...this.#collections.values()].flatMap(({ address, transactions }) =>
        [...transactions].map(([tokenId, hashes]) => [`${address}/${tokenId}`, hashes] as const),
      ),
    );
  }
}

function applyStep(collection: HeldCollection, step: Step, mark: Mark): void {
  if (step.kind === "handOver") {
    collection.minter = step.to;
    return;
  }
  const { tokenId } = step;
  const { tokens, transactions } = collection;
  const known = transactions.get(tokenId) ?? [];
  if (known.at(-1) !== mark.txHash) transactions.set(tokenId, [...known, mark.txHash]);
  if (step.kind === "burn") {
    tokens.delete(tokenId);
    return;
  }
  const uri = step.kind === "mint" ? step.uri : (tokens.get(tokenId)?.uri ?? "");
  tokens.set(tokenId, { tokenId, owner: step.to, uri, mark });
}
