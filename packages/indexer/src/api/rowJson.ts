import type { CollectionRow, StoreStatus, TransactionRow } from "../store/store.ts";
import { bech32Text } from "./bech32Text.ts";
import { lagOf } from "./indexerMetrics.ts";

/** The JSON of a collection as the API writes it. */
export function collectionJson(row: CollectionRow): string {
  return JSON.stringify({
    object_addr: row.collectionAddr,
    collection: {
      creator: bech32Text(row.creator),
      name: row.name,
      origin_name: "",
      nfts: { handle: "", length: row.tokenCount },
    },
    height: row.height,
    timestamp: row.timestamp,
  });
}

/** The JSON of a transaction as the API writes it. */
export function transactionJson({ txHash, height, timestamp }: TransactionRow): string {
  return JSON.stringify({ txhash: txHash, height, timestamp });
}

/** The fields of `/status`. */
export function statusJson(version: string, status: StoreStatus | undefined) {
  return {
    version,
    commit_hash: "unknown",
    chain_id: status?.chainId ?? "",
    height: status?.height ?? 0,
    left_out: status?.leftOut ?? 0,
    pending_uris: status?.pendingUris ?? 0,
    lag: status === undefined ? 0 : lagOf(status),
    seen_at: status?.seen === undefined ? null : new Date(status.seen.at).toISOString(),
  };
}
