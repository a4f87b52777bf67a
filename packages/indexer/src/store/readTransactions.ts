import type { Kysely } from "kysely";
import type { HexAddress } from "../chain/nftChain.ts";
import { addressBytes } from "./database.ts";
import { pageOf } from "./pageOf.ts";
import type { TransactionRow, TransactionsRequest } from "./store.ts";
import type { Tables } from "./tables.ts";

export async function readTransactions(
  database: Kysely<Tables>,
  request: TransactionsRequest,
): Promise<readonly TransactionRow[]> {
  const rows = await transactionsQuery(database, request).execute();
  return rows.map(({ sequence, tx_hash, height, timestamp }) => ({ sequence, txHash: tx_hash, height, timestamp }));
}

export function transactionsQuery(database: Kysely<Tables>, request: TransactionsRequest) {
  const transactions = ofToken(database, request.collectionAddr, request.tokenId);
  const query = transactions.select(["sequence", "tx_hash", "height", "timestamp"]);
  return pageOf(query, ["sequence"], request, ({ sequence }) => [["sequence", sequence]]);
}

/** Returns the number of transactions that changed a token: the number of the last one. */
export async function countTransactions(
  database: Kysely<Tables>,
  collectionAddr: HexAddress,
  tokenId: string,
): Promise<number> {
  const query = ofToken(database, collectionAddr, tokenId).select("number").orderBy("sequence", "desc").limit(1);
  return (await query.executeTakeFirst())?.number ?? 0;
}

function ofToken(database: Kysely<Tables>, collectionAddr: HexAddress, tokenId: string) {
  return database
    .selectFrom("token_transactions")
    .where("collection_addr", "=", addressBytes(collectionAddr))
    .where("token_id", "=", tokenId);
}
