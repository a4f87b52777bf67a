import { InputError } from "@vipscore/core";
import { count, group } from "@vipscore/core/values";
import {
  tokensByAccount,
  tokensByCollection,
  type BadRow,
  type Listing,
  type NftToken,
} from "@vipscore/indexer-client";
import { readHolders } from "@vipscore/indexer-client/holders";
import type { Context } from "../../context.ts";
import type { IndexerFlags, UnreadableFlags } from "../../nft/indexerOptions.ts";
import { parseNftAddress, spellAddress, spellOwner } from "../../nft/nftAddress.ts";
import { openNftIndexer } from "../../nft/openNftIndexer.ts";
import { holdersProgress, withIndexerErrors } from "../../nft/readIndexer.ts";
import { tokenColumns } from "../../nft/tokenColumns.ts";
import { settleUnreadable, unreadableJson } from "../../nft/unreadableRows.ts";
import type { Output } from "../../output/output.ts";
import { printableText } from "../../output/printableText.ts";
import { pageFormatter, type RowsFormat } from "../../output/table.ts";

/** Maximum number of rows that the indexer returns per page. */
const pageRows = 1000;

/** The flags of `nft tokens`. */
export interface TokensFlags extends IndexerFlags, UnreadableFlags {
  readonly collection?: string;
  readonly tokenId?: string;
  readonly orderBy: "token_id" | "height";
  readonly limit?: number;
  readonly format: RowsFormat;
}

/** The flags of `nft holders`. */
export interface HoldersFlags extends IndexerFlags, UnreadableFlags {
  readonly format: RowsFormat;
}

/** Lists tokens: `nft tokens`. */
export async function listTokens(context: Context, account: string | undefined, flags: TokensFlags): Promise<void> {
  await withIndexerErrors(() => printTokens(context, account, flags));
}

async function printTokens(context: Context, account: string | undefined, flags: TokensFlags): Promise<void> {
  const { io, output } = context;
  const { format, limit = Number.POSITIVE_INFINITY } = flags;
  const listing = await openListing(context, account, flags);
  const given = { account: account !== undefined, collection: flags.collection !== undefined };
  const formatPage = pageFormatter(format, tokenColumns(format, given));
  const kept: object[] = [];
  const unreadable: BadRow[] = [];
  let listed = 0;
  const pages = listing.pages({
    limit: Math.min(limit, pageRows),
    signal: io.signal,
    onBadRow: (row) => unreadable.push(row),
  });
  for await (const { items } of pages) {
    const rows = items.slice(0, limit - listed);
    listed += rows.length;
    if (output.isJson) kept.push(...rows.map(tokenJson));
    else writePage(output, format, formatPage(rows));
    if (listed >= limit) break;
  }
  output.note(count(listed, "token"));
  settleUnreadable(output, unreadable, flags);
  output.json({ command: "nft tokens", count: listed, tokens: kept, unreadable: unreadableJson(unreadable) });
}

/** Writes CSV as a file, and a table as text for people. */
function writePage(output: Output, format: RowsFormat, page: string): void {
  if (format === "csv") output.raw(page);
  else output.printLines(page);
}

/** @throws InputError `INPUT_INVALID` if neither an account nor a collection is given. */
async function openListing(
  context: Context,
  account: string | undefined,
  { collection, tokenId, orderBy, ...flags }: TokensFlags,
): Promise<Listing<NftToken>> {
  const owner = account === undefined ? undefined : parseNftAddress(account, "account");
  const collectionAddr = collection === undefined ? undefined : parseNftAddress(collection, "collection");
  if (tokenId === "") throw new InputError("--token-id is empty");
  const options = { tokenId, orderBy, reverse: orderBy === "height" };
  if (owner === undefined && collectionAddr === undefined) {
    throw new InputError("no account or collection is given", {
      metaMessages: ["Give the account whose tokens to list, --collection <address>, or both."],
    });
  }
  const indexer = await openNftIndexer(context, flags);
  if (owner !== undefined) return tokensByAccount(indexer, owner, { ...options, collectionAddr });
  return tokensByCollection(indexer, String(collectionAddr), options);
}

function tokenJson({ collection_addr, collection_name, object_addr, owner, nft, height, timestamp }: NftToken): object {
  return {
    collection: collection_addr,
    collectionName: collection_name,
    tokenId: nft.token_id,
    owner: spellOwner(owner),
    object: object_addr === "" ? null : object_addr,
    uri: nft.uri,
    height,
    timestamp,
  };
}

/** Lists the holders of a collection: `nft holders`. */
export async function listHolders(context: Context, collection: string, flags: HoldersFlags): Promise<void> {
  await withIndexerErrors(() => printHolders(context, collection, flags));
}

async function printHolders(context: Context, address: string, flags: HoldersFlags): Promise<void> {
  const { io, output } = context;
  const collectionAddr = parseNftAddress(address, "collection");
  const read = await readHolders(await openNftIndexer(context, flags), collectionAddr, {
    signal: io.signal,
    skipUnreadable: true,
    onProgress: holdersProgress(output, collectionAddr),
  });
  const { height, chainId, tokens, collection, unreadable } = read;
  const holders = Array.from(read.holders, ([owner, held]) => ({ owner, tokens: held })).sort(
    (a, b) => b.tokens - a.tokens || (a.owner < b.owner ? -1 : 1),
  );
  const { name } = collection.collection;
  output.note(
    `${count(holders.length, "holder")} of ${count(tokens, "token")} of "${printableText(name)}", chain ${chainId}, height ${group(height)}`,
  );
  const formatPage = pageFormatter<(typeof holders)[number]>(flags.format, [
    { title: "owner", value: ({ owner }) => spellAddress(owner) },
    { title: "tokens", value: (row) => String(row.tokens), isNumber: true },
  ]);
  if (!output.isJson) writePage(output, flags.format, formatPage(holders));
  settleUnreadable(output, unreadable, flags);
  output.json({
    command: "nft holders",
    chainId,
    height,
    collection: { address: collectionAddr, name },
    tokens,
    holders: holders.map(({ owner, tokens: held }) => ({ owner: spellAddress(owner), tokens: held })),
    unreadable: unreadableJson(unreadable),
  });
}
