import { createHash } from "node:crypto";

/** The stage that the second implementation builds a tree of; scores as in the rows, the address in hex with 0x. */
export interface NaiveStage {
  readonly bridgeId: bigint;
  readonly stage: bigint;
  readonly rows: readonly { readonly account: string; readonly score: bigint }[];
  readonly zeroRows?: "omit" | "include";
  readonly leafOrder?: "bytes" | "rows";
  readonly oddNode?: "promote" | "duplicate";
}

/**
 * The root by a second implementation of the specified tree, which shares no code with the package: texts of hex, and
 * recursion over halves of the list instead of levels.
 */
export function naiveRoot({ bridgeId, stage, rows, ...rules }: NaiveStage): string | undefined {
  const total = rows.reduce((sum, { score }) => sum + score, 0n);
  const kept = rules.zeroRows === "include" ? rows : rows.filter(({ score }) => score > 0n);
  const leaves = kept.map(({ account, score }) =>
    sha3(u64(bridgeId) + u64(stage) + account.slice(2).toLowerCase().padStart(64, "0") + u64(score) + u64(total)),
  );
  if (rules.leafOrder !== "rows") leaves.sort();
  return leaves.length === 0 ? undefined : rootOf(leaves, heightOf(leaves.length), rules.oddNode ?? "promote");
}

function sha3(hex: string): string {
  return createHash("sha3-256").update(Buffer.from(hex, "hex")).digest("hex");
}

/** Little-endian. */
function u64(value: bigint): string {
  const bigEndian = value.toString(16).padStart(16, "0");
  return (bigEndian.match(/../g) ?? []).reverse().join("");
}

function heightOf(leaves: number): number {
  return leaves === 1 ? 0 : 1 + heightOf(Math.ceil(leaves / 2));
}

/** A subtree of a given height has 2^height leaves, except for the last, which has what is left. */
function rootOf(leaves: readonly string[], height: number, oddNode: "promote" | "duplicate"): string {
  if (height === 0) return leaves[0] ?? "";
  const half = 2 ** (height - 1);
  const left = rootOf(leaves.slice(0, half), height - 1, oddNode);
  if (leaves.length > half) {
    const right = rootOf(leaves.slice(half), height - 1, oddNode);
    return sha3(left < right ? left + right : right + left);
  }
  return oddNode === "promote" ? left : sha3(left + left);
}
