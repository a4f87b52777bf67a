import { bytesToHex } from "@noble/hashes/utils";
import { addressBytes, findByBytes, hashBytes, hashLeaf, hashLevel, type LeafContent } from "./hashNodes.ts";

/** Nodes of one part, and the levels between two stored ones: what lies between is hashed again from a part. */
const nodesPerPart = 128;
const levelsPerPart = 7;
/** No tree in memory is higher: a damaged store ends here. */
const maxLevel = 32;
const partBytes = hashBytes * nodesPerPart;

/** A piece of every seventh level of a tree, counted from the leaves, which are level 0. */
export interface TreePart {
  readonly level: number;
  /** Its number in the level, from 0. */
  readonly part: number;
  /** 128 nodes of 32 bytes; the last part of a level may have fewer. */
  readonly nodes: Uint8Array;
}

/** The stored parts of a tree. */
export interface StoredTree {
  /** Reads a part; undefined if the tree does not have the level. */
  readonly read: (level: number, part: number) => Promise<Uint8Array | undefined>;
  /** Reads the last part of level 0 whose first node is not above a hash, byte by byte; undefined without one. */
  readonly findLeaf: (hash: Uint8Array) => Promise<Omit<TreePart, "level"> | undefined>;
}

/** Splits the stored levels of a tree into parts. */
export function* splitLevels(levels: readonly Uint8Array[]): Generator<TreePart> {
  for (let level = 0; level < levels.length; level += levelsPerPart) {
    const nodes = levels[level] ?? new Uint8Array();
    for (let part = 0; part * partBytes < nodes.length; part += 1)
      yield { level, part, nodes: nodes.subarray(part * partBytes, (part + 1) * partBytes) };
  }
}

/**
 * Makes the proof of an account from the stored parts of a tree with the default rules: three parts of a million leaves.
 *
 * @returns the leaf's hash and its proof, in hex without `0x`; undefined if the tree does not have the leaf.
 */
export async function readStoredProof(
  tree: StoredTree,
  { account, ...content }: Omit<LeafContent, "address"> & { readonly account: string },
): Promise<{ readonly leaf: string; readonly proof: readonly string[] } | undefined> {
  const hash = hashLeaf({ ...content, address: addressBytes(account) ?? new Uint8Array(hashBytes) });
  const found = await tree.findLeaf(hash);
  if (found === undefined) return undefined;
  const order = Uint32Array.from({ length: found.nodes.length / hashBytes }, (_, at) => at);
  const at = findByBytes(found.nodes, order, hash);
  if (at === undefined) return undefined;
  const proof: string[] = [];
  let place = nodesPerPart * found.part + at;
  let nodes: Uint8Array | undefined = found.nodes;
  for (let level = 0; nodes !== undefined && level <= maxLevel; level += levelsPerPart) {
    for (let step = 0; step < levelsPerPart; step += 1) {
      const sibling = ((place >>> step) ^ 1) % (nodesPerPart >>> step);
      if (hashBytes * sibling < nodes.length)
        proof.push(bytesToHex(nodes.subarray(hashBytes * sibling, hashBytes * (sibling + 1))));
      nodes = hashLevel(nodes, { oddNode: "promote" });
    }
    place = Math.floor(place / nodesPerPart);
    nodes = await tree.read(level + levelsPerPart, Math.floor(place / nodesPerPart));
  }
  return { leaf: bytesToHex(hash), proof };
}
