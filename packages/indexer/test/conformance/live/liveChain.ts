import type { HexAddress, IndexerSource } from "../../../src/index.ts";

/** An account that signs. `deployer` creates every collection and mints until it hands one over. */
export type Signer = "deployer" | "operator";

/** An owner of tokens: one that signs, two accounts that never do, or a contract. */
export type Party = Signer | "friend" | "stranger" | "contract";

/** What an account does to a token, or to a collection, by the collection's name. */
export type Step =
  | {
      readonly kind: "mint";
      readonly collection: string;
      readonly tokenId: string;
      readonly to: Party;
      readonly uri: string;
    }
  | {
      readonly kind: "move";
      readonly collection: string;
      readonly tokenId: string;
      readonly from: Signer;
      readonly to: Party;
    }
  | { readonly kind: "burn"; readonly collection: string; readonly tokenId: string; readonly from: Signer }
  /** The collection itself gets another owner: its minter on EVM and Wasm, the owner of its object on Move. */
  | { readonly kind: "handOver"; readonly collection: string; readonly to: Signer };

/** The transaction in which something happened. */
export interface Mark {
  readonly height: number;
  /** As the indexer's API writes it. */
  readonly txHash: string;
}

/** A local chain that plays the steps of a history. */
export interface LiveChain extends AsyncDisposable {
  readonly source: IndexerSource;
  readonly addressOf: (party: Party) => HexAddress;
  /** Creates a collection; its name is unique. */
  readonly create: (name: string) => Promise<{ readonly address: HexAddress; readonly mark: Mark }>;
  /** Plays an account's steps, in as few transactions as the chain allows; returns the one of each step. */
  readonly play: (signer: Signer, steps: readonly Step[]) => Promise<readonly Mark[]>;
  /** The object of a token; undefined on chains where tokens are not objects. */
  readonly objectOf: (collection: string, tokenId: string) => HexAddress | undefined;
  /** The time of a block, in RFC 3339. */
  readonly timeOf: (height: number) => Promise<string>;
}

/** Splits steps into parts of consecutive steps that have the same key. */
export function inParts(steps: readonly Step[], keyOf: (step: Step) => unknown): readonly (readonly Step[])[] {
  const parts: Step[][] = [];
  for (const step of steps) {
    const [first] = parts.at(-1) ?? [];
    if (first !== undefined && keyOf(first) === keyOf(step)) parts.at(-1)?.push(step);
    else parts.push([step]);
  }
  return parts;
}

/** The accounts that never sign. */
export const friend: HexAddress = `0x${"f1".repeat(20)}`;
export const stranger: HexAddress = `0x0a${"5e".repeat(19)}`;
