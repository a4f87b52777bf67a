import { bytesToHex, hexToBytes } from "@noble/hashes/utils";
import { InputError, quoteText } from "@vipscore/core/errors";
import { addressBytes, addressText, findByBytes, hashBytes, hashLeaf, hashNodes, requireU64 } from "./hashNodes.ts";
import type { FlatRows } from "./readRows.ts";
import { splitLevels, type TreePart } from "./treeParts.ts";

/** One account's score, and what proves it to L1. */
export interface SnapshotLeaf {
  /** `0x` and lower-case hex. */
  readonly account: `0x${string}`;
  readonly score: bigint;
  /** Sibling hashes from the leaf up, in hex without `0x`; empty if the leaf is the root. */
  readonly proof: readonly string[];
}

interface Tree {
  readonly rowOfLeaf: Uint32Array;
  /** The nodes from the leaves to the root, 32 bytes each. */
  readonly levels: readonly Uint8Array[];
  readonly rules: SnapshotRules;
}

const noLeaf = 0xff_ff_ff_ff;

/** The Merkle tree of one stage. Iterating gives every leaf with its proof, in the order of the tree. Immutable. */
export class Snapshot implements Iterable<SnapshotLeaf> {
  readonly bridgeId: bigint;
  readonly stage: bigint;
  readonly total: bigint;
  /** Number of leaves. */
  readonly size: number;
  /** 64 hex digits; undefined without leaves: then nobody can claim, and what the agent submits is not published. */
  readonly root: string | undefined;
  readonly #rows: FlatRows;
  readonly #tree: Tree;
  readonly #leafOfRow: Uint32Array;

  /** @internal Use `buildSnapshot`. */
  constructor(info: Pick<Snapshot, "bridgeId" | "stage" | "total">, rows: FlatRows, tree: Tree) {
    this.bridgeId = info.bridgeId;
    this.stage = info.stage;
    this.total = info.total;
    this.size = tree.rowOfLeaf.length;
    this.root = this.size === 0 ? undefined : bytesToHex(tree.levels.at(-1) ?? new Uint8Array());
    this.#rows = rows;
    this.#tree = tree;
    this.#leafOfRow = new Uint32Array(rows.scores.length).fill(noLeaf);
    for (const [leaf, row] of tree.rowOfLeaf.entries()) this.#leafOfRow[row] = leaf;
  }

  /** Returns the account's score and proof; undefined if it has no leaf, as an account without a score. */
  leafOf(account: string): SnapshotLeaf | undefined {
    const address = addressBytes(account);
    const row = address === undefined ? undefined : findByBytes(this.#rows.addresses, this.#rows.byAddress, address);
    const leaf = row === undefined ? noLeaf : (this.#leafOfRow[row] ?? noLeaf);
    return leaf === noLeaf ? undefined : this.#leafAt(leaf);
  }

  /** The parts of the tree to store, from which `readStoredProof` makes proofs. */
  parts(): IterableIterator<TreePart> {
    return splitLevels(this.#tree.levels);
  }

  *[Symbol.iterator](): IterableIterator<SnapshotLeaf> {
    for (let leaf = 0; leaf < this.size; leaf += 1) yield this.#leafAt(leaf);
  }

  #leafAt(leaf: number): SnapshotLeaf {
    const row = this.#tree.rowOfLeaf[leaf] ?? 0;
    const address = this.#rows.addresses.subarray(hashBytes * row, hashBytes * (row + 1));
    return { account: addressText(address), score: this.#rows.scores[row] ?? 0n, proof: this.#proofOf(leaf) };
  }

  #proofOf(leaf: number): readonly string[] {
    const { levels, rules } = this.#tree;
    const proof: string[] = [];
    let place = leaf;
    for (const level of levels.slice(0, -1)) {
      const hasSibling = hashBytes * (place ^ 1) < level.length;
      const sibling = hasSibling ? place ^ 1 : place;
      if (hasSibling || rules.oddNode === "duplicate") {
        proof.push(bytesToHex(level.subarray(hashBytes * sibling, hashBytes * (sibling + 1))));
      }
      place >>>= 1;
    }
    return proof;
  }
}

/**
 * Rules left open by L1: it checks one leaf against the root, so a tree of any shape serves. The agent that builds the tree
 * has not published its choices.
 */
export interface SnapshotRules {
  /** Rows of score 0: omitted, or included with a leaf. A claim of score 0 needs no proof. */
  readonly zeroRows: "omit" | "include";
  /** Order of the leaves: ascending by the bytes of their hashes, or as the rows were given. */
  readonly leafOrder: "bytes" | "rows";
  /** The last node of a level with an odd number of them: moves up unchanged, or is hashed with itself. */
  readonly oddNode: "promote" | "duplicate";
}

/** Leaves sorted by their bytes, an odd node promoted, rows of score 0 left out: the usual choices of sorted Merkle trees. */
export const defaultRules: SnapshotRules = { zeroRows: "omit", leafOrder: "bytes", oddNode: "promote" };

/** A leaf, and the stage and root that it is checked against. */
export interface VerifyProofOptions extends Omit<SnapshotLeaf, "account"> {
  readonly bridgeId: bigint;
  readonly stage: bigint;
  readonly account: string;
  /** The stage's total score. */
  readonly total: bigint;
  /** 64 hex digits. */
  readonly root: string;
}

/**
 * Checks a proof as L1 does: true if the leaf and the proof's hashes lead to the root.
 *
 * @throws InputError `INPUT_INVALID` if a number exceeds u64, or a text is not an address or a hash.
 * @example
 * verifyProof({ bridgeId: 1n, stage: 12n, total, root, ...leaf });
 */
export function verifyProof({ bridgeId, stage, account, score, total, proof, root }: VerifyProofOptions): boolean {
  for (const [name, value] of Object.entries({ "bridge ID": bridgeId, stage, score, total })) requireU64(name, value);
  const address = addressBytes(account);
  if (address === undefined) {
    throw new InputError(`address ${quoteText(account)} is not 0x and 40 or 64 hexadecimal digits`);
  }
  let node = hashLeaf({ bridgeId, stage, address, score, total });
  for (const sibling of proof) node = hashNodes(node, hashOf(sibling, "a hash of the proof"));
  return bytesToHex(node) === bytesToHex(hashOf(root, "the root"));
}

function hashOf(text: string, name: string): Uint8Array {
  if (/^[0-9a-f]{64}$/i.test(text)) return hexToBytes(text);
  throw new InputError(`${name} is not 64 hexadecimal digits: ${quoteText(text)}`);
}
