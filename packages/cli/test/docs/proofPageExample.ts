import { decodeAddress } from "@vipscore/indexer-client/address";
import { buildSnapshot } from "@vipscore/snapshot";

/** Returns the root of a stage, and an account's score and proof; `leaf` is undefined without a score. */
export function proveScore(
  { bridgeId, stage }: { readonly bridgeId: bigint; readonly stage: bigint },
  rows: readonly { readonly addr: string; readonly score: string | bigint }[],
  account: string,
) {
  const scores = rows.map(({ addr, score }) => ({ account: decodeAddress(addr), score: BigInt(score) }));
  const total = scores.reduce((sum, { score }) => sum + score, BigInt(0));
  const snapshot = buildSnapshot({ bridgeId, stage, rows: scores, total });
  return { root: snapshot.root, total, leaf: snapshot.leafOf(decodeAddress(account)) };
}
