// The proof of an account with a score.
import type { Account } from "@vipscore/core";
import { VipError } from "@vipscore/core/errors";
import { openIndexer } from "@vipscore/indexer-client";
import { decodeAddress } from "@vipscore/indexer-client/address";
import { buildSnapshot, verifyProof } from "@vipscore/snapshot";

openIndexer(location.origin);
const owners = ["init1424qqqqqqqqqqqqqqqqqqqqqqqqqp2424k28fz", "init1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqq922kl203"];
const rows = owners.map((owner, index) => ({ account: decodeAddress(owner), score: 2n - BigInt(index) }));
const snapshot = buildSnapshot({ bridgeId: 3n, stage: 12n, rows, total: 3n });
const leaf = rows[0] && snapshot.leafOf(rows[0].account);
const isProven = (score: bigint): boolean =>
  leaf !== undefined && verifyProof({ bridgeId: 3n, stage: 12n, total: 3n, root: snapshot.root ?? "", ...leaf, score });

let error: string | undefined;
try {
  buildSnapshot({ bridgeId: 3n, stage: 12n, rows, total: 4n });
} catch (thrown) {
  error = thrown instanceof VipError ? thrown.code : String(thrown);
}
const account = leaf?.account as Account | undefined;
const result = { account, proof: isProven(2n), forged: isProven(3n), error };
const output = document.querySelector("#result");
if (output) output.textContent = JSON.stringify(result);
