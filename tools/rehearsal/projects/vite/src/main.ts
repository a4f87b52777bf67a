// One point for each token of a collection, and the proof of the owner with the most.
import type { Account, Score, Vm } from "@vipscore/core";
import { VipError } from "@vipscore/core/errors";
import { getStatus, openIndexer, tokensByCollection } from "@vipscore/indexer-client";
import { decodeAddress } from "@vipscore/indexer-client/address";
import { buildSnapshot, verifyProof } from "@vipscore/snapshot";

/** The values that the page shows. */
interface Result {
  readonly vm: Vm;
  readonly chain: string;
  readonly account: Account | undefined;
  readonly score: string;
  readonly proof: boolean;
  readonly forged: boolean;
  readonly error: string | undefined;
}

const indexer = openIndexer(location.origin);
const scores = new Map<`0x${string}`, Score>();
for await (const { owner } of tokensByCollection(indexer, "0xc100000000000000000000000000000000000001")) {
  const account = decodeAddress(owner);
  scores.set(account, (scores.get(account) ?? 0n) + 1n);
}
const rows = [...scores].map(([account, score]) => ({ account, score }));
const total = rows.reduce((sum, { score }) => sum + score, 0n);
const snapshot = buildSnapshot({ bridgeId: 3n, stage: 12n, rows, total });
const [first] = rows.toSorted((a, b) => Number(b.score - a.score));
const leaf = first && snapshot.leafOf(first.account);
const isProven = (score: bigint): boolean =>
  leaf !== undefined && verifyProof({ bridgeId: 3n, stage: 12n, total, root: snapshot.root ?? "", ...leaf, score });

let error: string | undefined;
try {
  buildSnapshot({ bridgeId: 3n, stage: 12n, rows, total: total + 1n });
} catch (thrown) {
  error = thrown instanceof VipError ? thrown.code : String(thrown);
}
const result: Result = {
  vm: "evm",
  chain: (await getStatus(indexer)).chain_id,
  account: leaf?.account as Account | undefined,
  score: String(leaf?.score),
  proof: isProven(leaf?.score ?? 0n),
  forged: isProven((leaf?.score ?? 0n) + 1n),
  error,
};
const output = document.querySelector("#result");
if (output) output.textContent = JSON.stringify(result);
